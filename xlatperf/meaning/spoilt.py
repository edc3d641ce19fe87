"""Header fields by which no router forwards, where the DUT spoils them and the bench file doesn't accept it."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable

from xlatperf.engine.acceptable import reason_of
from xlatperf.engine.direction_answer import ClassCounters
from xlatperf.engine.trial_answer import TrialAnswer


def spoilt(counters: ClassCounters, accept: Collection[str]) -> dict[str, int]:
    """By the reason why these frames are wrong, though the engine was told to count them as expected."""
    found = {reason_of(remark): count for remark, count in counters.remarks.items()}
    return {reason: count for reason, count in found.items() if reason is not None and reason not in accept}


def spoilt_fields(answers: Iterable[TrialAnswer], accept: Collection[str]) -> list[str]:
    """All of them, each once."""
    each = (counters for answer in answers for way in answer.directions.values() for counters in way.classes.values())
    return list(dict.fromkeys(reason for counters in each for reason in spoilt(counters, accept)))


def how_to_accept(fields: Iterable[str], accept: Collection[str]) -> str:
    """The line of the bench file."""
    return f"traffic.accept = {json.dumps([*accept, *fields])}"
