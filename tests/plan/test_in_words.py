"""Times and numbers of a plan for people."""

from __future__ import annotations

import pytest

from xlatperf.plan.cells import Asked
from xlatperf.plan.in_words import time_between, time_in_words, trials_between


@pytest.mark.parametrize(
    ("seconds", "said"),
    [
        (0.0, "0 s"),
        (0.96, "0.96 s"),
        (119.0, "120 s"),
        (120.0, "2 min"),
        (7199.0, "120 min"),
        (7200.0, "2 h"),
        (172_800.0, "2 days"),
        (4.1e7, "470 days"),
    ],
)
def test_a_time(seconds: float, said: str) -> None:
    assert time_in_words(seconds) == said


def test_between() -> None:
    """Once where both are the same."""
    few, many = Asked(trials=2, seconds=3.0), Asked(trials=1200, seconds=200.0)
    assert (trials_between([many, few]), time_between([many, few])) == ("2 to 1,200", "3 s to 3.3 min")
    assert (trials_between([few, few]), time_between([few])) == ("2", "3 s")
