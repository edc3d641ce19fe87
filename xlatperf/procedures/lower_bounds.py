"""Which statistics over repetitions are lower bounds: what kept some repetition from being higher isn't the DUT."""

from __future__ import annotations

from collections.abc import Sequence

from xlatperf.procedures.in_words import MORE_POSSIBLE
from xlatperf.procedures.quantity import LimitedBy

Limited = tuple[float, LimitedBy | None]
"""The value of a repetition, and what kept it from being higher."""


def more_possible(found: Sequence[Limited], statistic: float | None = None) -> tuple[LimitedBy, ...]:
    """What kept a statistic, such as the median, from being higher; empty: the DUT. None: one that depends on all.

    It doesn't depend on values above the lowest one that isn't below it: of a median of two, above the upper one.
    """
    values = [value for value, _ in found if statistic is not None and value >= statistic]
    most = min(values, default=float("inf"))
    limits = {limit for value, limit in found if limit is not None and limit in MORE_POSSIBLE and value <= most}
    return tuple(sorted(limits))
