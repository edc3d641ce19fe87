from __future__ import annotations

import socket

import pytest
from scapy.layers.inet import IP, UDP
from scapy.layers.l2 import Ether

from tests.lab.root import needs_root
from xlatperf.lab import tester_ports
from xlatperf.lab.error import LabError
from xlatperf.lab.link_addresses import DUT_MACS, TESTER_MACS
from xlatperf.lab.namespace import Namespace
from xlatperf.lab.testbed import Testbed

ETH_P_ALL = 3
FRAMES = 5


def packet_socket(namespace: Namespace, port: str) -> socket.socket:
    def make() -> socket.socket:
        # of every protocol, as DPDK's: others come later
        made = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(ETH_P_ALL))
        made.bind((port, ETH_P_ALL))
        made.settimeout(5)
        return made

    return namespace.inside(make)


def seen_by_ip(namespace: Namespace) -> int:
    names, values = (line.split() for line in namespace.run(("grep", "^Ip:", "/proc/net/snmp")).splitlines())
    return int(values[names.index("InReceives")])


def arrive(bed: Testbed) -> int:
    """So many of the frames that the device sent to the Tester on the left reached its packet socket."""
    frame = bytes(Ether(src=DUT_MACS["left"], dst=TESTER_MACS["left"]) / IP(src="198.19.0.2", dst="198.18.0.2") / UDP())
    with packet_socket(bed.tester, "t0") as receiver, packet_socket(bed.dut, "d0") as sender:
        for _ in range(FRAMES):
            sender.send(frame)
        return sum(1 for _ in range(FRAMES) if _next(receiver, frame))


def _next(receiver: socket.socket, frame: bytes) -> bool:
    """It comes; what the kernels say to each other isn't of interest."""
    while receiver.recv(2048) != frame:
        pass
    return True


@needs_root
def test_frames_end_at_the_packet_socket(bed: Testbed) -> None:
    assert bed.why_kernel_looks is None
    before = seen_by_ip(bed.tester)
    assert arrive(bed) == FRAMES
    assert seen_by_ip(bed.tester) == before


@needs_root
def test_otherwise_the_kernel_looks_at_them_too(bed: Testbed) -> None:
    bed.tester.run(("nft", "flush ruleset"))
    before = seen_by_ip(bed.tester)
    assert arrive(bed) == FRAMES
    assert seen_by_ip(bed.tester) == before + FRAMES


@needs_root
def test_a_kernel_without_it_is_no_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_self: Namespace, command: tuple[str, ...]) -> str:
        raise LabError(f"`{command[0]}` failed: Error: Operation not supported")

    bed = Testbed()
    with monkeypatch.context() as patch:
        patch.setattr(Namespace, "run", refuse)
        assert tester_ports.end_here(bed.tester, ("t0", "t1")) == "`nft` failed: Error: Operation not supported"
    monkeypatch.setattr(tester_ports, "end_here", lambda *_: "not here")
    try:
        bed.make()
        assert bed.why_kernel_looks == "not here"
    finally:
        bed.remove()
