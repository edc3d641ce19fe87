"""`xlatperf check`: frames that the DUT must refuse, by its technology's negative tests."""

from __future__ import annotations

from itertools import count

from xlatperf.campaign.meanings import icmp_name
from xlatperf.campaign.outcomes import outcome
from xlatperf.campaign.session import Session
from xlatperf.campaign.tester import trial_message
from xlatperf.commands.check_connections import ATTEMPTS
from xlatperf.commands.show import frame_sizes
from xlatperf.config.bench import Bench
from xlatperf.config.request import configure_message
from xlatperf.engine.client import parse_trial
from xlatperf.procedures.negative import RATE_FPS, NegativeOutcome, negative_tests
from xlatperf.procedures.trial import Outcome, TrialRequest

_ALL_FOREGROUND = (1, 1)
_FIRST_TAG = 30000  # beyond those of the check


def check_negative(bench: Bench, running: Session, timeout_s: float) -> list[NegativeOutcome]:
    """What became of all of them. Raises EngineError, EngineDied."""
    tags = count(_FIRST_TAG)
    part: list[int | None] = []

    def measure(request: TrialRequest) -> Outcome:
        if part != [request.part]:
            running.engine.configure(configure_message(bench, _ALL_FOREGROUND, part=request.part))
            part[:] = [request.part]
        tag = next(tags)
        return outcome(tag, parse_trial(running.engine.trial(trial_message(bench, request, tag))))

    trial = TrialRequest(frame_sizes(bench)[0], bench.traffic.frame_size_of, RATE_FPS, 1.0, timeout_s)
    return negative_tests(bench.technology.negative_tests(), trial, measure, ATTEMPTS - 1)


def in_words(found: NegativeOutcome) -> str:
    """One line."""
    test = found.test
    head = f"frames {test.what} ({test.direction}, {test.basis}{', MUST' if test.must else ''})"
    if found.untried is not None:
        return f"{head}: not tried: {found.untried}."
    counts = {
        "came through": found.passed,
        "came out unchanged": found.unchanged,
        "came back unchanged": found.returned,
        **{f"answered by {icmp_name(one.version, one.type, one.code)}": one.count for one in found.answers},
        "dropped": found.dropped,
    }
    seen = ", ".join(f"{number} of {found.sent} {what}" for what, number in counts.items() if number)
    verdict = "" if found.refused else ", and none may" if test.must else ", and none should"
    return f"{head}: {seen}{verdict}."
