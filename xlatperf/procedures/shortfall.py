"""Frames that did not come back as they must, in words: what came back wrong or late isn't lost."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from xlatperf.engine.counters import REASONS
from xlatperf.engine.direction_answer import TOO_LATE, ClassCounters
from xlatperf.engine.trial_answer import Sample, TrialAnswer

WRONG = "came back wrong"
_MORE_OF_ONE = frozenset({"duplicate", "fragment"})
"""One frame that was sent may make several of these."""


def shortfall(answer: TrialAnswer) -> str:
    """`3 of 10 frames lost; 7 of 10 came back wrong: TTL 10, expected 9 (RFC 1812 §5.3.1)`. Empty: there is none."""
    each = [counters for direction in answer.directions.values() for counters in direction.classes.values()]
    sent, lost = sum(one.sent for one in each), never_came(answer)
    said = [f"{lost:,} of {sent:,} frames lost"] if lost else []
    late = sum(count for reason, count in _summed(each).items() if reason in TOO_LATE)
    if late:
        said.append(f"{late:,} of {sent:,} came too late")
    return "; ".join([*said, *came_wrong(answer)])


def came_wrong(answer: TrialAnswer) -> list[str]:
    """Of each reason how many frames came back, with an example; not of those that were late."""
    each = [counters for direction in answer.directions.values() for counters in direction.classes.values()]
    sent = sum(one.sent for one in each)
    said = []
    for reason, count in _summed(each).items():
        if reason not in TOO_LATE:
            share = f"{count:,} for {sent:,}" if reason in _MORE_OF_ONE else f"{count:,} of {sent:,}"
            said.append(f"{share} {WRONG}: {_what(reason, answer.samples)}")
    return said


def never_came(answer: TrialAnswer) -> int:
    """Frames that are lost: not those that came back wrong or late."""
    return sum(one.lost for direction in answer.directions.values() for one in direction.classes.values())


def _summed(each: Iterable[ClassCounters]) -> dict[str, int]:
    found: dict[str, int] = {}
    for one in each:
        for reason, count in one.wrong.items():
            found[reason] = found.get(reason, 0) + count
    return found


def _what(reason: str, samples: Sequence[Sample]) -> str:
    example = next((sample.text for sample in samples if sample.reason == reason and sample.text), None)
    return example or f"{reason}: the frame {REASONS[reason].text}"
