"""The reference device with state, and an engine beside it: faults are ordered, and both counts are compared."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import pytest

from tests.system.stateful_messages import trial
from tests.system.trials import ATTEMPTS, RELAXED
from xlatperf.campaign.session import session
from xlatperf.config.load import parse_bench
from xlatperf.devices.reference import Reference
from xlatperf.engine.client import Engine

POOLS = {"nat44": "198.18.0.1", "nat64": "198.18.0.1", "nat66": "2001:2:0:9000::1"}
PORT_COUNTERS = ("transmit_full", "receive_missed", "no_buffers")


@dataclass(frozen=True)
class Seen:
    """A trial's answer, and what the device counted meanwhile."""

    answer: dict[str, Any]
    device: dict[str, Any]


class StatefulGateway:
    """A prepared reference device and an engine with open ports."""

    def __init__(self, technology: str, engine: Engine, device: Reference) -> None:
        self.technology = technology
        self.engine = engine
        self.device = device

    def impair(self, **directions: Mapping[str, Any]) -> None:
        """Replaces all impairments; positions begin at 1."""
        self.device.request({"request": "impair", "forward": {}, "reverse": {}, **directions})

    def trial(self, phase: str, count: int, rate_fps: float, **changes: Any) -> Seen:
        """A valid trial during which neither end of the shared memory was full. Phase 1 begins with an empty table."""
        reasons: list[str] = []
        for number in range(ATTEMPTS):
            if phase == "establish":
                self.device.clear_state()
            self.device.request({"request": "reset"})
            message = trial(self.technology, phase, count, rate_fps, number=number + 1, **changes)
            answer = self.engine.trial(message)
            counted = self.device.request({"request": "counters"})
            full = [name for side in ("left", "right") for name in PORT_COUNTERS if counted[side][name]]
            if answer["valid"] and not full:
                return Seen(answer, counted)
            reasons += full + [reason["text"] for reason in answer["reasons"]]
        pytest.fail("; ".join(reasons))


@contextlib.contextmanager
def stateful_gateway(technology: str, device: str = "", connections: str = "") -> Iterator[StatefulGateway]:
    """`device` and `connections`: more lines of these tables of the bench file."""
    text = f"""
        [technology]
        name = "{technology}"
        pool = {{ first = "{POOLS[technology]}" }}
        [traffic.connections]
        {connections}
        [device]
        driver = "reference"
        {device}
        {RELAXED}"""
    with session(parse_bench(text, technology)) as running:
        assert isinstance(running.device, Reference)
        yield StatefulGateway(technology, running.engine, running.device)
