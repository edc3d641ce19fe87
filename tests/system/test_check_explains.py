"""`xlatperf check` with something wrong: it says what it saw and what to look at, and ends with 1."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.system.command import xlatperf
from tests.system.requirements import needs_root, needs_tayga
from tests.system.test_linux import CHECK
from tests.system.test_tayga import bench
from xlatperf.lab.testbed import TESTER_PORTS, Testbed

pytestmark = needs_root


def check(folder: Path, text: str) -> str:
    (folder / "bench.toml").write_text(text)
    ended = xlatperf("check", "bench.toml", *CHECK, folder=folder)
    assert ended.code == 1, ended.output
    assert "All frames came back" not in ended.output
    return ended.output


def about(output: str, direction: str) -> str:
    """What is said about the trial of one direction."""
    parts = re.split(r"\n(?=mix )", output)
    return next(part for part in parts if part.startswith("mix ") and f", {direction}:" in part.splitlines()[0])


@needs_tayga
def test_route_to_the_translator_is_missing(tmp_path: Path) -> None:
    """The device routes nothing to TAYGA: the ICMP errors are read, and the driver names the missing routes."""
    output = check(tmp_path, bench("left", "device.route = false"))
    forward, reverse = about(output, "forward"), about(output, "reverse")
    assert "frames lost; the ICMP errors below say why" in forward
    assert re.search(r"left: \d+ ICMPv6 1/0 from 2001:2:0:7fff::1: no route to the destination", forward)
    assert "the DUT has no route for 2001:2:0:6464::/96 to TAYGA (tayga0): such packets are never translated" in forward
    assert "frames lost; the ICMP errors below say why" in reverse
    assert re.search(r"right: \d+ ICMP 3/0 from 192\.168\.19\.1: network unreachable: the DUT has no route", reverse)
    assert "the DUT has no route for 198.18.0.0/16 to TAYGA" in reverse


@needs_tayga
def test_another_prefix_than_the_devices(tmp_path: Path) -> None:
    """R6052-2.2: the bench file's prefix isn't the translator's. Both addresses are shown, with the keys to compare."""
    output = check(tmp_path, bench("left", 'device.prefix = "2001:db8:9999::/96"'))
    forward, reverse = about(output, "forward"), about(output, "reverse")
    assert re.search(r"left: \d+ ICMPv6 1/0 from 2001:2:0:7fff::1: no route to the destination", forward)
    assert "300 of 300 frames: wrong_address" in reverse
    assert "compare [technology] of the bench file with the DUT's configuration" in reverse
    assert "source 2001:db8:9999::c613:2, expected 2001:2:0:6464::c613:2" in reverse
    assert re.search(r"received [0-9a-f]{100,}\n\s+expected [0-9a-f]{100,}", reverse)


@needs_tayga
def test_device_fragments(tmp_path: Path) -> None:
    """R7915-4.1: DF 0 and more than 1280 bytes as IPv6: TAYGA sends two fragments for each frame, and that is said."""
    output = check(tmp_path, bench("left", "traffic.dont_fragment = false", frame_sizes="[1518]"))
    reverse = about(output, "reverse")
    assert "600 frames for 300 that were sent: fragment: the DUT fragments frames of this size" in reverse
    assert "set traffic.dont_fragment = true or a smaller size" in reverse
    assert not re.search(r"forward foreground: .* fragment", output)


@needs_tayga
def test_wrong_number_of_hops(tmp_path: Path) -> None:
    """R7915-4.1: TAYGA behind a tun device decrements the hop limit three times; the key to change is named."""
    output = check(tmp_path, bench("left").replace("traffic.hops = 3", "traffic.hops = 1"))
    for direction in ("forward", "reverse"):
        assert "300 of 300 frames: hop_limit: hop limit or TTL was not decremented" in about(output, direction)
        assert "set traffic.hops to what it does" in about(output, direction)


@pytest.fixture
def silence() -> Iterator[Testbed]:
    """Links that are up, with nobody at the other end who answers."""
    bed = Testbed()
    try:
        bed.make()
        yield bed
    finally:
        bed.remove()


def test_nobody_there(tmp_path: Path, silence: Testbed) -> None:
    """No device answers: side, address and protocol are said, the keys of the bench file are named."""
    output = check(
        tmp_path,
        f"""
        technology.name = "siit"
        device.driver = "manual"
        device.namespace = "{silence.tester.name}"
        tester.left.port = "net_af_packet0,iface={TESTER_PORTS["left"]}"
        tester.right.port = "net_af_packet1,iface={TESTER_PORTS["right"]}"
        """,
    )
    assert "the DUT at 2001:2:0:7fff::1 on the left side did not answer Neighbor Discovery: is it up" in output
    assert "is the address right (tester.left.gateway_ipv6), is the cable in the right port?" in output
    assert "the DUT at 192.168.19.1 on the right side did not answer ARP: is it up" in output
    assert "check there that its interfaces are up" in output
