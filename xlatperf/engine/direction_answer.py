"""One direction in the engine's answer to `trial`, exactly as docs/protocol.md has it. Units are in the names."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from pydantic import Field, computed_field, model_validator
from pydantic.json_schema import SkipJsonSchema

from xlatperf.engine.counters import REASONS, REMARKS, SendingCounters
from xlatperf.engine.delays import Delay, Delays
from xlatperf.engine.lost_among import LostAmong
from xlatperf.engine.message import Message, TrafficClass

WRONG_COUNTERS = tuple(reason for reason in REASONS if reason != "expected")
"""Counters of frames that arrived but not as expected: each such frame counts in exactly one of them."""

TOO_LATE = frozenset({"late", "after_wait", "beyond_window"})
"""Of those: right, and not in time."""

LEAST_WAITED_NS = 1e6
"""Less may be the time in which the DUT is woken."""
STALL_MARGIN = 1.5
"""What was due in stalls is known to this: the rate is that of the whole trial."""
QUIET_S, QUIET_INTERVALS = 0.001, 4.0
"""Nothing has come for so long, and so many times the interval of the frames that came: then no more is to come."""


class ClassCounters(Delays):
    """Counters of the frames of one class (foreground or background) in one direction.

    `lost`: numbers that never arrived, in whatever condition. Frames that arrived but are wrong, and remarks on those
    that count as expected, are by reason (docs/verification.md), as far as there are any. `seen_hop_limit`,
    `seen_outer_hop_limit`: lowest and highest of frames with another hop limit than they must have. `lost_among`: who
    lost frames are between, where that was asked.
    """

    sent: int
    expected: int
    lost: int
    wrong: Mapping[str, int] = Field(default_factory=dict)
    remarks: Mapping[str, int] = Field(default_factory=dict)
    seen_hop_limit: tuple[int, int] | None = None
    seen_outer_hop_limit: tuple[int, int] | None = None
    lost_among: SkipJsonSchema[LostAmong | None] = Field(default=None, exclude_if=lambda among: among is None)

    @model_validator(mode="before")
    @classmethod
    def _by_reason(cls, told: Any) -> Any:
        """The protocol has a member for each counter."""
        if not isinstance(told, dict):
            return told
        kinds = {"wrong": WRONG_COUNTERS, "remarks": tuple(REMARKS)}
        found = {kind: {name: told[name] for name in names if told.get(name)} for kind, names in kinds.items()}
        return {**found, **told}

    @property
    def loss_ratio(self) -> float:
        """RFC 2544 §26.3: (input - output) / input, where what is wrong is no output; 0 when nothing was sent."""
        return (self.sent - self.expected) / self.sent if self.sent else 0.0


NONE_SENT = ClassCounters(delay=Delay(count=0), sent=0, expected=0, lost=0)
"""Of a class that the traffic hasn't."""


class Stamps(Message):
    """Whose clock times of departure and of arrival are of: the host's (`tsc`) or the NIC's."""

    departure: Literal["tsc", "nic"]
    arrival: Literal["tsc", "nic"]


class FrameSizes(Message):
    """Foreground frame size with FCS, as sent and as received, in bytes; of native IPv6 alone, its; of several sizes
    the mean, rounded."""

    sent: int
    received: int


class Departure(SendingCounters):
    """How well the schedule was kept: `late` is actual minus due time of departure."""

    late: Delay | None = None


class Interval(Message):
    """The frames that were due in one interval of a long trial, both classes together, whenever they arrived.

    `delay`: without those of frames that arrived when the next interval but one had begun. `late_frames`, `stalls`: of
    the Tester itself, as in `Departure`.
    """

    sent: int
    expected: int
    lost: int
    wrong: Mapping[str, int] = Field(default_factory=dict)
    delay: Delay
    late_frames: int = 0
    stalls: int = 0

    @property
    def not_expected(self) -> int:
        """Frames that did not come back as they must."""
        return self.sent - self.expected

    @property
    def loss_percent(self) -> float:
        """RFC 2544 §26.3; 0 when nothing was sent."""
        return 100 * self.not_expected / self.sent if self.sent else 0.0


class Fence(Message):
    """What became of the last frames of a direction, which weren't altered; they are in its other counters too."""

    sent: int = 0
    expected: int = 0
    lost: int = 0
    wrong: Mapping[str, int] = Field(default_factory=dict)


class Gap(Message):
    """The longest time between the arrivals of two right frames, and their numbers (RFC 6201 §1.3)."""

    ns: float
    before: int
    after: int


