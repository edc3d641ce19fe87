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
from xlatperf.run.fence import DELAYS

FPS = 1000.0
LEAST_S = 0.05
"""No right frame can follow as a fence: there is no connection. So a few of the longest delays are waited, or this."""

Ask = Callable[[TrialRequest, int], TrialAnswer]
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
        fence=0,
    )


@dataclass
class OldConnections:
    """Those of the last phase 1, which the engine knows until the next one. `count`: 0, there are none.

    `longest_s`: delay of a frame in reverse, as old ones would come; None: none has come yet. `phase_1`: its answer,
    until the DUT's table is emptied.
    """

    count: int = 0
    longest_s: float | None = None
    phase_1: TrialAnswer | None = None

    def remember(self, phase_1: TrialAnswer) -> None:
        """The engine's answer to a phase 1."""
        opened = phase_1.connections
        self.count = opened.count if opened is not None and opened.learnt else 0
        self.phase_1 = phase_1

    def saw(self, phase: TrialAnswer) -> None:
        """The engine's answer to any phase: how late the DUT may be in reverse, which phase 1 doesn't tell."""
        longest_ns = None if phase.reverse is None else phase.reverse.foreground.delay.max_ns
        if longest_ns is not None:
            self.longest_s = max(self.longest_s or 0.0, longest_ns / 1e9)

    def forget(self) -> None:
        """The engine knows no connections any more."""
        self.count, self.phase_1 = 0, None

    def still(self, wanted: Connections) -> TrialAnswer | None:
        """The phase 1 that needn't be repeated for them; None if it must be."""
        known = self.phase_1
        return known if wanted.reuse and known is not None and known.complete and self.count == wanted.count else None

    def let_in(self, trial: Ask, request: TrialRequest, frame_tag: int) -> tuple[int, int]:
        """How many frames came in, of how many that were sent on old connections."""
        if not self.count:
            return 0, 0
        some = Connections(self.count, "each_once", some=min(TRIED, self.count))
        asked = plain(request).experiment(some, FPS, "old connections")
        wait_s = request.timeout_s if self.longest_s is None else max(LEAST_S, DELAYS * self.longest_s)
        answer = trial(replace(asked, timeout_s=min(request.timeout_s, wait_s)), frame_tag)
        if answer.reverse is None or answer.reverse.foreground is None:
            return 0, 0
        return answer.reverse.foreground.expected, answer.reverse.foreground.sent
