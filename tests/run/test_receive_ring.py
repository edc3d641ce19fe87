"""Rings of ports that bear it when the Tester is held up, and what is said of those that don't."""

from __future__ import annotations

from math import inf

import pytest

from xlatperf.engine.messages import OpenAnswer, Port
from xlatperf.keys.receive_ring import ring_for
from xlatperf.run.receive_ring import ring_advice

CLIENT = "net_memif0,role=client,socket=/run/dut.sock"


@pytest.mark.parametrize(
    ("asked_fps", "frames"),
    [(0, 4096), (1000, 4096), (400_000, 4096), (409_601, 8192), (1_500_000, 16384), (1e9, 16384), (inf, 16384)],
)
def test_lasts_10_ms(asked_fps: float, frames: int) -> None:
    assert ring_for(asked_fps, 4096, 16384) == frames


def opened(driver: str, ring: int, name: str = CLIENT) -> OpenAnswer:
    port = Port(port=name, driver=driver, mac="02:00:00:00:00:a0", link_up=True, receive_ring=ring)
    return OpenAnswer(
        version="0", dpdk="0", left=port, right=port.model_copy(update={"port": "net_null0", "receive_ring": 0})
    )


@pytest.mark.parametrize(
    ("driver", "ring", "name", "asked_fps", "queues", "said"),
    [
        (
            "net_memif",
            1024,
            CLIENT,
            1_500_000,
            1,
            "ports: net_memif0: the receive ring of 1,024 frames lasts 0.68 ms at the 1,500,000 frames/s asked for: a "
            "Tester that is held up for longer loses frames, and repeats the trial; rsize=14 is 11 ms",
        ),
        (
            "net_memif",
            1024,
            "net_memif0,role=server",
            500_000,
            1,
            "rsize=13 is 16 ms, if the device, which is the client",
        ),
        ("net_memif", 16384, CLIENT, 5_000_000, 1, "give it a core of its own"),
        ("net_af_packet", 512, "net_af_packet0,iface=t0", 250_000, 1, "framecnt=4096 is 16 ms"),
        ("net_ice", 2048, "0000:01:00.0", 1_000_000, 1, "2 ms at the 1,000,000 frames/s asked for"),
        ("net_ice", 2048, "0000:01:00.0", 800_000, 4, None),
        ("net_memif", 1024, CLIENT, 100_000, 1, None),
        ("net_memif", 1024, CLIENT, 0, 1, None),
        ("net_memif", 1024, CLIENT, inf, 1, None),
        ("net_pcap", 0, "net_pcap0", 1e9, 1, None),
    ],
)
def test_advice(driver: str, ring: int, name: str, asked_fps: float, queues: int, said: str | None) -> None:
    lines = ring_advice(opened(driver, ring, name), asked_fps, queues)
    if said is None:
        assert lines == []
    else:
        (line,) = lines
        assert said in line
        assert "\n" not in line


def test_one_port_has_both_sides_frames() -> None:
    port = opened("net_memif", 4096).left
    (line,) = ring_advice(OpenAnswer(version="0", dpdk="0", left=port, right=port), 300_000, 1)
    assert line.startswith("ports: net_memif0: the receive ring of 4,096 frames lasts 6.8 ms at the 600,000 frames/s")
    assert ring_advice(OpenAnswer(version="0", dpdk="0", left=port, right=port), 200_000, 1) == []


def test_both_ports_in_one_line() -> None:
    port = opened("net_memif", 1024).left
    other = port.model_copy(update={"port": "net_memif1"})
    (line,) = ring_advice(OpenAnswer(version="0", dpdk="0", left=port, right=other), 1_500_000, 1)
    assert line.startswith("ports: net_memif0 and net_memif1: the receive ring")
