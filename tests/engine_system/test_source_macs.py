"""A source MAC address for each source address (RFC 4814 §4.2), in the frames as Scapy reads them."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path

import pytest
from scapy import all as scapy_all
from scapy.layers.inet import IP
from scapy.layers.inet6 import IPv6
from scapy.layers.l2 import Ether
from scapy.packet import Packet

from tests.engine_system.engine_process import EngineProcess, Message, engine
from tests.engine_system.messages import configuration, open_loopback, trial
from tests.engine_system.test_map import MAPPERF, of_map
from tests.engine_system.test_trials import check_all_expected

SIDES = ("left", "right")


def of_hosts(**traffic: object) -> Message:
    """SIIT of 16 networks on both sides, and as many with native IPv6 behind it."""
    message = configuration(loopback=True)
    for side in SIDES:
        for hosts in ("hosts", "background_hosts"):
            message[side][hosts]["networks"] = 16
    message["traffic"] |= {"foreground": {"take": 5, "of": 10}, "pseudorandom_source_macs": True} | traffic
    return message


def of_subscribers() -> Message:
    """MAP-E with 20 CEs."""
    message = of_map("map-e", "br", MAPPERF, ces=20) | {"loopback": True}
    message.setdefault("traffic", {})["pseudorandom_source_macs"] = True
    return message


def sent(one: EngineProcess, folder: Path, message: Message) -> dict[str, list[Packet]]:
    """What leaves on either side in two trials; nothing comes back."""
    ports: Message = {side: {"port": f"net_pcap{i},tx_pcap={folder / side}"} for i, side in enumerate(SIDES)}
    one.do("open", cores=[0], hugepages="never", memory_mb=128, idle="yield", link_timeout_s=0, **ports)
    one.do("configure", **message)
    for _ in range(2):
        one.do("trial", **trial(frame_size=104, rate_fps=10_000, duration_s=0.1, timeout_s=0))
    one.do("quit")
    return {side: list(scapy_all.rdpcap(str(folder / side))) for side in SIDES}


def macs_by_source(frames: list[Packet]) -> dict[str, set[str]]:
    """All that are seen with each source address of the first IP header."""
    found: dict[str, set[str]] = defaultdict(set)
    for frame in frames:
        found[frame[IPv6].src if frame[Ether].type == 0x86DD else frame[IP].src].add(frame[Ether].src)
    return found


@pytest.mark.parametrize(("message", "sources"), [(of_hosts(), (32, 32)), (of_subscribers(), (20, 1))])
def test_each_source_address_has_one(tmp_path: Path, message: Message, sources: tuple[int, int]) -> None:
    """R4814-4.2, R4814-4.2.1: (RR & 0xFC):PP:PP:RR:RR:RR with the Tester's interface, the same in all trials."""
    with engine() as one:
        seen = sent(one, tmp_path, message)
    for number, (side, wanted) in enumerate(zip(SIDES, sources, strict=True), start=1):
        found = macs_by_source(seen[side])
        assert len(found) == wanted
        macs = [mac for (mac,) in found.values()]
        assert len(set(macs)) == wanted
        for mac in macs:
            first, *interface = (int(digits, 16) for digits in mac.split(":")[:3])
            assert first & 3 == 0
            assert interface == [0, number]
        for frame in seen[side]:
            if IP in frame:
                frame[IP].chksum, was = None, frame[IP].chksum
                assert IP(bytes(frame[IP])).chksum == was


def test_another_seed_gives_others(tmp_path: Path) -> None:
    """R4814-4.2.1."""
    found = []
    for seed in (1, 2):
        folder = tmp_path / str(seed)
        folder.mkdir()
        with engine() as one:
            found.append(macs_by_source(sent(one, folder, of_hosts(seed=seed))["left"]))
    assert found[0].keys() == found[1].keys()
    assert not {mac for macs in found[0].values() for mac in macs} & {mac for macs in found[1].values() for mac in macs}


def test_they_are_shown_and_come_back_over_a_cable() -> None:
    """What is sent, and what must come back where nobody routes."""
    with engine() as one:
        one.do("configure", **of_hosts())
        for frame in one.do("show", frame_size=84, count=10)["frames"]:
            sent_from, arrives_from = (Ether(bytes.fromhex(frame[which]["hex"])).src for which in ("sent", "expected"))
            assert sent_from == arrives_from
            assert not sent_from.startswith("02:00:00:00")
        open_loopback(one)
        one.do("configure", **of_hosts())
        answer = one.do("trial", **trial(rate_fps=10_000))
        check_all_expected(answer, 1000, {"foreground": 0.5, "background": 0.5})
