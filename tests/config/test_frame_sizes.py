"""R8219-5.1-3: frame sizes must fit the MTU on both sides, and what is refused says which size does."""

from __future__ import annotations

import pytest

from tests.config.test_errors import fault
from xlatperf.config.load import parse_bench
from xlatperf.meaning.deviations import deviations


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


def of_sender(technology: str, size: int, direction: str = "bidirectional", keys: str = "") -> str:
    return f'{keys}{bench(technology, size, "sender")}direction = "{direction}"\n'


@pytest.mark.parametrize(
    ("technology", "direction", "smallest", "largest"),
    [
        (SIIT, "bidirectional", 84, 1498),
        (SIIT, "forward", 84, 1518),  # IPv6 is on the left
        (SIIT, "reverse", 64, 1498),
        (MAP_E, "bidirectional", 104, 1478),
        (MAP_E, "forward", 104, 1518),
        (MAP_E, "reverse", 64, 1478),
    ],
)
def test_sizes_that_are_sent(technology: str, direction: str, smallest: int, largest: int) -> None:
    """Those of the directions that send: as IPv6 they hold no less, as IPv4 they grow."""
    for size in (smallest, largest):
        parse_bench(of_sender(technology, size, direction), "b")
    if smallest > 64:
        shorter = fault(of_sender(technology, smallest - 1, direction))
        assert f"{smallest - 1} is not allowed: {smallest} to 9216 for ipv" in shorter
    assert f"{largest + 1} is not allowed: at most {largest}: its packet has 1501 bytes" in fault(
        of_sender(technology, largest + 1, direction)
    )


def test_sizes_that_are_sent_with_an_encapsulation_limit() -> None:
    """Only what the Tester sends into the tunnel has it."""
    limit = "technology.tunnel.encapsulation_limit = 4\n"
    text = f'traffic.frame_size_of = "sender"\n{limit}technology.{MAP_E}\n[[measure]]\nprocedure = "throughput"\n'
    assert parse_bench(text, "b").measure[0].frame_sizes[-1] == 1478
    for direction, largest, what in (
        ("forward", 1510, " with the encapsulation limit"),
        ("reverse", 1478, " as IPv6"),
        ("bidirectional", 1478, " as IPv6"),
    ):
        own = f'direction = "{direction}"\nframe_sizes = '
        parse_bench(f"{text}{own}[{largest}]\n", "b")
        assert f"at most {largest}: its packet has 1501 bytes{what}, and device.mtu" in fault(
            f"{text}{own}[{largest + 1}]\n"
        )


def test_sizes_that_are_sent_with_tags() -> None:
    """Each side's own."""
    left = "tester.left.vlan = 5\n"
    parse_bench(of_sender(SIIT, 88, keys=left), "b")
    assert "87 is not allowed: 88 to 9216 for ipv6 with VLAN tag" in fault(of_sender(SIIT, 87, keys=left))
    parse_bench(of_sender(SIIT, 64, "reverse", keys=left), "b")


def test_usual_sizes_that_are_sent() -> None:
    text = f'traffic.frame_size_of = "sender"\n[technology]\n{SIIT}\n[[measure]]\nprocedure = "throughput"\n'
    found = parse_bench(text, "b")
    assert found.measure[0].frame_sizes == (84, 128, 256, 512, 768, 1024, 1280, 1498)
    assert found.smallest_frame == 84
    said = [one.here for one in deviations(found)]
    assert any("each frame leaves the Tester in the size that is named" in one for one in said)
    assert any("84-byte IPv6 frames in their place" in one for one in said)


def test_all_frames_are_of_one_family() -> None:
    line = "b.toml: traffic.frame_size_of: sender is not allowed: ipv4, the only family of the traffic"
    assert fault(bench(NATIVE, 128, "sender")) == line


def several(*sizes: str, of: str = "ipv6") -> str:
    measures = "".join(f'[[measure]]\nprocedure = "frame_loss"\nframe_sizes = [{one}]\n' for one in sizes)
    return f'[technology]\n{SIIT}\n[traffic]\nframe_size_of = "{of}"\n{measures}'


def test_several_as_one_traffic() -> None:
    """RFC 6985: beside others, or alone."""
    found = parse_bench(several('128, { genome = "bcg" }, { sizes = [84, 1518], weights = [3, 1] }'), "b").measure[0]
    assert found.single_sizes == (128, 256, 1518, 84)
    assert [one.size_text for one in found.series()] == ["128", "bcg", "3x84+1x1518"]
    assert [one.frame_size for one in found.series()] == [128, 634, 442]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            several('{ genome = "bag" }'),
            "measure[0].frame_sizes[0]: 64 is not allowed: 84 to 9216 for ipv6 (",
        ),
        (several('84, { genome = "bg" }', of="ipv4"), "measure[0].frame_sizes[1]: 1518 is not allowed: at most 1498: "),
        (
            several('{ genome = "bx" }'),
            'measure[0].frame_sizes[0].genome: "x" is not allowed: a, b, c, d, e, f, g',
        ),
        (several("{ sizes = [84, 128] }"), "measure[0].frame_sizes[0].weights: missing: 2 numbers, one for each size"),
        (
            several("{ sizes = [84, 12], weights = [1, 1] }"),
            "measure[0].frame_sizes[0].sizes[1]: 12 is not ",
        ),
        (several("{ size = 84 }"), "measure[0].frame_sizes[0].size: unknown key: did you mean sizes?"),
        (
            several('"imix"'),
            'measure[0].frame_sizes[0]: "imix" is not allowed: a list of sizes from 64',
        ),
        (
            several('{ genome = "bg" }, { genome = "bg", name = "twice" }'),
            'measure[0].frame_sizes: ["bg", "bg"] is not allowed: each size once',
        ),
        (
            several('{ genome = "bg" }', "{ sizes = [128, 1518], weights = [2, 2] }"),
            "measure[1].frame_sizes[0]: 1x128+1x1518 is not allowed: one name for the same sizes, and bg is theirs",
        ),
        (
            several('{ genome = "bg", name = "imix" }', '{ genome = "bc", name = "imix" }'),
            "measure[1].frame_sizes[0].name: imix is not allowed: a name that no other sizes have",
        ),
    ],
)
def test_several_that_are_refused(text: str, said: str) -> None:
    assert fault(text).startswith(f"b.toml: {said}")
