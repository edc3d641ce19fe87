"""The reference device with state, and an engine beside it: faults are ordered, and both counts are compared."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import pytest

from tests.retries import attempts
from tests.system.stateful_messages import trial
from tests.system.trials import ATTEMPTS, RELAXED
from xlatperf.config.load import parse_bench
from xlatperf.devices.reference import ReferenceDevice
from xlatperf.engine.client import Engine
from xlatperf.run.session import session

POOLS = {"nat44": "198.18.0.1", "nat64": "198.18.0.1", "nat66": "2001:2:0:9000::1", "dslite": "198.18.0.1"}
CES = {"map-e-ce": "198.18.0.18", "map-t-ce": "2001:2:0:2254:0:c612:12:14"}
EDGES = CES | {"lw4o6-b4": "198.18.0.18"}
"""Their pool follows from the rule or the softwire: the address of CE or lwB4."""
TIMEOUT_S = 0.2
FENCE = {"frames": 10, "least_s": 0.01}
"""Where the last frames come back in order, nothing is waited for."""
PORT_COUNTERS = ("transmit_full", "receive_missed", "no_buffers")


@dataclass(frozen=True)
class Seen:
    """A trial's answer, and what the device counted meanwhile."""

    answer: dict[str, Any]
    device: dict[str, Any]


class StatefulGateway:
    """A prepared reference device and an engine with open ports."""

    def __init__(self, technology: str, engine: Engine, device: ReferenceDevice) -> None:
        self.technology = technology
        self.engine = engine
        self.device = device

    def impair(self, **directions: Mapping[str, Any]) -> None:
        """Replaces all impairments; positions begin at 1."""
        self.device.request({"request": "impair", "forward": {}, "reverse": {}, **directions})

    def trial(self, phase: str, count: int, rate_fps: float, **changes: Any) -> Seen:
        """A valid trial during which the host let the device work. Phase 1 begins with an empty table."""
        reasons: list[str] = []
        for number in attempts(ATTEMPTS):
            if phase == "establish":
                self.device.clear_state()
            self.device.request({"request": "reset"})
            changes = {"timeout_s": TIMEOUT_S, "fence": FENCE, **changes, "number": number + 1}
            message = trial(self.technology, phase, count, rate_fps, **changes)
            answer = self.engine.trial(message).dump()
            counted = self.device.request({"request": "counters"})
            held_up = _held_up(counted)
            if answer["valid"] and not held_up:
                return Seen(answer, counted)
            reasons += held_up + [reason["text"] for reason in answer["reasons"]]
        pytest.fail("; ".join(reasons))


def _held_up(counted: Mapping[str, Any]) -> list[str]:
    """What the host did to the device: a queue was full, or it didn't run for about as long as a trial waits."""
    found = [name for side in ("left", "right") for name in PORT_COUNTERS if counted[side][name]]
    pause_s = counted["longest_pause_us"] / 1e6
    return [*found, f"the device paused for {pause_s:g} s"] if pause_s > TIMEOUT_S / 2 else found


@contextlib.contextmanager
def stateful_gateway(
    technology: str, device: str = "", connections: str = "", keys: str = ""
) -> Iterator[StatefulGateway]:
    """`device`, `connections`, `keys` (of `technology`): more lines of these tables of the bench file."""
    text = f"""
        [technology]
        name = "{technology}"
        {"" if technology in EDGES else f'pool = {{ first = "{POOLS[technology]}" }}'}
        {keys}
        [traffic.connections]
        {connections}
        [device]
        driver = "reference"
        {device}
        {RELAXED}"""
    with session(parse_bench(text, technology)) as running:
        assert isinstance(running.device, ReferenceDevice)
        yield StatefulGateway(technology, running.engine, running.device)
