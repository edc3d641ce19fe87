"""Numbers as people read them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from xlatperf.keys.in_words import significant


@pytest.mark.parametrize(
    ("value", "digits", "said"),
    [
        (1110.4, 3, "1,110"),
        (150.0, 2, "150"),
        (1.23e-7, 3, "0.000000123"),
        (1.5, 3, "1.5"),
        (99.96, 3, "100"),
        (0.0, 3, "0"),
        (-0.02, 3, "-0.02"),
        (12_345_678.0, 4, "12,350,000"),
        (50.0, 4, "50"),
    ],
)
def test_significant(value: float, digits: int, said: str) -> None:
    assert significant(value, digits) == said


@given(st.floats(-1e15, 1e15, allow_subnormal=False), st.integers(1, 6))
def test_no_exponent_and_the_same_number(value: float, digits: int) -> None:
    said = significant(value, digits)
    assert "e" not in said
    assert float(said.replace(",", "")) == pytest.approx(float(f"{value:.{digits}g}"), rel=1e-9)
