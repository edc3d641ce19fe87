"""What was found, in one line."""

from __future__ import annotations

from xlatperf.keys.in_words import plural, significant
from xlatperf.procedures.own_delays import HELD_UP, WAITED
from xlatperf.procedures.quantity import GoalResult, LimitedBy, Measured, Value

LIMITS: dict[LimitedBy, str] = {
    "dut": "limited by the DUT",
    "tester": "limited by the Tester: the DUT may be faster",
    "maximum": "the highest rate of the search: the DUT may be faster",
    "minimum": "not even the lowest rate of the search passed",
    "buffers": "in less than 1 s, which the DUT's buffers may bear and the DUT not: use more connections",
    "resolution": "a lower bound: there are too few connections to tell more",
}


MORE_POSSIBLE: frozenset[LimitedBy] = frozenset({"tester", "maximum", "resolution"})
"""Where it isn't the DUT that limits: the value is a lower bound."""


def fps(rate: float) -> str:
    """A rate for people: `50,000 fps`."""
    return f"{rate:,.0f} fps"


def in_words(found: Measured) -> str:
    """One repetition."""
    if found.no_result is not None:
        return found.no_result.in_words()
    results = [one for one in found.values if one.quantity.role == "result" and one.traffic_class is None]
    rates = {one.rate_fps for one in results if one.rate_fps is not None}
    if rates:
        losses = [one for one in found.late or results if one.quantity.role == "result"]
        lossy, known = ({one.rate_fps for one in losses if which(one)} for which in (_lossy, _measured))
        return f"{plural(len(rates), 'rate')}, {len(lossy)} where not all came right" + (
            f", {len(rates - known)} not measured" if rates - known else ""
        )
    at_least = "at least " if found.limited_by in MORE_POSSIBLE else ""
    if found.search is not None and found.limited_by is not None:
        said = f"{at_least}{shown(results[0].value or 0.0, results[0].quantity.unit)}, {LIMITS[found.limited_by]}"
        said += "" if found.limiting_class is None else f": {found.limiting_class}"
        return "; ".join([said, *(_of_goal(one) for one in found.goals if one.goal.loss_ratio)])
    said = ", ".join(_named(one, at_least) for one in results)
    own = [
        f"{quantity.name} {shown(max(ns), 'ns')}"
        for quantity in (HELD_UP, WAITED)
        if (ns := [one.value or 0.0 for one in found.values if one.quantity is quantity and one.remark])
    ]
    return f"{said} ({', '.join(own)})" if own else said


def _of_goal(one: GoalResult) -> str:
    """What comes through where a little may be lost."""
    if one.conditional_fps is None:
        return f"at most {100 * one.goal.loss_ratio:g} % lost: not even at the lowest rate"
    at_least = "at least " if one.limited_by in MORE_POSSIBLE else ""
    return f"at most {100 * one.goal.loss_ratio:g} % lost: {at_least}{fps(one.conditional_fps)}"


def _lossy(value: Value) -> bool:
    return bool(value.value)


def _measured(value: Value) -> bool:
    return value.value is not None


def _named(one: Value, at_least: str) -> str:
    direction = f" {one.direction}" if one.direction is not None else ""
    return f"{one.quantity.name} {at_least}{shown(one.value, one.quantity.unit)}{direction}"


def shown(value: float | None, unit: str) -> str:
    """A value for people: `12.3 us`, `1,200 frames`."""
    if value is None:
        return "none"
    if unit == "ns":
        return f"{value / 1000:,.1f} us"
    if unit == "frames/s":
        return f"{fps(value)} per direction"
    if unit == "%":
        return f"{significant(value, 4)} %"
    return f"{value:.6g} {unit}" if unit == "s" else f"{value:,.0f} {unit}"
