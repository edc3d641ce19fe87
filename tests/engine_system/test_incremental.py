"""Flows that begin one after the other (RFC 8219 §10.2.2), in the frames as Scapy reads them."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from scapy import all as scapy_all
from scapy.packet import Packet

from tests.engine_system.engine_process import EngineProcess, Message, engine
from tests.engine_system.messages import configuration, trial
from tests.engine_system.test_map import MAPPERF, of_map
from tests.engine_system.test_show import four_tuple

RATE_FPS, INTERVAL_S, FLOWS = 1000, 0.1, 5
EACH = round(RATE_FPS * INTERVAL_S / FLOWS)
"""Frames of a flow in an interval."""


def sent(one: EngineProcess, folder: Path, message: Message) -> list[Packet]:
    """What left on the left; nothing comes back."""
    ports: Message = {
        side: {"port": f"net_pcap{i},tx_pcap={folder / side}"} for i, side in enumerate(("left", "right"))
    }
    one.do("open", cores=[0], hugepages="never", memory_mb=128, idle="yield", link_timeout_s=0, **ports)
    one.do("configure", **message)
    answer = one.do(
        "trial",
        **trial(
            frame_size=104,
            rate_fps=RATE_FPS,
            duration_s=0.5,
            timeout_s=0,
            incremental={"flows": FLOWS, "interval_s": INTERVAL_S},
        ),
    )
    before = EACH * FLOWS * (FLOWS - 1) // 2
    assert answer["forward"]["intended"] == answer["forward"]["sent"] == before + 500
    assert answer["forward"]["sending_s"] == pytest.approx(0.9, abs=0.2)
    one.do("quit")
    return list(scapy_all.rdpcap(str(folder / "left")))


def check(flows: list[object]) -> None:
    """While i flows have begun, i times the frames that one has: only of these, and no flow is left out."""
    assert len(flows) == EACH * 10 + 500
    first = 0
    known: set[object] = set()
    for begun in range(1, FLOWS + 1):
        end = first + EACH * begun if begun < FLOWS else len(flows)
        now = Counter(flows[first:end])
        assert len(now) == begun
        assert known <= set(now), "who has begun goes on"
        assert min(now.values()) > (end - first) / begun / 3
        known, first = set(now), end


def test_flows_of_hosts(tmp_path: Path) -> None:
    """R8219-10.2.2: different four tuples."""
    message = configuration(loopback=True)
    message["traffic"] |= {"forward": {"flows": FLOWS}, "reverse": {"flows": FLOWS}}
    with engine() as one:
        check([four_tuple(frame) for frame in sent(one, tmp_path, message)])


def test_subscribers(tmp_path: Path) -> None:
    """R8219-10.2.2: CEs, by their tunnels' ends."""
    message = of_map("map-e", "br", MAPPERF, ces=FLOWS) | {"loopback": True}
    with engine() as one:
        check([frame.payload.src for frame in sent(one, tmp_path, message)])
