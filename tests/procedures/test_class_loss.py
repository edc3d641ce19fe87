"""Loss of the classes of a mix: told where they differ, and which of them limits (RFC 8219 §5.3)."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from tests.simulated_dut import DELAY, SimulatedMeasure, answer, capacity
from tests.trials import trial_of
from xlatperf.engine.delays import Delay
from xlatperf.engine.direction_answer import ClassCounters
from xlatperf.procedures.class_loss import ClassLoss, class_loss_percent, limiting
from xlatperf.procedures.conditions import Conditions
from xlatperf.procedures.in_words import in_words
from xlatperf.procedures.throughput import Throughput
from xlatperf.procedures.trial import Trial
from xlatperf.procedures.trial_request import TrialRequest
from xlatperf.run.progress import verdict


def of_class(sent: int, expected: int) -> ClassCounters:
    return ClassCounters(sent=sent, expected=expected, lost=sent - expected, delay=Delay(count=0))


def losses(foreground: ClassCounters, background: ClassCounters) -> ClassLoss:
    return class_loss_percent({"foreground": foreground, "background": background})


def test_the_rate_of_each_hides_in_that_of_all() -> None:
    found = losses(of_class(10_000, 9840), of_class(10_000, 2400))
    assert found == {"foreground": pytest.approx(1.6), "background": pytest.approx(76)}
    assert limiting({"forward": found, "reverse": {}}) == (
        "background first (forward foreground 1.6 %, background 76 % lost)"
    )
    other = losses(of_class(10_000, 0), of_class(10_000, 10_000))
    assert (limiting({"forward": found, "reverse": other}) or "").startswith("background and foreground first (")


@pytest.mark.parametrize(
    ("foreground", "background"),
    [
        (of_class(1000, 1000), of_class(1000, 1000)),
        (of_class(1000, 0), of_class(1000, 0)),
        (of_class(1000, 900), of_class(1000, 905)),
        (of_class(1000, 500), of_class(0, 0)),
    ],
)
def test_what_may_be_chance(foreground: ClassCounters, background: ClassCounters) -> None:
    assert losses(foreground, background) == {}
    assert limiting({"forward": {}}) is None


def test_one_class_has_no_other() -> None:
    assert class_loss_percent({"foreground": of_class(10, 5)}) == {}


def test_the_same_probability_for_both_differs_almost_never() -> None:
    dice = random.Random(8219)
    differ = 0
    for _ in range(2000):
        lost = dice.random() * 0.5
        counts = [sum(dice.random() >= lost for _ in range(200)) for _ in range(2)]
        differ += bool(losses(of_class(200, counts[0]), of_class(200, counts[1])))
    assert differ <= 2


def half_native(native_fps: float) -> Callable[[TrialRequest], Trial]:
    """A DUT that forwards all of the foreground, and so much of as many native frames."""

    def measure(request: TrialRequest) -> Trial:
        document = answer(request, capacity(1e9))
        for name in request.directions:
            direction = document[name]
            frames = direction["foreground"]["sent"] // 2
            direction["sent"] = 2 * frames
            came = min(frames, round(native_fps * request.duration_s))
            direction["foreground"] = {"sent": frames, "expected": frames, "lost": 0, "delay": DELAY}
            direction["background"] = {"sent": frames, "expected": came, "lost": frames - came, "delay": DELAY}
        return trial_of(0, request, document)

    return measure


def test_the_result_says_which_class_limits() -> None:
    wanted = Throughput(procedure="throughput", minimum_fps=1000)
    conditions = Conditions(TrialRequest(84, "ipv6", 1.0, 1.0), 100_000.0)
    found = wanted.run(conditions, half_native(10_000))
    assert "limited by the DUT: background first (forward foreground 0 %, background" in in_words(found)
    none = wanted.run(conditions, half_native(100))
    assert none.limited_by == "minimum"
    assert "not even the lowest rate of the search passed: background first" in in_words(none)
    assert Throughput(procedure="throughput").run(conditions, SimulatedMeasure(capacity(7000))).limiting_class is None


def test_a_trial_says_it_on_the_terminal() -> None:
    outcome = half_native(10_000)(TrialRequest(84, "ipv6", 80_000.0, 1.0, directions=("forward",)))
    assert verdict(outcome) == "loss forward 37.5 % (foreground 0 %, background 75 %)"
