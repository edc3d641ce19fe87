"""Numbers as people read them: thousands separators, fixed places, units in the headings."""

from __future__ import annotations

from xlatperf.report.markup import Markup, element

NONE = "\N{EN DASH}"


def whole(value: float | None) -> str:
    """103,412."""
    return NONE if value is None else f"{value:,.0f}"


def rate(value: float | None, unit: str = "frames per second") -> str | Markup:
    """A rate to one per second (below 1,000 to a thousandth); the exact one, in `unit`, shows under the pointer."""
    if value is None:
        return NONE
    shown = f"{value:,.0f}" if value >= 1000 or value == int(value) else f"{value:,.3f}"
    return shown if value == round(value) else element("span", shown, title=f"{value!r} {unit}")


def count(value: float, unit: str) -> str | Markup:
    """A statistic of counts: whole, below 1,000 with one place if it isn't; the exact one shows under the pointer."""
    if value == int(value):
        return whole(value)
    return element("span", f"{value:,.0f}" if value >= 1000 else f"{value:,.1f}", title=f"{value!r} {unit}")


def percent(value: float | None, places: int = 2) -> str:
    """A share in percent: 0.03; very small ones keep two digits that count, so that loss never looks like 0."""
    if value is None:
        return NONE
    if value == 0:
        return "0"
    if abs(value) < 0.5 * 10**-places:
        return f"{value:.1e}" if abs(value) < 1e-6 else f"{value:.{_places(value)}f}"
    return f"{value:,.{places}f}"


def _places(value: float) -> int:
    return next(places for places in range(1, 9) if abs(value) >= 10**-places) + 1


def micro(nanoseconds: float | None) -> str:
    """Nanoseconds as µs with all their digits: 12,345.678."""
    return NONE if nanoseconds is None else f"{nanoseconds / 1000:,.3f}"


def milli(nanoseconds: float | None) -> str:
    """Nanoseconds as ms."""
    return NONE if nanoseconds is None else f"{nanoseconds / 1_000_000:,.3f}"


def megabits(bits_per_second: float) -> str:
    """Mbit/s with one place; below 10 with three."""
    value = bits_per_second / 1e6
    return f"{value:,.1f}" if value >= 10 else f"{value:,.3f}"


def seconds(value: float | None) -> str:
    """Seconds with at most three places: 1, 2.5."""
    return NONE if value is None else f"{value:,.3f}".rstrip("0").rstrip(".")
