"""`xlatperf check`: what the bench file leaves to be learnt from the DUT's first frames."""

from __future__ import annotations

from collections.abc import Callable

from xlatperf.commands.check_trials import ATTEMPTS, CheckTrials
from xlatperf.commands.show import frame_sizes
from xlatperf.config.bench import Bench
from xlatperf.config.learnt import to_learn, with_learnt
from xlatperf.config.request import configure_message
from xlatperf.engine.acceptable import ACCEPTABLE
from xlatperf.procedures.learning import Learnt, learn
from xlatperf.procedures.trial_request import TrialRequest
from xlatperf.run.experiment import FRAME_TAGS
from xlatperf.run.session import Session

_FIRST_TAG = 3 * FRAME_TAGS // 4  # beyond those of the check


def learnt_bench(
    bench: Bench, running: Session, timeout_s: float, say: Callable[[str], None] = lambda _: None
) -> tuple[Bench, list[Learnt]]:
    """The bench with what was learnt, and what that is. Raises EngineError, EngineDied."""
    unknown = to_learn(bench, bench.technology.directions)
    if unknown:
        say("trying: how often the DUT decrements hop limits")
    trials = CheckTrials(bench, running, _FIRST_TAG)
    mix = bench.traffic.richest_mix
    trial = TrialRequest(frame_sizes(bench)[0], bench.traffic.frame_size_of, 1.0, 1.0, timeout_s)
    learnt = learn(
        unknown,
        trial,
        mix,
        bench.traffic.hop_limit,
        trials.measure,
        ATTEMPTS - 1,
        connections=bench.most_connections(),
        require=lambda known: trials.configure(configure_message(with_learnt(bench, known), mix, accept=ACCEPTABLE)),
    )
    return with_learnt(bench, learnt), learnt
