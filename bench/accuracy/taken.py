"""What came of one trial: the engine's answer, what the device counted, and who was held up."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from bench.accuracy.order import Calm
from xlatperf.engine.direction_answer import ClassCounters, Direction
from xlatperf.engine.trial_answer import TrialAnswer

QUEUES = ("transmit_full", "receive_missed", "no_buffers")
"""Counters of the device's sides: frames that its ports lost, not its impairments."""


@dataclass(frozen=True)
class Taken:
    """`device`: the reference device's counters, empty without it. `waited_us`: of the engine, for its cores."""

    answer: TrialAnswer
    device: Mapping[str, Any] = field(default_factory=dict)
    waited_us: float = 0.0
    sending_s: float = 1.0

    @property
    def forward(self) -> Direction:
        """The direction that all orders have."""
        if self.answer.forward is None:
            raise ValueError("the trial had no forward direction")
        return self.answer.forward

    @property
    def frames(self) -> ClassCounters:
        """Its counters."""
        return self.forward.foreground

    @property
    def device_pause_us(self) -> float:
        """The longest time in which the device did not look at its ports."""
        return float(self.device.get("longest_pause_us", 0.0))

    @property
    def device_paused_us(self) -> float:
        """All such times that are more than a busy turn of its loop."""
        return float(self.device.get("paused_us", 0.0))

    @property
    def longest_late_us(self) -> float:
        """How late the latest frame left."""
        late = None if self.forward.departure is None else self.forward.departure.late
        return 0.0 if late is None or late.max_ns is None else late.max_ns / 1e3

    def held_up(self, longest_us: float) -> list[str]:
        """Which of Tester and device was once held up for longer."""
        tester = ["schedule"] if self.longest_late_us > longest_us else []
        return [*tester, *(["device_held_up"] if self.device_pause_us > longest_us else [])]

    def refused_by_engine(self) -> list[str]:
        """Reasons of the engine's verdict."""
        return list(dict.fromkeys(reason.code for reason in self.answer.reasons)) if not self.answer.valid else []

    def refusals(self, calm: Calm) -> list[str]:
        """Why the trial says nothing about Tester and device; empty: it does."""
        found = self.refused_by_engine()
        sides = [self.device[side] for side in ("left", "right") if side in self.device]
        if any(side.get(name, 0) for side in sides for name in QUEUES):
            found.append("device_queue")
        if calm.device_us is not None and self.device_pause_us > calm.device_us:
            found.append("device_held_up")
        if calm.device_share is not None and self.device_paused_us > calm.device_share * self.sending_s * 1e6:
            found.append("device_held_up")
        if calm.core_share is not None and self.waited_us > calm.core_share * self.sending_s * 1e6:
            found.append("core_taken")
        return [reason for reason in found if reason not in calm.meant]


REASONS = {
    "schedule": "frames left later than the row allows",
    "sent_less": "not all frames could be sent in time",
    "receive_drops": "the Tester's receive queue overflowed",
    "transmit_errors": "the Tester's port failed",
    "no_buffers": "the Tester had no buffer",
    "negative_delay": "a frame arrived before it was sent",
    "clock": "the time stamp counter isn't constant",
    "link_down": "the link went down",
    "stopped": "the trial was stopped",
    "device_queue": "the reference device was held up until the memory between it and the Tester was full",
    "device_held_up": "the reference device was held up for longer than the row allows, by its own count of pauses",
    "core_taken": "the kernel or the hypervisor gave the Tester's core to somebody else for longer than the row allows",
}
"""Reasons to refuse a trial, in words."""
