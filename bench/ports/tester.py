"""The Tester on the ports: as fast as they take frames."""

from __future__ import annotations

from typing import Any

from bench.ports.carried import Carried
from bench.ports.case import FLOWS, FRAME_SIZE, Case
from bench.speed.tester import establish, trial
from xlatperf.run.session import Session

ASKED_FPS = 5e6
"""More than any kernel takes."""
ESTABLISH_FPS = 20e3
WARM_UP_S, DURATION_S, WAIT_S = 0.1, 0.5, 0.1


def carried(case: Case, session: Session) -> Carried:
    """By one worker. Every frame is verified, every delay counted. Raises EngineError, EngineDied."""
    connections: dict[str, Any] = {}
    if case.traffic == "NAT44":
        establish(session.engine, FLOWS, _trial(ESTABLISH_FPS, 100))
        connections = {"connections": {"count": FLOWS, "phase": "steady"}}
    for number, duration_s in ((1, WARM_UP_S), (2, DURATION_S)):
        answer = session.engine.trial(
            _trial(ASKED_FPS, number, duration_s=duration_s, directions=case.directions, **connections)
        )
    ways = list(answer.directions.values())
    sent = sum(way.foreground.sent for way in ways)
    return Carried(sum(way.offered_fps for way in ways), sent, sum(way.foreground.expected for way in ways))


def _trial(rate_fps: float, number: int, **more: Any) -> dict[str, Any]:
    return trial(rate_fps, number, frame_size=FRAME_SIZE, frame_size_of="ipv4", timeout_s=WAIT_S, **more)
