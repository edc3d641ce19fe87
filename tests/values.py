"""Reads the values of a measurement in results.json."""

from __future__ import annotations

from statistics import median
from typing import Any


def values_of(
    item: dict[str, Any], quantity: str, direction: str | None = None, rate_fps: float | None = None
) -> list[float]:
    """One for each repetition, of all frames; one without a value fails, and says why."""
    wanted = (quantity, direction, rate_fps, None)
    names = ("quantity", "direction", "rate_fps", "traffic_class")
    (found,) = [one["values"] for one in item["values"] if tuple(one[name] for name in names) == wanted]
    assert [one["remark"] for one in found if one["value"] is None] == []
    return [one["value"] for one in found]


def rates_of(item: dict[str, Any]) -> list[float]:
    """What each search of a rate found, 0 where no rate passed; a measurement of something else fails."""
    found: list[float] = [one["value"] or 0.0 for one in item["values"][0]["values"]]
    assert item["values"][0]["unit"] in ("frames/s", "connections/s")
    return found


def rate_of(item: dict[str, Any]) -> float:
    """The median over the searches."""
    return median(rates_of(item))
