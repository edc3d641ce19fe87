"""What of the delays may be the Tester's own, said where the delays are: else it would pass for the device's."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from xlatperf.procedures.own_delays import HELD_UP, MUCH, WAITED
from xlatperf.procedures.quantity import Quantity
from xlatperf.report.scale import best
from xlatperf.report.values import directions, find
from xlatperf.results.results import Measurement


class _Own(NamedTuple):
    repetition: int
    ns: float


def own_delays(item: Measurement) -> list[str]:
    """In a line each; nothing where it's little beside what was measured."""
    said = []
    count = len(item.repetitions)
    if held_up := list(_of(item, HELD_UP)):
        longest, of = best(max(one.ns for one in held_up)), len({one.repetition for one in held_up})
        said.append(
            f"the Tester itself was held up for as long as {longest} ({of} of {count} trials): so much of the longest "
            "delays may be its own"
        )
    if waited := list(_of(item, WAITED)):
        longest, of = best(max(one.ns for one in waited)), len({one.repetition for one in waited})
        said.append(
            f"frames waited for {longest} or more in the Tester's own port until the device took them ({of} of {count} "
            "trials): the delays contain that"
        )
    return said


def _of(item: Measurement, quantity: Quantity) -> Iterator[_Own]:
    """Of each repetition and direction in which it's much."""
    for name in directions(item):
        largest: dict[int, float] = {}
        for series in item.values:
            if series.role == "result" and series.direction == name and series.unit == "ns":
                for one in series.values:
                    if one.value is not None:
                        largest[one.repetition] = max(largest.get(one.repetition, 0.0), abs(one.value))
        own = find(item, quantity, name)
        for one in own.values if own is not None else ():
            if one.value and one.value >= MUCH * largest.get(one.repetition, 0.0):
                yield _Own(one.repetition, one.value)
