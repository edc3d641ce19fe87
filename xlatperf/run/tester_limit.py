"""The highest rate that the Tester itself can do: what is sent, received and verified without fault."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from xlatperf.engine.trial_answer import TrialAnswer
from xlatperf.search.bisection import StopWidth, between

START_FPS = 50_000.0
CEILING_FPS = 50_000_000.0
FLOOR_FPS = 1_000.0
ATTEMPTS = 3
"""A rate counts as reached if one of so many short trials is without fault: a stall of the host is not a limit."""
HOLDS, HOLDS_NOT = 3, 2
"""The limit is what holds in 3 trials before 2 have failed: a search that starts there shall not find the Tester."""
FAILURES = 2
"""A rate counts as too high only if its double is too: at a low rate it was a stall of the host."""
ABOVE, SECOND_LOOKS = 1.25, 3
"""When all limits are known, so much more than each is tried; what passes is searched again, so often at most."""
FAR_SHORT = 0.1
"""If the Tester sent less by more than this share in a short trial, it was no stall: the rate isn't tried again."""
SEARCH_SHARE = 1 / 3
"""The search's trials are shorter than those in which the limit must hold."""

WIDTH = 0.1
"""Of a limit that need only be known roughly."""

TrialAt = Callable[[float, float], TrialAnswer]
"""At a rate in frames/s per direction, for so many seconds."""


@dataclass(frozen=True)
class Limit:
    """Highest rate offered without fault; `ceiling`: no higher one was asked for; `reason` is what failed above."""

    fps: float
    ceiling: float | None
    reason: str | None


def fault(answer: TrialAnswer) -> str | None:
    """What is wrong with a loopback trial, in one line; None if nothing is."""
    if not answer.valid:
        return "; ".join(dict.fromkeys(f"{reason.code}: {reason.text}" for reason in answer.reasons)) or "invalid"
    for name, direction in answer.directions.items():
        for traffic_class, counters in direction.classes.items():
            if counters.expected != counters.sent:
                missing = counters.sent - counters.expected
                return f"{missing} of {counters.sent} {traffic_class} frames lost or wrong {name}"
    return None


def find_limit(
    trial: TrialAt,
    duration_s: float,
    start_fps: float = START_FPS,
    ceiling_fps: float = CEILING_FPS,
    width: float = WIDTH,
) -> Limit:
    """Doubles `start_fps` until FAILURES rates in a row fail, halves the distance to 10 %, goes down to what holds.

    It doubles and no more: far above its limit the Tester sends for a multiple of the duration. The last rate is
    `ceiling_fps`: the line carries no more, or no more is wanted. `width`: how close the rates are that hold and that
    don't, as a share of these.
    """
    reasons: dict[float, str] = {}
    offered: dict[float, float] = {}

    def passes(rate: float) -> bool:
        for _ in range(ATTEMPTS):
            answer = trial(rate, duration_s * SEARCH_SHARE)
            wrong = fault(answer)
            if wrong is None:
                return True
            reasons[rate] = wrong
            if any(direction.short_by(FAR_SHORT) for direction in answer.directions.values()):
                break
        return False

    def holds(rate: float) -> bool:
        held = failed = 0
        while held < HOLDS and failed < HOLDS_NOT:
            answer = trial(rate, duration_s)
            wrong = fault(answer)
            if wrong is None:
                held += 1
                really = [direction.offered_fps for direction in answer.directions.values()]
                offered[rate] = min([offered.get(rate, rate), *really])
            else:
                failed, reasons[rate] = failed + 1, wrong
        return held == HOLDS

    lower, failures = 0.0, 0
    for rate in _doubled(start_fps, ceiling_fps):
        lower, failures = (rate, 0) if passes(rate) else (lower, failures + 1)
        if failures == FAILURES:
            break
    at = rate = lower
    if failures:
        at = min(lower * 2 if lower else start_fps, ceiling_fps)
        bounds = between(passes, max(lower, FLOOR_FPS), at, StopWidth(relative=WIDTH), lower_passed=lower > 0)
        at, rate = bounds.upper or at, bounds.lower or 0.0
    while rate >= FLOOR_FPS and not holds(rate):
        at, rate = rate, float(int(rate * 0.95))
    if width < WIDTH and FLOOR_FPS <= rate < at:
        bounds = between(holds, rate, at, StopWidth(relative=width), lower_passed=True)
        at, rate = bounds.upper or at, bounds.lower or rate
    if rate == ceiling_fps:
        return Limit(offered[rate], rate, None)
    return Limit(offered.get(rate, 0.0), None, reasons.get(at))


def second_look(trial: TrialAt, duration_s: float, found: Limit, ceiling_fps: float = CEILING_FPS) -> Limit:
    """The better of the limit that was `found` and of what a search later on finds.

    What failed may have been a stall of the host, which is over by then. One that passes a little above it shows that.
    """
    best = found
    for _ in range(SECOND_LOOKS):
        above = min(max(best.fps * ABOVE, FLOOR_FPS), ceiling_fps)
        if best.ceiling is not None or not any(
            fault(trial(above, duration_s * SEARCH_SHARE)) is None for _ in range(ATTEMPTS)
        ):
            break
        again = find_limit(trial, duration_s, above, ceiling_fps)
        if again.fps <= best.fps:
            break
        best = again
    return best


def _doubled(start_fps: float, ceiling_fps: float) -> Iterator[float]:
    rate = start_fps
    while rate < ceiling_fps:
        yield rate
        rate *= 2
    yield ceiling_fps