class Direction(Message):
    """One direction of a trial. `together`: the delays of all frames, where there are both classes.

    `dropped_at_most`: of the lost frames so many may have found no room in the Tester's own receive ring, on a port
    that doesn't count them. `quiet_s`: when the wait ended, no right frame had come for so long; None: none has at all.
    `arrival_interval_s`: the mean one of those that had come.
    """

    intended: int
    sent: int
    offered_fps: float
    sending_s: float
    frame_size: FrameSizes
    stamps: Stamps | None = None
    foreground: ClassCounters = NONE_SENT
    background: ClassCounters | None = None
    together: Delays | None = None
    lost_ranges: tuple[tuple[int, int], ...] = ()
    lost_ranges_complete: bool = True
    last_lost: int | None = None
    dropped_at_most: int = 0
    quiet_s: float | None = None
    arrival_interval_s: float | None = None
    longest_gap: Gap | None = None
    departure: Departure = Field(default_factory=Departure)
    intervals: tuple[Interval, ...] = ()
    fence: Fence | None = None

    @property
    def classes(self) -> dict[TrafficClass, ClassCounters]:
        """Those that the traffic has."""
        if self.background is None:
            return {"foreground": self.foreground}
        native_alone = self.together is None and not self.foreground.sent
        return {**({} if native_alone else {"foreground": self.foreground}), "background": self.background}

    @property
    def expected(self) -> int:
        """Frames that came back exactly as they must, both classes together."""
        return sum(counters.expected for counters in self.classes.values())

    @property
    def late(self) -> int:
        """Frames that were right, and came after the frame timeout."""
        return self._wrong("late")

    @property
    def after_wait(self) -> int:
        """Right frames that came when the wait for them was over."""
        return self._wrong("after_wait")

    def _wrong(self, reason: str) -> int:
        return sum(counters.wrong.get(reason, 0) for counters in self.classes.values())

    @computed_field  # type: ignore[prop-decorator]
    @property
    def loss(self) -> int:
        """sent - expected, both classes together: a frame that came back wrong is no output."""
        return self.sent - self.expected

    @property
    def loss_ratio(self) -> float:
        """RFC 2544 §26.3: (input - output) / input; 0 when nothing was sent."""
        return self.loss / self.sent if self.sent else 0.0

    @computed_field  # type: ignore[prop-decorator]
    @property
    def loss_percent(self) -> float:
        """The same in percent."""
        return 100 * self.loss_ratio

    @property
    def classic_loss_percent(self) -> float:
        """The same without a frame timeout: a late frame is not lost."""
        return 100 * ((self.loss - self.late) / self.sent) if self.sent else 0.0

    @property
    def only_after_stalls(self) -> bool:
        """Whether frames were lost, and all of them right after the Tester itself was held up."""
        return 0 < self.loss <= self.departure.lost_after_stall

    @property
    def all_frames(self) -> Delays:
        """Delays of both classes together."""
        return next(iter(self.classes.values())) if self.together is None else self.together

    def delays(self) -> list[tuple[TrafficClass | None, Delays]]:
        """Of all frames (None), then of each class where there are both (RFC 8219 §7.3)."""
        each = {} if self.together is None else self.classes
        return [(None, self.all_frames), *each.items()]

    @computed_field  # type: ignore[prop-decorator]
    @property
    def still_arriving(self) -> bool:
        """Whether frames that count as lost may only have been late: some came after the wait, or right up to its end.

        Up to its end is: within a few of the intervals at which they came.
        """
        if self.after_wait:
            return True
        if self.quiet_s is None or not any(counters.lost for counters in self.classes.values()):
            return False
        return self.quiet_s < max(QUIET_S, QUIET_INTERVALS * (self.arrival_interval_s or 0.0))

    @property
    def waited_ns(self) -> float:
        """So long one waited in the port until the DUT took it, where that is more than a moment."""
        waited = self.departure.waited_ns
        return waited if waited is not None and waited >= LEAST_WAITED_NS else 0.0

    def short_by(self, share: float) -> bool:
        """Less was sent than intended, by more than this share, and not because the Tester was held up."""
        return self.sent < (1 - share) * self.intended and self.intended - self.sent > self._due_in_stalls

    @property
    def _due_in_stalls(self) -> float:
        """About as many frames were due while the Tester was held up, at most."""
        departure = self.departure
        if not departure.longest_stall_ns or not self.sending_s:
            return 0.0
        stalled_s = 1e-9 * departure.longest_stall_ns * departure.stalls
        return STALL_MARGIN * self.intended * stalled_s / self.sending_s
