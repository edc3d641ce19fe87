"""Where a campaign can be killed that isn't like any other place: behind the first line of each kind in its journal."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any


def first_of_each_kind(entries: Sequence[dict[str, Any]]) -> list[int]:
    """How many lines there are up to the first of each kind: measure, purpose, an experiment or not, valid or not."""
    kinds: dict[tuple[object, ...], int] = {}
    for number, entry in enumerate(entries, 1):
        answer = entry["answer"]
        kind = (entry["run"].split("/")[0], entry["request"].get("purpose"), "experiment" in answer, answer["valid"])
        kinds.setdefault(kind, number)
    return list(kinds.values())
