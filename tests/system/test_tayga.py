"""TAYGA, a real stateless translator, in a network namespace."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.system.requirements import needs_root, needs_tayga
from tests.system.test_linux import MIXES, check
from tests.system.trials import RELAXED

pytestmark = [needs_root, needs_tayga]


def bench(ipv6_side: str, *lines: str, frame_sizes: str = "[84]", technology: str = "") -> str:
    return "\n".join(
        (
            f'technology = {{ name = "siit", ipv6_side = "{ipv6_side}"{technology} }}',
            'device.driver = "tayga"',
            "traffic.hops = 3",
            "traffic.background_hops = 1",
            *lines,
            RELAXED,
            "[[measure]]",
            'procedure = "throughput"',
            f"frame_sizes = {frame_sizes}",
        )
    )


@pytest.mark.parametrize(("ipv6_side", "driver"), [("right", "af_packet"), ("left", "af_xdp")])
def test_check(tmp_path: Path, ipv6_side: str, driver: str) -> None:
    """R8219-4.1-1, R7915-4.1, R7915-5.1: either side, both directions, half background (R8219-5.3-3)."""
    output = check(tmp_path, bench(ipv6_side, MIXES, f'tester.port_driver = "{driver}"'))
    assert output.count("background") == 4, "one trial in each direction, and a burst in both"


def test_256_networks(tmp_path: Path) -> None:
    """256 networks on each side, the IPv6 ones mapped explicitly."""
    check(tmp_path, bench("left", "traffic.left.hosts.networks = 256", "traffic.right.hosts.networks = 256"))
