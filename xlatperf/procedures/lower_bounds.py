"""Which statistics over repetitions are lower bounds: what kept some repetition from being higher isn't the DUT."""

from __future__ import annotations

from collections.abc import Sequence

from xlatperf.procedures.in_words import MORE_POSSIBLE
from xlatperf.procedures.quantity import LimitedBy

Limited = tuple[float, LimitedBy | None]
"""The value of a repetition, and what kept it from being higher."""


def reached(values: Sequence[float], statistic: float) -> float:
    """The lowest of the values that isn't below one of their statistics: of a median of two the upper one.

    Those above it could be anything without changing the statistic. ValueError if there are none.
    """
    return min((value for value in values if value >= statistic), default=max(values))


def more_possible(found: Sequence[Limited], statistic: float) -> tuple[LimitedBy, ...]:
    """What kept a statistic, such as the median, from being higher; empty: the DUT."""
    most = reached([value for value, _ in found], statistic)
    limits = {limit for value, limit in found if limit is not None and limit in MORE_POSSIBLE and value <= most}
    return tuple(sorted(limits))
