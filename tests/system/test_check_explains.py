"""`xlatperf check` with something wrong: it says what it saw and what to look at, and ends with 1."""

from __future__ import annotations

import re
from pathlib import Path

from tests.system.command import xlatperf
from tests.system.requirements import needs_root, needs_tayga
from tests.system.test_linux import CHECK
from tests.system.test_tayga import bench

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
