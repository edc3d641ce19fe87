"""Trials of `check`: which are done again."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

import pytest

from tests.simulated_dut import answer
from xlatperf.commands.check_trials import ATTEMPTS, CheckTrials
from xlatperf.config.load import parse_bench
from xlatperf.engine.trial_answer import TrialAnswer
from xlatperf.meaning.about import About
from xlatperf.procedures.trial_request import TrialRequest
from xlatperf.run.fence import Fences
from xlatperf.run.old_connections import OldConnections

TRIAL = TrialRequest(84, "ipv6", 1000.0, 0.1, timeout_s=1.0)
STATELESS = 'technology.name = "siit"\ndevice.driver = "tayga"\n'


def made(request: TrialRequest, lost: int, after_stall: int, reasons: tuple[str, ...]) -> TrialAnswer:
    document = answer(request, lambda asked, _: round(asked.rate_fps * asked.duration_s) - lost, reasons)
    for name in request.directions:
        document[name]["departure"] = {"stalls": 1, "lost_after_stall": after_stall}
    return TrialAnswer.model_validate(document)


class Answers:
    """An engine that answers one after the other: how many were lost, so many after a hold-up, why it is invalid."""

    def __init__(self, *answers: tuple[int, int, tuple[str, ...]]) -> None:
        self.asked: list[dict[str, Any]] = []
        self._answers = iter(answers)

    def trial(self, message: dict[str, Any]) -> TrialAnswer:
        self.asked.append(message)
        request = TrialRequest(84, "ipv6", message["rate_fps"], message["duration_s"])
        return made(request, *next(self._answers))


RIGHT = (0, 0, ())


def trials(engine: Answers) -> CheckTrials:
    running = cast("Any", SimpleNamespace(engine=engine, device=None, fences=Fences(), old=OldConnections()))
    return CheckTrials(parse_bench(STATELESS, "b"), running, 1)


@pytest.mark.parametrize(
    ("answers", "lost"),
    [
        ([RIGHT], 0),
        ([(5, 0, ())], 5),  # nothing held the Tester up: that's the device
        ([(5, 5, ()), RIGHT], 0),
        ([(49, 1, ()), RIGHT], 0),  # the others met the queue
        ([(50, 50, ())], 50),  # half of them: that's no queue
        ([(0, 0, ("sent_less",)), RIGHT], 0),
        ([(5, 5, ()), (4, 0, ())], 4),
        ([(5, 5, ()), (0, 0, ("not_emptied",)), (0, 0, ("schedule",))], 5),  # what was seen isn't dropped
        ([(5, 5, ()), (4, 4, ()), (3, 3, ())], 3),  # what persists is told
    ],
)
def test_what_a_hold_up_of_the_tester_may_have_cost_is_tried_again(
    answers: list[tuple[int, int, tuple[str, ...]]], lost: int
) -> None:
    engine = Answers(*answers)
    found = trials(engine).undisturbed(TRIAL)
    assert found.forward is not None
    assert found.forward.sent - found.forward.foreground.expected == lost
    assert len(engine.asked) == len(answers) <= ATTEMPTS
    assert len({message["number"] for message in engine.asked}) == len(answers), "each has a tag of its own"


@pytest.mark.parametrize(
    ("answers", "frames", "lost"),
    [
        ([RIGHT], 100, 0),
        ([(100, 0, ())], 100, 100),  # all of them: more show no more
        ([(5, 0, ()), (90, 0, ())], 2000, 90),
        ([(5, 0, ()), RIGHT], 100, 5),  # what was seen isn't dropped
        ([(5, 0, ()), *[(0, 0, ("schedule",))] * ATTEMPTS], 100, 5),
    ],
)
def test_more_frames_show_who_is_lost(answers: list[Any], frames: int, lost: int) -> None:
    engine, said = Answers(*answers), list[str]()
    trial = trials(engine).showing_who(TRIAL, About(), said.append)
    assert [(one.sent, one.loss) for one in trial.directions.values()] == [(frames, lost)] * 2
    assert len(said) == (len(engine.asked) > 1)


def test_few_frames_that_show_who_is_lost_are_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("xlatperf.commands.check_trials.unexplained", lambda *_: False)
    assert trials(Answers((5, 0, ()))).showing_who(TRIAL, About(), print).valid


def test_a_user_who_asks_for_a_low_rate_doesn_t_wait_for_2000_frames() -> None:
    engine = Answers((5, 0, ()), (50, 0, ()))
    trials(engine).showing_who(TrialRequest(84, "ipv6", 100.0, 1.0), About(), print)
    assert [round(asked["rate_fps"] * asked["duration_s"]) for asked in engine.asked] == [100, 500]
    engine = Answers((5, 0, ()))
    trials(engine).showing_who(TrialRequest(84, "ipv6", 10.0, 10.0), About(), print)
    assert len(engine.asked) == 1
