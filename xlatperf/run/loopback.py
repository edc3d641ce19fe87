"""Phase 1 in loopback: connections for a Tester that is measured alone (no DUT, so nothing can be exhausted)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from xlatperf.engine.trial_answer import InvalidReason, TrialAnswer
from xlatperf.procedures.trial_request import TrialRequest
from xlatperf.run.experiment import first_phase_of

SLOWER = (1.0, 0.5, 0.25, 0.1)
"""A host that was held up gets another chance, at a lower rate."""


def open_connections(request: TrialRequest, trial: Callable[[TrialRequest], TrialAnswer]) -> TrialAnswer | None:
    """Opens the connections of a phase 2 request; None, or the answer to the last attempt if none was complete."""
    wanted = request.connections
    answer: TrialAnswer | None = None
    for share in SLOWER if wanted is not None and wanted.phase != "establish" else ():
        assert wanted is not None  # noqa: S101 - the line above
        slower = replace(wanted, establish_fps=max(1.0, (wanted.establish_fps or 1.0) * share))
        answer = trial(first_phase_of(replace(request, connections=slower)))
        if answer.complete:
            return None
    return answer


def not_opened(answer: TrialAnswer, frame_tag: int) -> TrialAnswer:
    """In place of a phase 2 that could not take place: invalid, for it is the Tester's doing."""
    reason = InvalidReason(code="receive_drops", text="phase 1 in loopback was not complete: the Tester was held up")
    return TrialAnswer(
        frame_tag=frame_tag,
        valid=False,
        reasons=answer.reasons or (reason,),
        elapsed_s=answer.elapsed_s,
        left=answer.left,
        right=answer.right,
    )
