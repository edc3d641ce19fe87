"""The kernel as a router in a network namespace, with the commands that a user gives."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.system.command import xlatperf
from tests.system.requirements import needs_root
from tests.system.trials import RELAXED

CHECK = ("--rate", "3000", "--duration", "0.1", "--timeout", "1")
"""What is all right ends by its fence; the timeout is how long a hold-up of the device is borne."""
MIXES = "traffic.mix = [[1, 1], [1, 2]]"


def bench(family: str, *lines: str) -> str:
    size = {"ipv4": 64, "ipv6": 84}[family]
    return "\n".join(
        (
            f'technology = {{ name = "native", family = "{family}" }}',
            'device.driver = "linux"',
            *lines,
            RELAXED,
            "[[measure]]",
            'procedure = "throughput"',
            f"frame_sizes = [{size}]",
        )
    )


def check(folder: Path, text: str) -> str:
    (folder / "bench.toml").write_text(text)
    ended = xlatperf("check", "bench.toml", *CHECK, folder=folder)
    assert ended.code == 0, ended.output
    assert "ll frames came back as they must" in ended.output
    return ended.output


@needs_root
@pytest.mark.parametrize(("family", "driver"), [("ipv4", "af_packet"), ("ipv6", "af_xdp")])
def test_check(tmp_path: Path, family: str, driver: str) -> None:
    """R2544-26.1, R5180-5, R8219-4-1: both families, both directions, foreground and half background, over both ports.

    The device finds the Tester's link-layer addresses by ARP and Neighbor Discovery: no static entries.
    """
    output = check(tmp_path, bench(family, MIXES, f'tester.port_driver = "{driver}"'))
    assert output.count("background") == 4, "one trial in each direction, and a burst in both"


@needs_root
def test_static_neighbours(tmp_path: Path) -> None:
    """The device may as well be told the Tester's addresses."""
    check(tmp_path, bench("ipv6", "device.static_neighbours = true"))


@needs_root
@pytest.mark.parametrize("family", ["ipv4", "ipv6"])
def test_filters(tmp_path: Path, family: str) -> None:
    """RFC 2544 §11.4: all frames pass 25 of them."""
    check(tmp_path, bench(family, MIXES, "device.filters = 25"))


@needs_root
@pytest.mark.parametrize(
    ("family", "prefix"), [("ipv4", "198.19.0.0/32"), ("ipv6", "2001:2:0:8000::/64"), ("ipv6", "2001:2:0:8000::/128")]
)
def test_256_networks_on_both_sides(tmp_path: Path, family: str, prefix: str) -> None:
    """R5180-5.2.1: 256 networks on each side, also of a single address: none is lost on the way."""
    host = 0 if prefix.endswith(("/32", "/128")) else 2
    right = f'traffic.right.hosts = {{ prefix = "{prefix}", networks = 256, host = {host} }}'
    check(tmp_path, bench(family, "traffic.left.hosts.networks = 256", right))
