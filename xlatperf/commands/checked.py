"""What `xlatperf check` saw in one trial."""

from __future__ import annotations

from dataclasses import dataclass

from xlatperf.engine.trial_answer import TrialAnswer
from xlatperf.meaning.explain import is_right


@dataclass(frozen=True)
class Checked:
    """One trial of the check. `faults` and `remarks`: lines beside what the frames themselves tell.

    `explained`: they say why frames are missing, and whatever else could be the reason would only mislead.
    `burst`: what is lost there is lost by load, so nothing is wrong with it.
    """

    what: str
    frame_size: int
    direction: str
    answer: TrialAnswer
    faults: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()
    explained: bool = False
    burst: bool = False

    @property
    def right(self) -> bool:
        """Whether the DUT forwards and translates as it must."""
        wrong = any(counters.wrong for one in self.answer.directions.values() for counters in one.classes.values())
        came = not wrong if self.burst else is_right(self.answer)
        return self.answer.valid and came and not self.faults
