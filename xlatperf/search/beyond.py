"""Above the Tester's limit: the self-test may have found it too low, as a stall of the host looks the same."""

from __future__ import annotations

from collections.abc import Callable
from math import ceil

from xlatperf.search.bisection import Bounds

FACTOR = 1.25
"""So much higher is tried where the limit passes."""


def beyond(
    bounds: Bounds,
    most: float,
    passes: Callable[[float], bool],
    tester_failed: Callable[[float], bool],
    narrow: Callable[[float, float], Bounds],
) -> Bounds:
    """The bounds of a search that ended at a limit which passed; others are handed back as they are.

    FACTOR times as much is tried until `most` passes, or something fails. `tester_failed(value)`: what failed there was
    the Tester, so that the limit is where it was said to be; else `narrow(lower, upper)` does the rest.
    """
    if bounds.upper is not None or bounds.lower is None:
        return bounds
    lower = bounds.lower
    while lower < most:
        above = min(most, float(ceil(lower * FACTOR)))
        if not passes(above):
            return Bounds(lower, None) if tester_failed(above) else narrow(lower, above)
        lower = above
    return Bounds(lower, None)
