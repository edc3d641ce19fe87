"""`xlatperf check` under load, for a moment: some frames are lost, or go wrong, only when they come close together.

What is lost then says nothing about the translation; what is wrong does.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from xlatperf.commands.check_trials import CheckTrials
from xlatperf.commands.checked import Checked
from xlatperf.engine.trial_answer import TrialAnswer
from xlatperf.keys.does import Does
from xlatperf.meaning.explain import wrong_frames
from xlatperf.procedures.class_loss import class_loss_percent, shown
from xlatperf.procedures.trial_request import SHORTEST_S, TrialRequest

BURST_FPS, BURST_S = 50_000.0, 0.004
"""For each direction, all at once: 200 frames, which most devices can hold, much faster than the check's own rate."""
TIMES_THE_RATE = 10.0


def burst(trials: CheckTrials, request: TrialRequest, what: str, *, does: Does) -> Checked:
    """The frames of `request`, all directions at once, so fast that they meet each other in the DUT."""
    rate_fps = max(BURST_FPS, TIMES_THE_RATE * request.rate_fps)
    frames = min(round(BURST_S * rate_fps), request.frames)  # those that came at the check's own rate, and no others
    rate_fps = min(rate_fps, frames / SHORTEST_S)
    answer = trials.undisturbed(replace(request.at(rate_fps, frames / rate_fps), purpose="burst"))
    name = f"{what}, a burst at {rate_fps:,.0f} per second"
    direction = "bidirectional" if len(request.directions) > 1 else request.directions[0]
    if not answer.valid:
        why = "; ".join(reason.text for reason in answer.reasons)
        return Checked(name, request.frame_size, direction, answer, remarks=(f"not tried: {why}.",), burst=True)
    return Checked(
        name,
        request.frame_size,
        direction,
        answer,
        faults=tuple(wrong_frames(answer, does=does)),
        remarks=tuple(_lost(answer)),
        burst=True,
    )


def _lost(answer: TrialAnswer) -> Iterator[str]:
    for name, direction in answer.directions.items():
        lost = sum(counters.lost for counters in direction.classes.values())
        if not lost:
            continue
        losses = class_loss_percent(direction.classes)
        each = f" ({shown(losses)})" if losses else ""
        yield (
            f"{name}: {lost} of {direction.sent} frames of a burst lost{each}: that's the DUT's queues or capacity, "
            "and not its translation; the measurements tell how much it bears."
        )
