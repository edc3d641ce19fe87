"""What can't be true of a trial, whatever the DUT did: then the file that says so is damaged, or the engine errs."""

from __future__ import annotations

from collections.abc import Iterator

from xlatperf.engine.direction_answer import Direction
from xlatperf.engine.trial_answer import TrialAnswer
from xlatperf.procedures.trial_request import TrialRequest

_ROUNDED = 1e-4
"""The engine rounds rates and times to less than this part of them."""


def implausible(request: TrialRequest, answer: TrialAnswer) -> str | None:
    """The first thing that can't be, in words; None: all can."""
    try:
        return next(
            (f"{name} {what}" for name, one in answer.directions.items() for what in _faults(request, one)),
            None,
        )
    except ArithmeticError:
        return "its numbers are beyond all measure"


def _faults(request: TrialRequest, one: Direction) -> Iterator[str]:
    if not request.fence and abs(one.intended - request.frames) > 1 + len(request.then):
        yield f"intended {one.intended:,} frames, {request.frames:,} were asked for"
    if one.sent > one.intended:
        yield f"sent {one.sent:,} frames, more than the {one.intended:,} intended"
    counted = sum(counters.sent for counters in one.classes.values())
    if counted != one.sent:
        yield f"sent {one.sent:,} frames, and {counted:,} of both classes"
    for of, counters in one.classes.items():
        if min(counters.sent, counters.expected, counters.lost, *counters.wrong.values()) < 0:
            yield f"{of}: a count below 0"
        if counters.expected + counters.lost > counters.sent:
            yield f"{of}: {counters.expected:,} came and {counters.lost:,} were lost of {counters.sent:,} sent"
    if one.sending_s <= 0 or request.incremental is not None:  # then offered is what all flows have in the end
        return
    offered_fps = one.sent / one.sending_s
    if abs(one.offered_fps - offered_fps) > _ROUNDED * offered_fps + 1 / one.sending_s:  # a frame more or less
        yield f"offered {one.offered_fps:,.3f} frames/s, but sent {one.sent:,} in {one.sending_s:g} s"
