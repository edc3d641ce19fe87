"""`xlatperf show --pcap`, read by Scapy: a third opinion on single frames (R8219-5.3-2)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.system.command import REPOSITORY, xlatperf
from xlatperf.config.load import load_bench

scapy_all = pytest.importorskip("scapy.all", reason="scapy isn't installed: it is the independent oracle here")

EXAMPLES = sorted((REPOSITORY / "examples").glob("*.toml"))
COUNT = 25


@pytest.mark.parametrize("frame_size", [None, 1280], ids=["the first", "1280"])
@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.stem)
def test_scapy_agrees(tmp_path: Path, example: Path, frame_size: int | None) -> None:
    """Each frame, sent and expected, is one that Scapy reads, and Scapy's own lengths and checksums are the same.

    R7915-4.1, R7915-5.1: a UDP checksum that is right, in frames translated too.
    """
    stem = tmp_path / "frames"
    size = () if frame_size is None else ("--frame-size", str(frame_size))
    ended = xlatperf("show", example, "--count", str(COUNT), *size, "--pcap", stem, folder=tmp_path)
    assert ended.code == 0, ended.output
    for kind in ("sent", "expected"):
        frames = scapy_all.rdpcap(str(tmp_path / f"frames-{kind}.pcap"))
        assert len(frames) == len(load_bench(example).technology.directions) * COUNT
        for frame in frames:
            assert recomputed(frame) == bytes(frame)
            assert frame[scapy_all.UDP].chksum != 0
            assert not frame.haslayer(scapy_all.Padding)


def recomputed(frame: Any) -> bytes:
    """The frame with all lengths and checksums left to Scapy."""
    copy = frame.copy()
    if copy.haslayer(scapy_all.IP):
        del copy[scapy_all.IP].len, copy[scapy_all.IP].chksum
    if copy.haslayer(scapy_all.IPv6):  # around the other one in a tunnel
        del copy[scapy_all.IPv6].plen
    udp = copy[scapy_all.UDP]
    # What Scapy takes for a protocol above UDP by its port is data here.
    udp.remove_payload()
    udp.add_payload(scapy_all.Raw(bytes(frame[scapy_all.UDP].payload)))
    del udp.len, udp.chksum
    return bytes(copy)
