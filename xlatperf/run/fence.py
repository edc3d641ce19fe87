"""How long frames that may never come are waited for, at no load: what the DUT has shown so far decides."""

from __future__ import annotations

from typing import Any

from xlatperf.engine.trial_answer import TrialAnswer
from xlatperf.procedures.trial_request import TrialRequest

DELAYS, LEAST_S = 4.0, 0.02
"""A few of the longest delays seen; but a host may hold up DUT or Tester for so long."""


class Fences:
    """Of trials with one DUT. The longest delay of all of them counts, and whether frames have overtaken others."""

    def __init__(self) -> None:
        self._longest_s = 0.0
        self._overtaken = False

    def asked(self, request: TrialRequest) -> dict[str, Any]:
        """What a trial's message has of it (docs/protocol.md)."""
        frames = min(request.fence, request.frames)
        if not frames:
            return {}
        least_s = request.timeout_s if self._overtaken else max(LEAST_S, DELAYS * self._longest_s)
        return {"fence": {"frames": frames, "delays": DELAYS, "least_s": min(least_s, request.timeout_s)}}

    def saw(self, answer: TrialAnswer) -> TrialAnswer:
        """Remembers it, and hands it back."""
        for _, direction in answer.directions():
            self._longest_s = max(self._longest_s, (direction.all_frames.delay.max_ns or 0.0) / 1e9)
            self._overtaken |= any("reordered" in counters.remarks for _, counters in direction.classes())
        return answer
