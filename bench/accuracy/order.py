"""What a trial is to be: traffic, what the reference device is told to do wrong, and how calm the host must be."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from xlatperf.engine.message import DirectionName

FRAME_SIZE = 84
"""Smallest frame over IPv6 (RFC 8219 §5.1.1)."""
STATEFUL_FRAME_SIZE = 64
"""Smallest frame over IPv4."""
OVERRUN = 0.001
"""Sending may take longer by this share, where frames may not be late at will."""


@dataclass(frozen=True)
class Calm:
    """How much a trial may be held up.

    `late_us`, `late_share`: the engine's verdict (docs/protocol.md, schedule). The others don't matter if they're None:
    `device_us` is the longest time in which the reference device may have been held up, `device_share` the share of the
    trial for which it may, `core_share` the share for which the engine may have waited for its core. `meant`: reasons
    that the row itself brings about.
    """

    late_us: float = 1e6
    late_share: float = 1.0
    device_us: float | None = None
    device_share: float | None = None
    core_share: float | None = None
    meant: tuple[str, ...] = ()


RELAXED = Calm()
"""For rows that count frames: a sender that was held up catches up, and all frames leave."""


def undisturbed(longest_us: float) -> Calm:
    """Neither sender nor device was ever held up for longer."""
    return Calm(late_us=longest_us, late_share=0.0, device_us=longest_us)


def mostly_undisturbed(share: float) -> Calm:
    """Sender and device were held up, for more than a busy turn of their loops, for this share of the trial at most."""
    return Calm(late_us=20.0, late_share=share, device_share=share)


@dataclass(frozen=True)
class Standstill:
    """A process gets no processor time for a while, from so many s after the trial was asked for."""

    who: Literal["tester", "device"]
    after_s: float
    for_s: float


@dataclass(frozen=True)
class Order:
    """One trial. `impair`: of each direction that is sent (`xlatperf-reference --help`). `tags`: how many frames are
    tagged of those that are due from `tag_from_s` on; None: all."""

    rate_fps: float
    duration_s: float
    impair: Mapping[str, Any] = field(default_factory=dict)
    directions: tuple[DirectionName, ...] = ("forward",)
    then: tuple[tuple[float, float], ...] = ()
    tag_from_s: float | None = None
    tags: int | None = None
    delay_variation: bool = False
    calm: Calm = RELAXED
    timeout_s: float = 0.1
    settle_s: float = 0.0
    standstill: Standstill | None = None
    connections: bool = False
    """Phase 1 of RFC 9693: each frame begins a connection."""

    @property
    def frames(self) -> int:
        """Frames of the first rate."""
        return round(self.rate_fps * self.duration_s)

    def message(self, number: int) -> dict[str, Any]:
        """The engine's `trial`. Delays of tagged frames are exact."""
        size, family = (STATEFUL_FRAME_SIZE, "ipv4") if self.connections else (FRAME_SIZE, "ipv6")
        how_long: dict[str, Any] = {"duration_s": self.duration_s}
        if self.connections:
            how_long = {"connections": {"count": self.frames, "phase": "establish"}}
        tags = (
            {} if self.tag_from_s is None else {"tags": {"count": self.tags or self.frames, "from_s": self.tag_from_s}}
        )
        settle = {"settle_s": self.settle_s} if self.settle_s else {}
        return {
            "request": "trial",
            "number": number,
            "frame_size": size,
            "frame_size_of": family,
            "rate_fps": self.rate_fps,
            **how_long,
            "then": [{"rate_fps": rate, "duration_s": duration} for rate, duration in self.then],
            "timeout_s": self.timeout_s,
            "directions": list(self.directions),
            "delay_variation": self.delay_variation,
            "samples": 0,
            "schedule": {
                "late_us": self.calm.late_us,
                "late_share": self.calm.late_share,
                "overrun": 1 if self.calm.late_share == 1 else OVERRUN,
            },
            **tags,
            **settle,
        }
