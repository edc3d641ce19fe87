"""A DUT whose table is full loses the same number of connections at every rate (RFC 9693 §4.5, §4.9)."""

from __future__ import annotations

from collections.abc import Iterable

from xlatperf.engine.trial_answer import Direction
from xlatperf.procedures.elementary_test import ElementaryTest

RATES, FACTOR = 3, 6.0
"""So many rates, the highest so many times the lowest: whatever depends on the rate differs by then."""
SAME_SHARE = 0.01
"""Numbers that differ by no more than this share are the same."""


def full_table(tests: Iterable[ElementaryTest]) -> str | None:
    """What to say if the same number of connections worked at every rate; None: they don't show that.

    `tests` are those of one search, all with the same number of connections.
    """
    same: list[tuple[ElementaryTest, int]] = []
    for test in sorted(tests, key=lambda test: test.rate_fps):
        if test.verdict == "passed":
            return None
        if test.verdict in ("phase_1", "validation") and test.worked is not None:
            if same and abs(test.worked - same[0][1]) > SAME_SHARE * test.worked:
                break  # the rate matters too, but only above those
            same.append((test, test.worked))
    rates = sorted({test.rate_fps for test, _ in same})
    numbers = sorted(worked for _, worked in same)
    if len(rates) < RATES or rates[-1] < FACTOR * rates[0] or not numbers[0]:
        return None
    held = sorted({test.held for test, _ in same if test.held is not None})
    return (
        f"of {same[0][0].connections:,} connections {_several(numbers)} worked at each of {len(rates)} rates, "
        f"{rates[-1]:,.0f} down to {rates[0]:,.0f} connections/s: the DUT's table has about {numbers[-1]:,} entries, "
        f"and is what limits{_counted(held)}"
    )


def filled_up(phase_1: Direction, held: int | None) -> str | None:
    """What to say if the DUT opened the first connections of one phase 1 and none after them; None: it didn't do that.

    `held`: what it counts itself, if it can.
    """
    ranges = phase_1.lost_ranges
    if not phase_1.lost_ranges_complete or len(ranges) != 1 or ranges[0][0] == 0 or ranges[0][1] != phase_1.sent - 1:
        return None
    return (
        f"The DUT opened the first {ranges[0][0]:,} of {phase_1.sent:,} connections and none after them: "
        f"its table is full{_counted([] if held is None else [held])}."
    )


def _counted(held: list[int]) -> str:
    return f"; it counts {_several(held)} entries" if held else ""


def _several(numbers: list[int]) -> str:
    low, high = numbers[0], numbers[-1]
    return f"{high:,}" if low == high else f"{low:,} to {high:,}"
