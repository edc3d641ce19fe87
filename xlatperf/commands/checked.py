"""What `xlatperf check` saw in one trial."""

from __future__ import annotations

from dataclasses import dataclass

from xlatperf.engine.acceptable import ACCEPTABLE
from xlatperf.engine.trial_answer import TrialAnswer
from xlatperf.meaning.explain import is_right
from xlatperf.meaning.spoilt import spoilt_fields


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
        return self.carries_on and not self.spoilt

    @property
    def spoilt(self) -> list[str]:
        """Header fields that no router looks at, and that the bench file doesn't accept to be otherwise."""
        return spoilt_fields([self.answer], self.accept)

    @property
    def carries_on(self) -> bool:
        """Whether what depends on it can be tried: nothing is wrong but what no router looks at."""
        wrong = any(counters.wrong for one in self.answer.directions.values() for counters in one.classes.values())
        came = not wrong if self.burst else is_right(self.answer, ACCEPTABLE)
        return self.answer.valid and came and not self.faults
