"""What is asked of a trial, the elementary step of every procedure."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, replace
from functools import cache
from typing import Any, Literal

from pydantic import TypeAdapter

from xlatperf.engine.message import DirectionName
from xlatperf.procedures.alteration import Change
from xlatperf.procedures.connections import Connections
from xlatperf.procedures.incremental import Incremental

LEARNING, NEGATIVE, FIRST_LOOK = "learning", "negative", "first look"
WITHOUT_LOAD = frozenset({LEARNING, NEGATIVE, FIRST_LOOK})
"""Purposes of trials that say what the DUT does with frames, and measure nothing."""
TIMEOUT = "timeout"
"""Purpose of trials that say how long the DUT keeps connections: at a low rate, and however late a frame leaves."""
_MOST_TIMEOUT_WITHOUT_LOAD_S = 1.0
FEW, MOST_OF_FEW = 20, 1000
"""So many frames of the rarer class tell what the DUT does with them, but no more than that in all."""
LEAST_RATE_FPS = 1000.0
"""No load; more frames take a second."""
SHORTEST_S = 0.001
"""The engine's shortest trial."""
FENCE = 10
"""When the last so many frames are back, no more is waited for: of trials without load, and of `check`."""

_ALWAYS_RECORDED = frozenset({"timeout_s", "directions", "frame_timeout_ms", "purpose"})
"""Though they have a default. What else is as usual is absent: so what is new leaves old requests as they were."""
_ONE_WAY: dict[str, tuple[DirectionName, ...]] = {"establish": ("forward",), "each_once": ("reverse",)}

FrameSizeOf = Literal["ipv4", "ipv6", "sender"]
"""Which frames a frame size is of; sender: on either side those that the Tester sends there."""
EventKind = Literal["restart", "manual"]


@dataclass(frozen=True)
class Tags:
    """So many frames are tagged, spread uniformly over those due from `from_s` on (RFC 8219 §7.2)."""

    count: int
    from_s: float


@dataclass(frozen=True)
class RateFor:
    """A rate that follows without a pause (RFC 2544 §26.5)."""

    rate_fps: float
    duration_s: float


