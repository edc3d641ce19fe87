"""Histograms of delays stand in files of their own, one per trial: the journal and results.json stay small."""

from __future__ import annotations

from typing import Any

FOLDER = "histograms"


def name_of(trial: int) -> str:
    """File name in the campaign's folder."""
    return f"{FOLDER}/{trial}.json"


def take_out(answer: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """The answer without histograms, and a document of the histograms at the same places; {} if there are none."""
    kept: dict[str, Any] = {}
    taken: dict[str, Any] = {}
    for name, value in answer.items():
        if name == "histogram" and value is not None:
            taken[name] = value
        elif isinstance(value, dict):
            kept[name], inner = take_out(value)
            if inner:
                taken[name] = inner
        else:
            kept[name] = value
    return kept, taken
