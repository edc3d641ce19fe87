"""Runs the Tester's engine without a DUT, as fast as it can, and tells how many cycles a frame took."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from bench.speed.case import PORTS, Case
from xlatperf.config.request import configure_message, open_message
from xlatperf.engine.client import Engine
from xlatperf.engine.errors import EngineError
from xlatperf.engine.trial_answer import TrialAnswer

ASKED_FPS = 250e6
"""More than any core can."""
DURATION_S = 0.15
"""Sending goes on for as long again, as frames are left."""
WAIT_S = 0.02
TRIALS = 2
"""One after the other; the better one counts: the first also fetches what it needs from memory."""
ESTABLISH_FPS = 4e6
IPV6_MORE = 20
"""Bytes of an IPv6 header, compared with one of IPv4."""
ATTEMPTS = 3
"""To open all connections."""
PATIENT = {"late_us": 1e6, "late_share": 1, "overrun": 1}
"""A schedule that can't be kept is what is asked for here."""
UNTIMED = {**PATIENT, "overrun": 1000}
"""All frames leave, however long this machine is held up: of phase 1, which takes a millisecond."""


@dataclass(frozen=True)
class Speed:
    """`cycles_per_frame`: of the worker's core, for each frame that was sent. `verified`: all that were sent arrived,
    and everything in them was right; always true where frames go nowhere."""

    cycles_per_frame: float
    verified: bool


def speed(case: Case, core: int) -> Speed:
    """An engine of its own. Raises EngineError, EngineDied."""
    with _opened(case, core) as (engine, hz):
        connections: dict[str, Any] = {}
        if case.connections is not None:
            establish(engine, case.connections, _trial(case, ESTABLISH_FPS, 100))
            connections = {"connections": {"count": case.connections, "phase": "steady"}}
        found: list[Speed] = []
        for number in range(TRIALS):
            answer = engine.trial(
                _trial(case, ASKED_FPS, number + 1, duration_s=DURATION_S, directions=case.directions, **connections)
            )
            found.append(_speed(case, answer, hz))
        return Speed(min(one.cycles_per_frame for one in found), all(one.verified for one in found))


def ticks_per_second(core: int) -> float:
    """Of the clock that cycles are counted by: of the time stamp counter, which runs at the CPU's nominal frequency.
    Raises EngineError, EngineDied."""
    with _opened(Case("siit", hugepages=False), core) as (_, hz):
        return hz


@contextlib.contextmanager
def _opened(case: Case, core: int) -> Iterator[tuple[Engine, float]]:
    """And the clock's ticks per second."""
    bench = case.bench(core)
    with Engine() as engine:
        engine.configure(configure_message(bench, case.mix, loopback=True, subscribers=case.subscribers))
        stamps = {"nic_arrival_stamps": True} if case.stamped else {}
        opened = engine.open({**open_message(bench, *PORTS[case.place]), **stamps})
        if opened.clock is None:
            raise EngineError("the engine doesn't tell the clock's frequency")
        yield engine, opened.clock.hz


def _speed(case: Case, answer: TrialAnswer, hz: float) -> Speed:
    ways = list(answer.directions.values())
    right = all(one.expected == one.sent for way in ways for one in way.classes.values())
    return Speed(hz / sum(way.offered_fps for way in ways), right or case.place == "sending")


def _trial(case: Case, rate_fps: float, number: int, **more: Any) -> dict[str, Any]:
    side, size = ("ipv4", case.frame_size - IPV6_MORE) if case.ipv4_alone else ("ipv6", case.frame_size)
    tags = {} if case.tags is None else {"tags": {"count": case.tags}}
    return trial(rate_fps, number, frame_size=size, frame_size_of=side, timeout_s=WAIT_S, **tags, **more)


def trial(rate_fps: float, number: int, **more: Any) -> dict[str, Any]:
    """The engine's request; `more` says the rest of it."""
    return {"request": "trial", "number": number, "rate_fps": rate_fps, "schedule": PATIENT, **more}


def establish(engine: Engine, count: int, trial: Mapping[str, Any]) -> None:
    """Phase 1 of RFC 9693 §4.4, with the rest of `trial`, so that phase 2 can be measured. If this machine was held up,
    frames come after the timeout: then once more. Raises EngineError, EngineDied."""
    connections = {"count": count, "phase": "establish"}
    for attempt in range(ATTEMPTS):
        number = trial["number"] + attempt
        opened = engine.trial(
            {**trial, "number": number, "schedule": UNTIMED, "directions": ["forward"], "connections": connections}
        )
        learnt = opened.connections.learnt if opened.connections is not None else 0
        if learnt == count:
            return
    raise EngineError(f"phase 1 opened {learnt:,} of {count:,} connections, also in the last of {ATTEMPTS} attempts")
