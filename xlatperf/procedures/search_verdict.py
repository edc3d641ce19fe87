"""What a search for a rate says of its result, from its bounds and the trials there."""

from __future__ import annotations

from collections.abc import Collection

from xlatperf.procedures.quantity import LimitedBy, Search
from xlatperf.procedures.trial import Trial
from xlatperf.search.bisection import Bounds


def limit_of(bounds: Bounds, most_fps: float, *, by_tester: bool) -> LimitedBy:
    """What keeps the result from being higher. `most_fps`: the highest rate that may be asked for; `by_tester`: the
    upper bound is one of what the Tester can do, not of what the DUT forwards."""
    if bounds.upper is None:
        return "maximum" if (bounds.lower or 0.0) >= most_fps else "tester"
    if by_tester:
        return "tester"
    return "minimum" if bounds.lower is None else "dut"


def search_of(bounds: Bounds, above: Trial | None, passed: Collection[float], failed: Collection[float]) -> Search:
    """`above`: the valid trial at the upper bound, if there is one; `passed`, `failed`: rates of valid trials."""
    return Search(
        bounds.lower,
        bounds.upper,
        above.loss_percent() if above is not None else None,
        inversions=sum(1 for low in failed for high in passed if high > low),
        class_loss_percent_above=above.class_loss_percent() if above is not None else {},
    )
