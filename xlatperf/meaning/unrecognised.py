"""Frames that a DUT spoilt so much that they aren't known as the Tester's, or not by their number."""

from __future__ import annotations

from typing import NamedTuple

from xlatperf.engine.direction_answer import ClassCounters
from xlatperf.engine.message import DirectionName, SideName
from xlatperf.engine.trial_answer import Sample, TrialAnswer

UNRECOGNISED, SPOILT_NUMBER = "unrecognised", "spoilt_number"
_STRANGERS = ("malformed", "foreign")
_SHARE = 0.9
"""So many of the lost ones, at least, must have come as something else."""
_ENOUGH = 3
_SPOILT = "came back so wrong that nobody can tell which they are: they count as wrong and as lost"
_UNKNOWN = "that aren't known as the Tester's frames: so these came back wrong, in what a receiver must rely on"
_ARRIVES: dict[DirectionName, SideName] = {"forward": "right", "reverse": "left"}


class Otherwise(NamedTuple):
    """How many came as something else. `side`: where nobody knew them; None: their number is spoilt."""

    number: int
    side: SideName | None = None
    instance: str = ""

    @property
    def reason(self) -> str:
        """Of a finding."""
        return SPOILT_NUMBER if self.side is None else UNRECOGNISED

    def in_words(self) -> str:
        """Why frames are missing, beside how many are."""
        if self.side is None:
            return f"{self.number} {_SPOILT}"
        return f"{self.number} came on the {self.side} {_UNKNOWN}{self.instance}"

    def of_trials(self) -> str:
        """The same of several trials."""
        if self.side is None:
            return f"about as many {_SPOILT}"
        return f"about as many as are missing came on the {self.side} {_UNKNOWN}{self.instance}"


def came_otherwise(name: DirectionName, answer: TrialAnswer) -> Otherwise | None:
    """Why frames of this direction are missing: about as many came as something else. None: there are fewer."""
    direction = answer.directions[name]
    lost = sum(counters.lost for counters in direction.classes.values())
    if not lost:
        return None
    spoilt = sum(_without_number(counters) for counters in direction.classes.values())
    if spoilt >= _SHARE * lost:
        return Otherwise(spoilt)
    return _unknown(name, answer, lost)


def _unknown(name: DirectionName, answer: TrialAnswer, lost: int) -> Otherwise | None:
    """A device's own frames are few beside those that a test sends. Where one direction is tried, they are of it."""
    sides: list[SideName] = [_ARRIVES[name]] if len(answer.directions) > 1 else ["right", "left"]
    strange = {(side, reason): getattr(answer.sides[side], reason) for side in sides for reason in _STRANGERS}
    side, reason = max(strange, key=lambda of: strange[of])
    number = sum(count for (where, _), count in strange.items() if where == side)
    if number < max(_ENOUGH, _SHARE * lost):
        return None
    sample = next((one for one in answer.samples if (one.side, one.reason) == (side, reason)), None)
    instance = f", for instance: {sample.text}" if sample is not None and sample.text else ""
    return Otherwise(number, side, instance)


def told_otherwise(answer: TrialAnswer) -> set[tuple[SideName, str]]:
    """The counters of strangers that hold the missing frames: they are nobody else's."""
    found = {came_otherwise(name, answer) for name in answer.directions}
    return {(one.side, reason) for one in found if one is not None and one.side for reason in _STRANGERS}


def _without_number(counters: ClassCounters) -> int:
    """They count as wrong, and as lost."""
    more = {"duplicate", "fragment"}  # than what was sent
    wrong = sum(count for reason, count in counters.wrong.items() if reason not in more)
    return max(0, counters.expected + counters.lost + wrong - counters.sent)


def for_instance(sample: Sample) -> str:
    """Which frame it is, and what is seen."""
    which = "one whose number can't be read" if sample.number is None else f"frame {sample.number}"
    return f"for instance {which}: {sample.text}"
