"""What becomes of an answer that the engine wrote when it is read and written to the journal."""

from __future__ import annotations

from typing import Any

from xlatperf.engine.counters import REMARKS
from xlatperf.engine.direction_answer import WRONG_COUNTERS

_NOT_KEPT = ("id", "response", "histogram")
"""The protocol's own; a file of its own has them."""
_OF_SURVEY = "elapsed_s"
"""How long it took to look at the mappings is of no use."""


def by_reason(told: Any) -> Any:
    """Without what isn't kept, and with maps from reason to count in place of a member for each counter."""
    if isinstance(told, list):
        return [by_reason(one) for one in told]
    if not isinstance(told, dict):
        return told
    kept = {name: by_reason(value) for name, value in told.items() if name not in _NOT_KEPT}
    if "reordered" in told:
        for kind, names in (("wrong", WRONG_COUNTERS), ("remarks", REMARKS)):
            counted = {name: kept.pop(name, 0) for name in names}
            kept[kind] = {name: count for name, count in counted.items() if count}
    if "shared" in told:
        kept.pop(_OF_SURVEY, None)
    return kept
