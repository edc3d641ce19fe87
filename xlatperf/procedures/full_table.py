"""A DUT whose table is full loses the same number of connections at every rate (RFC 9693 §4.5, §4.9).

So does one that loses a share of all frames: but that one loses some of fewer connections, too.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from xlatperf.engine.direction_answer import Direction
from xlatperf.procedures.elementary_test import ElementaryTest

RATES, FACTOR = 3, 6.0
"""So many rates, the highest so many times the lowest: whatever depends on the rate differs by then."""
SAME_SHARE = 0.01
"""Numbers that differ by no more than this share are the same."""
FEWER = 0.9
"""This share of what worked has room in a table that is full with it."""


@dataclass(frozen=True)
class SeemsFull:
    """The same number of connections worked at every rate. `worked` and `held`: of each test; what the DUT counts."""

    connections: int
    rates_fps: tuple[float, ...]
    worked: tuple[int, ...]
    held: tuple[int, ...]

    @property
    def fewer(self) -> int:
        """So many connections work, if it is the table."""
        return max(1, int(FEWER * self.worked[0]))

    def in_words(self, passed: ElementaryTest) -> str:
        """When `passed` has shown that fewer work."""
        rates = f"{len(self.rates_fps)} rates, {self.rates_fps[-1]:,.0f} down to {self.rates_fps[0]:,.0f} connections/s"
        table = f"the DUT holds about {self.worked[-1]:,} connections and no more: its table or its pool is what limits"
        return (
            f"of {self.connections:,} connections {_several(self.worked)} worked at each of {rates}, and of "
            f"{passed.connections:,} all: {table}{self._counted()}"
        )

    def _counted(self) -> str:
        """Its own count, as far as it fits: one that doesn't is no support."""
        if not self.held:
            return ""
        said = f"; it counts {_several(self.held)} entries"
        worked = self.worked[-1]
        if all(abs(held - worked) <= SAME_SHARE * worked for held in self.held):
            return said
        return f"{said}, which isn't so many: is its count right?"


def seems_full(tests: Iterable[ElementaryTest], connections: int) -> SeemsFull | None:
    """What the tests of one search with so many connections show, if the same number worked at every rate."""
    same: list[tuple[ElementaryTest, int]] = []
    for test in sorted(tests, key=lambda test: test.rate_fps):
        if test.connections != connections:
            continue
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
    return SeemsFull(connections, tuple(rates), tuple(numbers), tuple(held))


def filled_up(phase_1: Direction, held: int | None, pool: int | None = None, pool_in_words: str = "") -> str | None:
    """What to say if the DUT opened the first connections of one phase 1 and none after them; None: it didn't do that.

    `held`: what it counts itself, if it can. `pool`: how many addresses and ports together clients can be given.
    """
    ranges = phase_1.lost_ranges
    if not phase_1.lost_ranges_complete or len(ranges) != 1 or ranges[0][0] == 0 or ranges[0][1] != phase_1.sent - 1:
        return None
    opened = ranges[0][0]
    limit = f"it has given the {pool:,} {pool_in_words} away" if opened == pool else "its table is full"
    return (
        f"The DUT opened the first {opened:,} of {phase_1.sent:,} connections and none after them: "
        f"{limit}{'' if held is None else f'; it counts {held:,} entries'}."
    )


def _several(numbers: Sequence[int]) -> str:
    low, high = numbers[0], numbers[-1]
    return f"{high:,}" if low == high else f"{low:,} to {high:,}"


def held_too_few(held: int | None, opened: int, worked: int | None) -> str | None:
    """The DUT counts fewer entries than connections were opened; None: it doesn't. `worked`: so many did afterwards.

    A count that contradicts what was seen, or that says nothing, supports nothing.
    """
    if held is None or held >= opened:
        return None
    text = f"right after a complete phase 1 of {opened:,} connections the DUT counted {held:,} entries"
    if worked is not None and worked > held:
        return (
            f"{text}, but {worked:,} connections worked afterwards: it counts something else, mappings rather than "
            "connections for instance, or its count isn't right"
        )
    if held == 0:
        return f"{text}: does it count them at all?"
    return f"{text}: it deleted some, which only a validation sees (RFC 9693 §4.6), or it counts something else"
