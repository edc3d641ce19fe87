"""Trials of a modelled device, as far as a procedure's next step depends on them."""

from __future__ import annotations

from xlatperf.engine.delays import Delay, DelayVariation, Tagged
from xlatperf.engine.direction_answer import ClassCounters, Direction, Fence, FrameSizes
from xlatperf.engine.trial_answer import Experiment, PortCounts, TrialAnswer
from xlatperf.procedures.trial_request import Tags, TrialRequest
from xlatperf.run.experiment import first_phase_of

_ONE = Delay(count=1, min_ns=1.0, p1_ns=1.0, median_ns=1.0, mean_ns=1.0, p99_ns=1.0, p999_ns=1.0, max_ns=1.0)
_PAIR = DelayVariation(pairs=1, min_ns=0.0, median_ns=0.0, max_ns=0.0, mean_ns=0.0)
_SIDE = PortCounts(received=0)
_NO_PHASE = TrialAnswer(frame_tag=0, valid=True, elapsed_s=0.0, left=_SIDE, right=_SIDE)
EMPTY_S, FULL_S = 0.001, 1.0
"""How long deleting a table takes: no step depends on it."""


def answer(request: TrialRequest, share: float) -> TrialAnswer:
    """A valid trial of which this share of the frames comes back, in each direction."""
    ways = {name: _direction(request, share) for name in request.directions}
    return TrialAnswer(
        frame_tag=0,
        valid=True,
        elapsed_s=request.sending_s,
        forward=ways.get("forward"),
        reverse=ways.get("reverse"),
        left=_SIDE,
        right=_SIDE,
    )


def after_phase_1(request: TrialRequest, opened: float, share: float) -> TrialAnswer:
    """The same after a phase 1 of which the share `opened` comes through; if not all, there is no other phase."""
    first = answer(first_phase_of(request), opened)
    known = answer(request, share) if first.complete else _NO_PHASE
    return known.model_copy(update={"experiment": Experiment(first_phase=first, gap_s=0.0)})


def deleted(request: TrialRequest) -> TrialAnswer:
    """A phase 1 that comes through, then all is deleted; of no connection, only that."""
    full = request.frames > 0
    known = answer(request, 1.0) if full else _NO_PHASE
    return known.model_copy(update={"experiment": Experiment(cleared_s=FULL_S if full else EMPTY_S, gap_s=0.0)})


def _direction(request: TrialRequest, share: float) -> Direction:
    sent = max(1, request.frames)
    came = min(sent, int(sent * share))
    back = min(came, request.fence)
    delay = _ONE if came else Delay(count=0)
    counters = ClassCounters(
        sent=sent,
        expected=came,
        lost=sent - came,
        delay=delay,
        delay_from_due=delay if request.due_delays else None,
        delay_variation=_PAIR if request.delay_variation else None,
        tagged=None if request.tags is None else _tagged(request.tags),
    )
    return Direction(
        intended=sent,
        sent=sent,
        offered_fps=request.rate_fps,
        sending_s=request.sending_s,
        frame_size=FrameSizes(sent=request.frame_size, received=request.frame_size),
        foreground=counters,
        fence=Fence(sent=request.fence, expected=back, lost=request.fence - back) if request.fence else None,
    )


def _tagged(tags: Tags) -> Tagged:
    return Tagged(sent=tags.count, received=tags.count, min_ns=1.0, median_ns=1.0, p999_ns=1.0, max_ns=1.0)