@dataclass(frozen=True)
class TrialRequest:
    """Fixed traffic, fixed rate per direction, fixed duration. Units are in the names.

    `tester_alone`: without the DUT. `event` is what is done to the DUT at `event_at_s` (RFC 6201).
    `alter`: what is changed in the frames; `part`: which part of the technology alone sends (negative tests).
    `incremental`: flows that begin one after the other before `duration_s` begins.
    `interval_s`: what is told of each so long time too. `fence`: the last so many frames of each direction, which
    aren't altered: when they are back, the DUT has dealt with those before, and no more than a few of the longest
    delays is waited.
    `frame_sizes`: frames have these in turn; `frame_size` is then their mean, rounded.
    `connections`: of a stateful DUT (RFC 9693); one frame for each of them takes count / rate_fps, whatever
    `duration_s` says: `at` and `experiment` set it so.
    """

    frame_size: int
    frame_size_of: FrameSizeOf
    rate_fps: float
    duration_s: float
    timeout_s: float = 2.0
    directions: tuple[DirectionName, ...] = ("forward", "reverse")
    frame_timeout_ms: float | None = None
    purpose: str = "search"
    then: tuple[RateFor, ...] = ()
    incremental: Incremental | None = None
    tags: Tags | None = None
    delay_variation: bool = False
    due_delays: bool = False
    histograms: bool = False
    raw_delays: bool = False
    tester_alone: bool = False
    event: EventKind | None = None
    event_at_s: float | None = None
    connections: Connections | None = None
    alter: tuple[Change, ...] = ()
    part: int | None = None
    interval_s: float | None = None
    fence: int = 0
    frame_sizes: tuple[int, ...] = ()

    @property
    def sending_s(self) -> float:
        """How long frames are sent, all rates together, and flows that begin before."""
        return self.begun_s + self.duration_s + sum(step.duration_s for step in self.then)

    @property
    def begun_s(self) -> float:
        """When all flows have begun."""
        return 0.0 if self.incremental is None else self.incremental.begun_s

    @property
    def untimed(self) -> bool:
        """Whether all that counts is what became of each frame, and neither rate nor schedule.

        So with all trials that end by a fence.
        """
        return self.fence > 0 or self.purpose == TIMEOUT

    @property
    def frames(self) -> int:
        """How many are sent in each direction."""
        wanted = self.connections
        if wanted is not None and wanted.phase != "steady":
            return wanted.frames
        steps = (RateFor(self.rate_fps, self.duration_s), *self.then)
        before = 0 if self.incremental is None else self.incremental.frames_before(self.rate_fps)
        return before + sum(int(step.rate_fps * step.duration_s + 1e-6) for step in steps)

    @property
    def sees_outages(self) -> bool:
        """Whether a link that goes down, or a DUT that falls silent, is part of what it sees.

        The DUT is reset, or what a long trial saw before and after counts.
        """
        return self.event is not None or self.interval_s is not None

    def record(self) -> dict[str, Any]:
        """As written to the journal: what most trials don't have is absent."""
        known = asdict(self)
        for item in fields(self):
            if item.name not in _ALWAYS_RECORDED and known[item.name] == item.default:
                del known[item.name]
        return {
            **known,
            "directions": list(self.directions),
            **({"then": list(known["then"])} if self.then else {}),
            **({"connections": self.connections.record()} if self.connections else {}),
            **({"alter": [change.message() for change in self.alter]} if self.alter else {}),
        }

    def fingerprint(self) -> str:
        """Equal for equal requests: what resuming compares."""
        return json.dumps(self.record(), sort_keys=True)

    def at(self, rate_fps: float, duration_s: float | None = None, purpose: str | None = None) -> TrialRequest:
        """The same with another rate."""
        fixed_s = self.connections.duration_s(rate_fps) if self.connections is not None else None
        if fixed_s is None:
            fixed_s = self.duration_s if duration_s is None else duration_s
        return replace(
            self, rate_fps=rate_fps, duration_s=fixed_s, purpose=self.purpose if purpose is None else purpose
        )

    def without_load(self, frames: int, rate_fps: float, purpose: str) -> TrialRequest:
        """The same frames, so few at such a rate that nothing waits long."""
        return replace(
            self.at(rate_fps, frames / rate_fps, purpose),
            fence=FENCE,
            timeout_s=min(self.timeout_s, _MOST_TIMEOUT_WITHOUT_LOAD_S),
            frame_timeout_ms=None,
            incremental=None,
        )

    def few(self, mix: tuple[int, int], directions: tuple[DirectionName, ...], purpose: str) -> TrialRequest:
        """Enough frames of each class without load; `mix`: [take, of] foreground."""
        take, of = mix
        fewest = min(count for count in (take, of - take) if count)
        frames = min(MOST_OF_FEW, FEW * of // fewest)
        return replace(self.without_load(frames, max(LEAST_RATE_FPS, float(frames)), purpose), directions=directions)

    def experiment(self, connections: Connections, rate_fps: float, purpose: str) -> TrialRequest:
        """The same frames as an experiment; phase 1 goes forward only, the validation back only (RFC 9693 §4.4)."""
        directions = _ONE_WAY.get(connections.phase, self.directions)
        return replace(self, connections=connections, directions=directions).at(rate_fps, purpose=purpose)


@cache
def _adapter() -> TypeAdapter[TrialRequest]:
    """Takes 20 ms, and only what reads a journal needs it."""
    return TypeAdapter(TrialRequest)


def request_of(record: Mapping[str, Any]) -> TrialRequest:
    """The request that the journal has. Raises ValueError."""
    return _adapter().validate_python(record)
