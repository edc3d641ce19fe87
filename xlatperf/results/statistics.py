"""Median and percentiles by RFC 2330 §11.3, as RFC 8219 §12 wants them.

There is no interpolation: numpy's and pandas' defaults are another definition.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import ceil

from pydantic import BaseModel, ConfigDict, Field


def percentile(values: Sequence[float], percent: float) -> float:
    """Smallest x of the values with F(x) >= percent / 100, F(x) being the share of values <= x (RFC 2330 §11.3).

    Raises ValueError for no values or a percent outside 0 < percent <= 100.
    """
    if not values:
        raise ValueError("a percentile needs at least one value")
    if not 0 < percent <= 100:
        raise ValueError(f"a percentile is above 0, up to 100: not {percent}")
    # Exact arithmetic: 0.999 * 1000 must not be rounded up to 1000.
    rank = ceil(Fraction(str(percent)) * len(values) / 100)
    return sorted(values)[rank - 1]


def median(values: Sequence[float]) -> float:
    """Odd N: the 50th percentile; even N: the mean of the two central values (RFC 2330 §11.3). ValueError if empty."""
    if not values:
        raise ValueError("a median needs at least one value")
    ordered = sorted(values)
    middle = len(ordered) // 2
    if len(ordered) % 2:
        return ordered[middle]
    return (ordered[middle - 1] + ordered[middle]) / 2


class Summary(BaseModel):
    """Summary of repeated results (RFC 8219 §12). Unit: that of the values.

    For N up to 99, P1 is the minimum and P99 the maximum.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    n: int = Field(description="number of values")
    median: float = Field(description="RFC 2330 §11.3 median")
    p1: float = Field(description="RFC 2330 §11.3 1st percentile")
    p99: float = Field(description="RFC 2330 §11.3 99th percentile")
    minimum: float
    maximum: float
    dispersion: float | None = Field(description="(P99 - P1) / median; None when the median is 0")


def summarise(values: Sequence[float]) -> Summary:
    """Summary of the values. ValueError if there are none."""
    centre = median(values)
    p1, p99 = percentile(values, 1), percentile(values, 99)
    return Summary(
        n=len(values),
        median=centre,
        p1=p1,
        p99=p99,
        minimum=min(values),
        maximum=max(values),
        dispersion=(p99 - p1) / centre if centre else None,
    )
