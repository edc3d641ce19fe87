"""R8219-5.1-3: frame sizes must fit the MTU on both sides, and what is refused says which size does."""

from __future__ import annotations

import pytest

from tests.config.test_errors import fault
from xlatperf.config.load import parse_bench


def bench(technology: str, size: int, of: str = "", **device: int) -> str:
    keys = "".join(f"{name} = {value}\n" for name, value in device.items())
    traffic = f'[traffic]\nframe_size_of = "{of}"\n' if of else ""
    return (
        f"[device]\n{keys}[technology]\n{technology}\n{traffic}"
        f'[[measure]]\nprocedure = "frame_loss"\nframe_sizes = [{size}]\n'
    )


MAP_E, MAP_T, SIIT = 'name = "map-e"', 'name = "map-t"', 'name = "siit"'
NATIVE = 'name = "native"\nfamily = "ipv4"'


@pytest.mark.parametrize(
    ("technology", "of", "fits"),
    [
        (MAP_E, "ipv6", 1518),
        (MAP_E, "ipv4", 1478),
        (MAP_T, "ipv4", 1498),
        (SIIT, "ipv4", 1498),
        (SIIT, "ipv6", 1518),
        (NATIVE, "", 1518),
        ('name = "nat44"', "", 1518),
    ],
)
def test_the_size_that_fits(technology: str, of: str, fits: int) -> None:
    """Taken is what is named in the refusal of the next larger one; a larger MTU takes more."""
    connections = "connections = [10]\nestablish_fps = 10\n" if "nat44" in technology else ""
    parse_bench(bench(technology, fits, of) + connections, "b")
    said = fault(bench(technology, fits + 1, of) + connections)
    assert said.startswith(f"b.toml: measure[0].frame_sizes[0]: {fits + 1} is not allowed: at most {fits}: its packet ")
    assert "1501 bytes" in said
    assert "device.mtu is 1500" in said
    assert ("as IPv6" in said) == (of == "ipv4")
    parse_bench(bench(technology, fits + 7500, of, mtu=9000) + connections, "b")
    assert f"at most {fits + 7500}: " in fault(bench(technology, fits + 7501, of, mtu=9000) + connections)
