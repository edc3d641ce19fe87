"""Whether a DUT whose table was emptied forgot its connections: none of the old ones may let a frame in.

RFC 9693 §4.4 wants an empty table before phase 1. A driver's command may do nothing, and not every driver can count;
frames from the Responder on four tuples of the experiment before need neither.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from xlatperf.engine.trial_answer import TrialAnswer
from xlatperf.procedures.connections import TRIED, Connections
from xlatperf.procedures.trial_request import TrialRequest

FPS = 1000.0
WAIT_S = 0.1
"""A DUT that does nothing else needs no longer to let a frame in."""

Trial = Callable[[TrialRequest, int], TrialAnswer]
"""Asks the engine for a trial with a frame tag."""


def plain(request: TrialRequest) -> TrialRequest:
    """The same frames without what the measured phase wants to know of them."""
    return replace(
        request,
        then=(),
        tags=None,
        frame_timeout_ms=None,
        delay_variation=False,
        due_delays=False,
        histograms=False,
        raw_delays=False,
        alter=(),
    )


@dataclass
class OldConnections:
    """Those of the last phase 1, which the engine knows until the next one. `count`: 0, there are none."""

    count: int = 0

    def remember(self, phase_1: TrialAnswer) -> None:
        """The engine's answer to a phase 1."""
        opened = phase_1.connections
        self.count = opened.count if opened is not None and opened.learnt else 0

    def let_in(self, trial: Trial, request: TrialRequest, frame_tag: int) -> tuple[int, int]:
        """How many frames came in, of how many that were sent on old connections."""
        if not self.count:
            return 0, 0
        some = Connections(self.count, "each_once", some=min(TRIED, self.count))
        asked = plain(request).experiment(some, FPS, "old connections")
        answer = trial(replace(asked, timeout_s=min(request.timeout_s, WAIT_S)), frame_tag)
        if answer.reverse is None or answer.reverse.foreground is None:
            return 0, 0
        return answer.reverse.foreground.expected, answer.reverse.foreground.sent
