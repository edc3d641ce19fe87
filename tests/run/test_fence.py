"""How long is waited for frames that may never come: what the DUT has shown."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from tests.simulated_dut import answer
from xlatperf.config.load import parse_bench
from xlatperf.engine.trial_answer import TrialAnswer
from xlatperf.procedures.connections import Connections
from xlatperf.procedures.trial_request import TIMEOUT, TrialRequest
from xlatperf.run.fence import DELAYS, LEAST_S, Fences
from xlatperf.run.tester import trial_message

TRIAL = TrialRequest(84, "ipv6", 1000.0, 0.1, timeout_s=1.0, fence=10)


def seen(longest_ms: float, **foreground: int) -> TrialAnswer:
    document = answer(TRIAL, lambda asked, _: asked.frames)
    counters: dict[str, Any] = document["forward"]["foreground"]
    counters |= {**foreground, "delay": {**counters["delay"], "max_ns": longest_ms * 1e6}}
    return TrialAnswer.model_validate(document)


def asked(fences: Fences, request: TrialRequest = TRIAL) -> Any:
    return fences.asked(request).get("fence")


@pytest.mark.parametrize(
    "trials",
    [
        ((50.0, 0.2), (60.0, 0.2), (1.0, 0.2)),
        ((1.0, LEAST_S), (500.0, LEAST_S), (1.0, LEAST_S), (50.0, 0.2), (400.0, 1.0)),  # once, the host was held up
    ],
)
def test_the_longest_delay_that_two_trials_have_shown_counts(trials: tuple[tuple[float, float], ...]) -> None:
    fences = Fences()
    assert asked(fences) == {"frames": 10, "delays": DELAYS, "least_s": LEAST_S}
    for longest_ms, least_s in trials:
        fences.saw(seen(longest_ms))
        assert asked(fences)["least_s"] == pytest.approx(least_s)


def test_where_frames_overtake_each_other_it_is_all_of_the_timeout() -> None:
    fences = Fences()
    fences.saw(seen(1.0, overtaken=1))
    fences.saw(seen(1.0))
    assert asked(fences)["least_s"] == TRIAL.timeout_s


@pytest.mark.parametrize(
    ("request_", "frames"),
    [
        (TrialRequest(84, "ipv6", 1000.0, 0.1), None),
        (TrialRequest(84, "ipv6", 1000.0, 0.001, fence=10), 1),
        (TrialRequest(84, "ipv6", 1000.0, 0.012, fence=10), 10),
        (TRIAL.experiment(Connections(7, "establish"), 100.0, "x"), 7),
        (TRIAL.experiment(Connections(700, "each_once", 1.0, some=9), 100.0, "x"), 9),
        (TRIAL.experiment(Connections(7, "steady", 1.0), 1000.0, "x"), 10),
    ],
)
def test_it_is_at_most_all_frames(request_: TrialRequest, frames: int | None) -> None:
    found = asked(Fences(), request_)
    assert (None if found is None else found["frames"]) == frames


def test_an_untimed_trial_bears_a_hold_up_of_the_tester() -> None:
    """Neither its rate nor its schedule counts; of a timed one both do."""
    bench = parse_bench(
        'technology.name = "siit"\ndevice.driver = "tayga"\ntester.schedule.late_us = 300000\n', "b.toml"
    )
    usual = trial_message(bench, replace(TRIAL, fence=0), 1)["schedule"]
    assert usual == bench.tester.schedule.model_dump(mode="json")
    for request, overrun, late_us in (
        (TRIAL, 2.5, 300_000),
        (replace(TRIAL, fence=0, purpose=TIMEOUT), 2.5, 300_000),
        (replace(TRIAL, duration_s=0.02), 12.5, 300_000),
        (replace(TRIAL, duration_s=1000.0), 0.001, 300_000),
    ):
        schedule = trial_message(bench, request, 1)["schedule"]
        assert schedule == {**usual, "late_us": late_us, "overrun": pytest.approx(overrun)}
