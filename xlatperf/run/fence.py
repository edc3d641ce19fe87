"""How long frames that may never come are waited for, at no load: what the DUT has shown so far decides."""

from __future__ import annotations

from typing import Any

from xlatperf.engine.trial_answer import TrialAnswer
from xlatperf.procedures.trial_request import TrialRequest

DELAYS, LEAST_S = 4.0, 0.02
"""A few of the longest delays seen; but a host may hold up DUT or Tester for so long."""


class Fences:
    """Of trials with one DUT. The longest delay that two of them have shown counts, and whether frames were overtaken.

    One trial alone may have met a hold-up of the host, which would lengthen all that follow; its own wait is as long.
    """

    def __init__(self) -> None:
        self._longest_s: list[float] = []  # of the two trials with the longest, in s
        self._overtaken = False

    def asked(self, request: TrialRequest) -> dict[str, Any]:
        """What a trial's message has of it (docs/protocol.md)."""
        frames = min(request.fence, request.frames)
        if not frames:
            return {}
        least_s = request.timeout_s if self._overtaken else max(LEAST_S, DELAYS * min(self._longest_s, default=0.0))
        return {"fence": {"frames": frames, "delays": DELAYS, "least_s": min(least_s, request.timeout_s)}}

    def saw(self, answer: TrialAnswer) -> TrialAnswer:
        """Remembers it, and hands it back."""
        delays_ns = [direction.all_frames.delay.max_ns for direction in answer.directions.values()]
        if known_ns := [delay_ns for delay_ns in delays_ns if delay_ns is not None]:
            self._longest_s = sorted([*self._longest_s, max(known_ns) / 1e9])[-2:]
        for direction in answer.directions.values():
            self._overtaken |= any("overtaken" in counters.remarks for counters in direction.classes.values())
        return answer
