"""Times as people read them: one unit for a whole group of columns; the exact value shows under the pointer."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from xlatperf.report.markup import Content, element
from xlatperf.report.numerals import NONE

NANOSECONDS = {"ns": 1.0, "s": 1e9}
"""Of the units that results.json has."""


@dataclass(frozen=True)
class Scale:
    """A unit that is `nanoseconds` long, shown with so many places."""

    unit: str
    nanoseconds: float
    places: int

    def shown(self, value: float | None, unit: str = "ns") -> Content:
        """The value (in ns or s) in this unit."""
        if value is None:
            return NONE
        text = self.text(value, unit)
        return element("span", text, title=f"{value!r} {unit}")

    def text(self, value: float, unit: str = "ns") -> str:
        """Without the exact value."""
        if not value:
            return "0"
        number = value * NANOSECONDS[unit] / self.nanoseconds
        text = f"{abs(number):,.{self.places}f}"
        return f"\N{MINUS SIGN}{text}" if number < 0 and text.strip("0.,") else text


def micro_or_milli(values: Iterable[float]) -> Scale:
    """µs, or ms if any of the values (in ns) has 100 ms or more; the fewer places, the larger they are."""
    largest = max(map(abs, values), default=0.0)
    if largest >= 100e6:
        return Scale("ms", 1e6, 3 if largest < 1e9 else 1)
    return Scale("µs", 1e3, 2 if largest < 1e6 else 1)


def milli(values: Iterable[float]) -> Scale:
    """Always ms, as RFC 8219 §7.3 and RFC 6201 §1.4 want it."""
    largest = max(map(abs, values), default=0.0)
    return Scale("ms", 1e6, 4 if largest < 100e6 else 3 if largest < 1e9 else 1)


def best(value: float | None, unit: str = "ns") -> str:
    """A single time with the unit that suits it: `61.1 µs`, `4.03 ms`, `1.7 s`."""
    if value is None:
        return NONE
    if not value:
        return "0"
    nanoseconds = value * NANOSECONDS[unit]
    for name, length in (("s", 1e9), ("ms", 1e6), ("µs", 1e3)):
        if abs(nanoseconds) >= length:
            return _digits(nanoseconds / length, name)
    return f"{nanoseconds:,.0f} ns" if nanoseconds >= 0 else f"\N{MINUS SIGN}{-nanoseconds:,.0f} ns"


def _digits(number: float, unit: str) -> str:
    """At least three digits."""
    places = 2 if abs(number) < 10 else 1 if abs(number) < 100 else 0
    text = f"{abs(number):,.{places}f}"
    sign = "\N{MINUS SIGN}" if number < 0 else ""
    return f"{sign}{text}\N{NO-BREAK SPACE}{unit}"
