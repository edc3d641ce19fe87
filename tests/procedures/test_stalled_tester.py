"""Loss right after the Tester itself was held up: repeated, and counted where it persists (R2544-26.1, R1242-3.4)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from tests.simulated_dut import answer, sent
from tests.trials import trial_of, with_experiment, without_frames
from xlatperf.engine.message import DirectionName
from xlatperf.engine.trial_answer import Experiment
from xlatperf.procedures.connections import Connections
from xlatperf.procedures.trial import Trial, measure_valid
from xlatperf.procedures.trial_request import TrialRequest

TRIAL = TrialRequest(84, "ipv6", 1_000.0, 1.0)
RETRIES = 2
Loss = tuple[int, int]
"""Frames lost, and of these right after a stall."""


class Losing:
    """`measure` whose n-th trial loses what is said."""

    def __init__(self, *losses: Mapping[DirectionName, Loss]) -> None:
        self.losses = losses
        self.outcomes: list[Trial] = []

    def __call__(self, request: TrialRequest) -> Trial:
        losses = self.losses[min(len(self.outcomes), len(self.losses) - 1)]
        document: dict[str, Any] = answer(request, lambda asked, name: sent(asked) - losses.get(name, (0, 0))[0])
        for name in request.directions:
            document[name]["departure"] = {"stalls": 3, "lost_after_stall": losses.get(name, (0, 0))[1]}
        self.outcomes.append(trial_of(len(self.outcomes), request, document))
        return self.outcomes[-1]


NOTHING: Mapping[DirectionName, Loss] = {}
AFTER_A_STALL: Mapping[DirectionName, Loss] = {"forward": (5, 5)}


@pytest.mark.parametrize(
    ("losses", "attempts"),
    [
        ([AFTER_A_STALL, NOTHING], 2),
        ([AFTER_A_STALL, AFTER_A_STALL, NOTHING], 3),
        ([AFTER_A_STALL], 1 + RETRIES),
        ([AFTER_A_STALL, {"forward": (6, 5)}], 2),
        ([{"forward": (6, 5)}], 1),
        ([{"forward": (5, 5), "reverse": (1, 0)}], 1),
        ([{"forward": (5, 5), "reverse": (1, 1)}, NOTHING], 2),
        ([NOTHING], 1),
    ],
    ids=[
        "once",
        "twice",
        "persists",
        "then otherwise too",
        "one frame otherwise",
        "one frame otherwise in the other direction",
        "in both directions",
        "without loss",
    ],
)
def test_attempts(losses: list[Mapping[DirectionName, Loss]], attempts: int) -> None:
    """The last one counts, and a single frame lost at another time makes the first one count."""
    measure = Losing(*losses)
    found = measure_valid(measure, TRIAL, RETRIES)
    assert found == measure.outcomes
    assert len(found) == attempts


def test_what_is_tolerated_is_not_repeated() -> None:
    measure = Losing(AFTER_A_STALL)
    assert len(measure_valid(measure, TRIAL, RETRIES, {"forward": 0.01})) == 1
    assert len(measure_valid(measure, TRIAL, RETRIES, {"reverse": 0.01})) == 1 + RETRIES


def test_an_old_engine_says_nothing_of_stalls() -> None:
    """A journal without the number is replayed as it was."""
    document = answer(TRIAL, lambda asked, _: sent(asked) - 5)
    assert not trial_of(0, TRIAL, document).only_after_stalls


def test_phase_1() -> None:
    """R9693-4.4-1: connections that phase 1 lost right after a stall; the validation then didn't take place."""
    lost = Losing(AFTER_A_STALL)(TRIAL.experiment(Connections(1_000, "establish"), 1_000.0, "establish"))
    assert lost.only_after_stalls
    whole = without_frames(1, experiment=Experiment(first_phase=lost))
    assert whole.only_after_stalls
    other = Losing({"forward": (5, 4)})(TRIAL)
    assert not with_experiment(whole, first_phase=other).only_after_stalls
