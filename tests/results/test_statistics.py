"""Statistics of RFC 2330 §11.3 (R8219-12-1)."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from xlatperf.results.statistics import median, percentile, summarise

VECTOR = [-2, 7, 7, 4, 18, -5]


def test_vector_of_the_rfc() -> None:
    """R2330-11.3."""
    assert (percentile(VECTOR, 50), percentile(VECTOR, 25), percentile(VECTOR, 100)) == (4, -2, 18)
    assert median(VECTOR) == 5.5


@pytest.mark.parametrize(
    ("n", "percent", "rank"),
    [
        (1, 1, 1),
        (1, 99, 1),
        (20, 1, 1),
        (20, 99, 20),
        (20, 50, 10),
        (500, 1, 5),
        (500, 99, 495),
        (500, 99.9, 500),
        (1000, 1, 10),
        (1000, 99, 990),
        (1000, 99.9, 999),
    ],
)
def test_ranks(n: int, percent: float, rank: int) -> None:
    """P99.9 of 500 values is the maximum, of 1000 it is not (R8219-7.2-4)."""
    values = [float(value) for value in range(1, n + 1)]
    random.Random(1).shuffle(values)
    assert percentile(values, percent) == rank


@given(st.lists(st.integers(-1000, 1000), min_size=1), st.floats(0.1, 100))
def test_definition(values: list[int], percent: float) -> None:
    """R2330-11.3: The smallest x with F(x) >= p."""
    x = percentile(values, percent)
    assert x in values
    assert sum(value <= x for value in values) / len(values) >= percent / 100 - 1e-12
    assert sum(value < x for value in values) / len(values) < percent / 100 + 1e-12


def test_summary() -> None:
    summary = summarise([100.0, 110.0, 90.0])
    assert (summary.n, summary.median, summary.p1, summary.p99, summary.minimum, summary.maximum) == (
        3,
        100,
        90,
        110,
        90,
        110,
    )
    assert summary.dispersion == pytest.approx(0.2)
    assert summarise([0.0]).dispersion is None


@pytest.mark.parametrize(("values", "percent"), [([], 50), ([1.0], 0), ([1.0], 101)])
def test_wrong_use(values: list[float], percent: float) -> None:
    with pytest.raises(ValueError, match=r"percentile"):
        percentile(values, percent)


def test_no_median_of_nothing() -> None:
    with pytest.raises(ValueError, match="at least one"):
        median([])
