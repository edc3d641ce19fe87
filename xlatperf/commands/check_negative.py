"""`xlatperf check`: frames that the DUT must refuse, and what became of them."""

from __future__ import annotations

from collections.abc import Callable

from xlatperf.commands.check_trials import ATTEMPTS, CheckTrials
from xlatperf.commands.show import frame_sizes
from xlatperf.config.bench import Bench
from xlatperf.config.negative_tests import negative_tests_of
from xlatperf.config.request import ALL_FOREGROUND, configure_message
from xlatperf.engine.acceptable import ACCEPTABLE
from xlatperf.keys.in_words import plural
from xlatperf.procedures.negative import RATE_FPS, NegativeOutcome, negative_tests
from xlatperf.procedures.trial import Trial
from xlatperf.procedures.trial_request import TrialRequest
from xlatperf.run import sending_part
from xlatperf.run.experiment import FRAME_TAGS
from xlatperf.run.session import Session

_NOT_RIGHT = "right frames come first, and not all are as they must be"
_NOT_KNOWN = "right frames come first, and the Tester could not do all trials of them"
_FIRST_TAG = FRAME_TAGS // 2  # beyond those of the check


def check_negative(
    bench: Bench, running: Session, timeout_s: float, say: Callable[[str], None] = lambda _: None
) -> list[NegativeOutcome]:
    """What became of all of them. Raises EngineError, EngineDied."""
    trials = CheckTrials(bench, running, _FIRST_TAG)
    configured: list[int | None] = []

    def measure(request: TrialRequest) -> Trial:
        if configured != [request.part]:
            message = configure_message(bench, ALL_FOREGROUND, part=request.part, accept=ACCEPTABLE)
            sending_part.configure(trials.configure, message, request.part)
            configured[:] = [request.part]
        return trials.measure(request)

    trial = TrialRequest(frame_sizes(bench)[0], bench.traffic.frame_size_of, RATE_FPS, 1.0, timeout_s)
    wanted = negative_tests_of(bench)
    if wanted:
        say(f"trying: {plural(len(wanted), 'kind')} of frames that the DUT must refuse")
    return negative_tests(wanted, trial, measure, ATTEMPTS - 1, connections=bench.most_connections())


def not_come_to(bench: Bench, *, known: bool) -> list[NegativeOutcome]:
    """None of them was tried: what comes before wasn't right, as far as that's known."""
    why = _NOT_RIGHT if known else _NOT_KNOWN
    return [NegativeOutcome(test=test, untried=test.impossible or why) for test in negative_tests_of(bench)]
