"""What `xlatperf check` saw in one trial."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from xlatperf.config.bench import Bench
from xlatperf.engine.acceptable import ACCEPTABLE
from xlatperf.engine.message import DirectionName
from xlatperf.engine.trial_answer import TrialAnswer
from xlatperf.meaning.beside import other_size
from xlatperf.meaning.explain import is_right
from xlatperf.meaning.spoilt import spoilt_fields
from xlatperf.meaning.unusual import unusual


@dataclass(frozen=True)
class Checked:
    """One trial of the check. `faults` and `remarks`: lines beside what the frames themselves tell.

    `explained`: they say why frames are missing, and whatever else could be the reason would only mislead.
    `burst`: what is lost there is lost by load, so nothing is wrong with it. `accept`: of the fields that the engine
    accepts, so that one that the DUT spoils doesn't hide the rest, those that the bench file does.
    """

    what: str
    frame_size: int
    direction: str
    answer: TrialAnswer
    faults: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()
    explained: bool = False
    burst: bool = False
    accept: tuple[str, ...] = ()

    @property
    def right(self) -> bool:
        """Whether the DUT forwards and translates as it must."""
        return self.carries_on and not self.spoilt and not self.twice

    @property
    def twice(self) -> bool:
        """Whether the DUT makes two frames of one: all came, and what depends on it can be tried."""
        return any("duplicate" in wrong for wrong in self._wrong)

    @property
    def _wrong(self) -> list[Mapping[str, int]]:
        return [counters.wrong for one in self.answer.directions.values() for counters in one.classes.values()]

    @property
    def spoilt(self) -> list[str]:
        """Header fields by which no router forwards, and that the bench file doesn't accept to be otherwise."""
        return spoilt_fields([self.answer], self.accept)

    @property
    def carries_on(self) -> bool:
        """Whether what depends on it can be tried: nothing is wrong but that by which no router forwards."""
        wrong = any(set(one) - {"duplicate"} for one in self._wrong)
        came = not wrong if self.burst else is_right(self.answer, ACCEPTABLE)
        return self.answer.valid and came and not self.faults


def by_size(one: Checked, others: Sequence[Checked]) -> str | None:
    """What a trial says about this one that lost none and is like it but for the size of its frames."""
    if len(one.answer.directions) != 1:
        return None
    [[name, own]] = one.answer.directions.items()
    for other in _all_came(one, others):
        came = other.answer.directions.get(name)
        if came is not None and other.frame_size != one.frame_size:
            return other_size(own.frame_size, came.frame_size)
    return None


def other_way(one: Checked, others: Sequence[Checked]) -> DirectionName | None:
    """The direction of a trial that lost none and is like this one but for that."""
    if len(one.answer.directions) != 1:
        return None
    for other in _all_came(one, others):
        for direction in other.answer.directions:
            if direction not in one.answer.directions and other.frame_size == one.frame_size:
                return direction
    return None


def usual_came(one: Checked, others: Sequence[Checked], bench: Bench) -> bool | None:
    """Whether a trial lost none that is like this one, but that its frames aren't unusual; None: none was valid.

    Of such a trial itself: False, as its frames have nothing that could be the reason.
    """
    for direction, kind in unusual(bench).items():
        if direction not in one.answer.directions:
            continue
        if one.what.endswith(kind.usual):
            return False
        like = (f"{one.what}{kind.usual}", one.frame_size, direction)
        tried = (other for other in others if (other.what, other.frame_size, other.direction) == like)
        return next((other.carries_on for other in tried if other.answer.valid), None)
    return None


def _all_came(one: Checked, others: Sequence[Checked]) -> list[Checked]:
    return [other for other in others if other.what == one.what and not other.burst and other.carries_on]
