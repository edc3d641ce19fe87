"""A stateful gateway with a buffer, in closed form: so that millions of connections cost nothing."""

from __future__ import annotations

from dataclasses import dataclass, field

from tests.simulated_dut import answer
from tests.trials import changed, trial_of, without_frames
from xlatperf.engine.message import DirectionName
from xlatperf.engine.trial_answer import Experiment
from xlatperf.procedures.connections import Connections
from xlatperf.procedures.trial import Trial
from xlatperf.procedures.trial_request import TrialRequest


@dataclass
class BufferingDut:
    """Establishes so many connections per second; `buffer` frames wait; refuses more than `size` connections."""

    establish_fps: float
    buffer: int
    size: int
    requests: list[TrialRequest] = field(default_factory=list)

    def __call__(self, request: TrialRequest) -> Trial:
        number = len(self.requests)
        self.requests.append(request)
        wanted = request.connections
        assert wanted is not None
        assert wanted.establish_fps is not None
        opening = request.experiment(Connections(wanted.count, "establish"), wanted.establish_fps, "")
        held = min(self.size, self._served(wanted.count, opening.rate_fps))
        first = self._outcome(number, opening, held)
        experiment = Experiment(first_phase=first, held_before=0, held=held)
        if held < wanted.count:
            return without_frames(number, request=request, experiment=experiment)
        back = self._outcome(number, request, self._served(wanted.count, request.rate_fps))
        return changed(back, experiment=experiment)

    def _served(self, frames: int, rate_fps: float) -> int:
        """Of a burst of so many frames: what is done meanwhile, and what the buffer then still holds."""
        return min(frames, int(self.establish_fps * frames / rate_fps + 1e-9) + self.buffer)

    def _outcome(self, number: int, request: TrialRequest, through: int) -> Trial:
        def received(_: TrialRequest, __: DirectionName) -> int:
            return through

        return trial_of(number, request, answer(request, received))
