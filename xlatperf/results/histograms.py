"""Histograms of delays stand in files of their own, one per trial: the journal and results.json stay small."""

from __future__ import annotations

from typing import Any, TypeVar

from xlatperf.engine.delays import Histogram
from xlatperf.engine.message import Message

FOLDER = "histograms"
Answer = TypeVar("Answer", bound=Message)


def name_of(trial: int) -> str:
    """File name in the campaign's folder."""
    return f"{FOLDER}/{trial}.json"


def take_out(answer: Answer) -> tuple[Answer, dict[str, Any]]:
    """The answer without histograms, and a document of the histograms at the same places; {} if there are none."""
    changed: dict[str, Any] = {}
    taken: dict[str, Any] = {}
    for name, value in answer:
        if isinstance(value, Histogram):
            changed[name], taken[name] = None, value.dump()
        elif isinstance(value, Message):
            kept, inner = take_out(value)
            if inner:
                changed[name], taken[name] = kept, inner
    return answer.model_copy(update=changed) if changed else answer, taken
