"""What the engine says of a port, by the bench file's key."""

from __future__ import annotations

from typing import Any

import pytest

from xlatperf.config.load import parse_bench
from xlatperf.config.request import open_message
from xlatperf.devices.device import Attachment, DeviceError
from xlatperf.engine.errors import EngineError
from xlatperf.engine.messages import OpenAnswer, Port
from xlatperf.run.open_ports import open_ports

MEMIF = "net_memif0,role=client"
BENCH = parse_bench(
    f'''technology.name = "siit"
    device = {{ driver = "manual", left_port = "{MEMIF}" }}
    tester.right.port = "0000:01:00.0"''',
    "b",
)


class Opening:
    """An engine that refuses, or opens ports whose links are up or down."""

    def __init__(
        self, refuses: str = "", *, left: bool = True, right: bool = True, why: str | None = None, mtu: int = 0
    ) -> None:
        self.refuses = refuses
        self.up = left, right
        self.why = why
        self.mtu = mtu

    def open(self, message: dict[str, Any], ready: object) -> OpenAnswer:
        if self.refuses:
            raise EngineError(self.refuses)
        each = zip(("net_memif", "net_ice"), (MEMIF, "0000:01:00.0"), self.up, strict=True)
        left, right = (
            Port(port=port, driver=driver, mac="02:00:00:00:00:a0", link_up=up, why_down=self.why, mtu=self.mtu)
            for driver, port, up in each
        )
        return OpenAnswer(version="1", dpdk="24.11", left=left, right=right)


def said(engine: Opening) -> str:
    with pytest.raises(DeviceError) as failed:
        open_ports(engine, BENCH, Attachment(MEMIF, "0000:01:00.0"), lambda: None)  # type: ignore[arg-type]
    return str(failed.value)


def test_ports_that_are_up() -> None:
    opened = open_ports(Opening(), BENCH, Attachment(MEMIF, "0000:01:00.0"), lambda: None)  # type: ignore[arg-type]
    assert opened.left.link_up


def test_no_link() -> None:
    """A device that can't get a frame loses none."""
    assert said(Opening(left=False)) == (
        f"device.left_port: {MEMIF}: nobody is connected to the other end of its socket: does the device run, with the "
        "same socket and id?"
    )
    no_link = "tester.right.port: 0000:01:00.0: it has no link: is the cable in, and the other end up?"
    assert said(Opening(right=False)) == no_link
    assert said(Opening(right=False, why="interface t1 is down")).endswith(": 0000:01:00.0: interface t1 is down")


def test_a_card_that_carries_less_than_the_link() -> None:
    """Never blame the device: the Tester would lose what it can't receive. A memif carries whatever is sent."""
    no_card = "tester.right.port: 0000:01:00.0 is not allowed: a port that carries an MTU of 1500, as device.mtu says"
    assert said(Opening(mtu=1492)) == f"{no_card}: net_ice has 1492"
    for mtu in (0, 1500, 9000):  # 0: unknown
        open_ports(Opening(mtu=mtu), BENCH, Attachment(MEMIF, "0000:01:00.0"), lambda: None)  # type: ignore[arg-type]


def test_what_the_engine_refuses() -> None:
    assert said(Opening(f"port {MEMIF}: it can't be started: no")) == (
        f"device.left_port: {MEMIF}: it can't be started: no; does the device run, with this socket?"
    )
    assert said(Opening("open.memory_mb: not enough")) == "tester.memory_mb: not enough"
    with pytest.raises(EngineError, match="something else"):
        open_ports(Opening("something else"), BENCH, Attachment("a", "b"), lambda: None)  # type: ignore[arg-type]


def test_memory_for_frames() -> None:
    """As much as is set; else it grows with queues and frames."""
    sizes = 'measure = [{{ procedure = "throughput", frame_sizes = [{}] }}]'
    text = 'technology = { name = "native", family = "ipv6" }\ndevice.driver = "reference"\n'

    def memory_mb(size: int, more: str = "") -> int:
        bench = parse_bench(f"device.mtu = 9000\n{more}{text}{sizes.format(size)}", "b")
        return int(open_message(bench, "a", "b")["memory_mb"])

    assert memory_mb(1518) == 256
    assert 450 < memory_mb(9018) < 520
    assert memory_mb(9018, "tester.memory_mb = 100\n") == 100
