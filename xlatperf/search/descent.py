"""Search for a value that is known not to be above `top`, is hardly ever far below it, and is of no use below `floor`.

Finds what a bisection finds. The order of the tries differs, because each of them may take minutes: `top`, then where
the failure there says that the value may be, then `floor`, and only then halves in between.
"""

from __future__ import annotations

from collections.abc import Callable

from xlatperf.search.bisection import Bounds, StopWidth, between


def descend(
    passes: Callable[[float], bool],
    floor: float,
    top: float,
    stop: StopWidth,
    *,
    likely: Callable[[float], float | None] = lambda top: top,
) -> Bounds:
    """Highest value between `floor` and `top` for which `passes`; lower None: not even `floor`.

    `likely(top)`: asked when `top` has failed, where to look next (no closer below it than the stop width is tried);
    None: only at `floor`, if anywhere.
    """
    if passes(top):
        return Bounds(top, None)
    upper, guess = top, likely(top)
    if guess is not None:
        guess = min(stop.below(top), float(int(guess)))
        if floor < guess:
            if passes(guess):
                return between(passes, guess, top, stop, lower_passed=True)
            upper = guess
    if floor >= top or not passes(floor):
        return Bounds(None, min(floor, top))
    return between(passes, floor, upper, stop, lower_passed=True)
