"""Several hosts in each network (traffic.left.hosts.hosts): routed, beside the DUT on its link, and translated."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.system.command import xlatperf
from tests.system.requirements import needs_root, needs_tayga
from tests.system.trials import RELAXED

CHECK = ("--rate", "3000", "--duration", "0.2", "--timeout", "0.3")
REFERENCE = 'device.driver = "reference"\n'
NATIVE = 'technology = { name = "native", family = "ipv4" }\ndevice.driver = "linux"\n'
RIGHT = 'traffic.right.hosts = { prefix = "198.19.0.0/20", networks = 3, host = 100, hosts = 3000 }\n'
LEFT = 'traffic.left.hosts = { prefix = "198.18.0.0/24", networks = 4, host = 2, hosts = 250 }\n'
ON_LINK = """
tester.left = { ipv4 = "198.18.0.2/24", gateway_ipv4 = "198.18.0.1" }
tester.right = { ipv4 = "198.19.0.2/24", gateway_ipv4 = "198.19.0.1" }
traffic.left.hosts.hosts = 100
traffic.right.hosts.hosts = 200
"""
BACKGROUND = "traffic.mix = [[1, 2]]\ntraffic.right.background_hosts.hosts = 65536\n"


@pytest.mark.parametrize(
    "bench",
    [
        REFERENCE + 'technology.name = "siit"\n' + LEFT + RIGHT + BACKGROUND,
        *(REFERENCE + f'technology.name = "{of}"\n' + RIGHT for of in ("map-e", "map-t", "lw4o6")),
        REFERENCE + 'technology.name = "dslite-b4"\n' + LEFT + RIGHT,
        pytest.param(NATIVE + LEFT + RIGHT, marks=needs_root),
        pytest.param(NATIVE + ON_LINK, marks=needs_root),
        pytest.param(
            'technology.name = "siit"\ndevice.driver = "tayga"\ntraffic.hops = 3\n' + LEFT + RIGHT,
            marks=[needs_root, needs_tayga],
        ),
    ],
    ids=["siit", "map-e", "map-t", "lw4o6", "dslite-b4", "linux", "linux, neighbours", "tayga"],
)
def test_all_are_reached(bench: str, tmp_path: Path) -> None:
    """R2544-12: a DUT has routes to them, and Tester's neighbours answer."""
    (tmp_path / "b.toml").write_text(bench + RELAXED)
    ended = xlatperf("check", "b.toml", *CHECK, folder=tmp_path)
    assert ended.code == 0, ended.output
