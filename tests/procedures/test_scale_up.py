"""Scale-up and degradation (R9693-5.1, R9693-5.2, R8219-10.2.1)."""

from __future__ import annotations

import pytest

from xlatperf.procedures.scale_up import by_cores, by_number, degradation_percent


def test_by_cores() -> None:
    """draft-lencse-v6ops-transition-scalability: P(n) / (n P(1))."""
    found = by_cores({4: 300.0, 1: 100.0, 2: 190.0, 8: None})
    assert list(found) == [1, 2, 4, 8]
    assert found == {1: 1.0, 2: pytest.approx(0.95), 4: pytest.approx(0.75), 8: None}


def test_by_number() -> None:
    """P(ni) / P(n0), n0 being the smallest."""
    assert by_number({1_000_000: 80.0, 10_000: 100.0}) == {10_000: 1.0, 1_000_000: 0.8}


def test_nothing_to_compare_with() -> None:
    assert by_cores({2: 190.0, 4: 380.0}) == {2: None, 4: None}
    assert by_cores({1: 0.0, 2: 190.0}) == {1: None, 2: None}
    assert by_number({10: None, 20: 5.0}) == {10: None, 20: None}
    assert by_number({}) == {}


def test_degradation_in_both_senses() -> None:
    """RFC 8219 §10.2.1: positive is worse, whether lower or higher is better."""
    assert degradation_percent(100.0, 150.0, "lower") == 50
    assert degradation_percent(100.0, 80.0, "higher") == pytest.approx(20)
    assert degradation_percent(100.0, 120.0, "higher") == pytest.approx(-20)
    assert degradation_percent(0.0, 1.0, "lower") is None
