"""What the rows compare with is right by itself."""

from __future__ import annotations

import math

from bench.accuracy.rows import bimodal
from bench.accuracy.rows.loss import LIST


def test_delays_by_position() -> None:
    assert [bimodal.delay_at(position) for position in (1, 99, 100, 1_900, 2_000, 4_000)] == [
        1_000.0, 1_000.0, 20_000.0, 20_000.0, 50_000.0, 50_000.0,
    ]  # fmt: skip


def test_rfc_2330_percentiles_of_two_modes_and_a_tail() -> None:
    """99 % D1, 0.95 % D2, 0.05 % D3: rank 9,990 of 10,000 is a D2, the last five are D3."""
    for first, last in ((1, 20_000), (10_001, 20_000), (2_001, 4_000)):
        assert bimodal.expected(first, last) == bimodal.Expected(1_000.0, 20_000.0, 19_000.0)
    tail = sum(1 for position in range(1, 10_001) if bimodal.delay_at(position) == bimodal.D3_US)
    assert tail == 5
    assert math.ceil(0.999 * 10_000) <= 10_000 - tail


def test_listed_positions_are_in_order_and_differ() -> None:
    assert list(LIST) == sorted(set(LIST))
