"""A DUT that refuses native IPv6, or all but that: a finding of its own, beside the loss that it is (R8219-5.3-3)."""

from __future__ import annotations

import pytest

from tests.report.frames_campaign import trial
from xlatperf.engine.delays import Delay
from xlatperf.engine.direction_answer import ClassCounters
from xlatperf.meaning.findings import findings
from xlatperf.meaning.refused import REFUSED, refused_class
from xlatperf.procedures.trial import Trial
from xlatperf.results.results import Finding


def counters(sent: int, lost: int, wrong: dict[str, int] | None = None) -> ClassCounters:
    """Wrong frames are not expected ones."""
    wrong = wrong or {}
    expected = sent - lost - sum(wrong.values())
    return ClassCounters(sent=sent, expected=expected, lost=lost, wrong=wrong, delay=Delay(count=expected))


@pytest.mark.parametrize(
    ("foreground", "background", "refused"),
    [
        (counters(100, 0), counters(100, 100), "background"),
        (counters(100, 99), counters(100, 100), "background"),
        (counters(90, 90), counters(10, 0), "foreground"),
        (counters(100, 100), counters(100, 100), None),
        (counters(100, 0), counters(100, 99), None),
        (counters(100, 0), counters(100, 0, {"wrong_address": 100}), None),
        (counters(1000, 0), counters(9, 9), None),
    ],
)
def test_nothing_of_one_class_though_some_of_the_other(
    foreground: ClassCounters, background: ClassCounters, refused: str | None
) -> None:
    assert refused_class({"foreground": foreground, "background": background}) == refused


def test_without_background_there_is_none() -> None:
    assert refused_class({"foreground": counters(100, 100)}) is None


def of(number: int, background: ClassCounters) -> Trial:
    """Half of the frames in the background."""
    made = trial(number, run="1-throughput", reverse=False)
    assert made.forward is not None
    forward = made.forward.model_copy(update={"foreground": counters(100, 3), "background": background})
    return made.model_copy(update={"forward": forward})


def test_one_finding_of_all_trials() -> None:
    trials = [of(1, counters(100, 0)), of(2, counters(100, 100)), of(3, counters(40, 40))]
    (found,) = [one for one in findings(trials) if one.reason == "refused"]
    assert found == Finding(
        kind="error",
        reason="refused",
        direction="forward",
        traffic_class="background",
        count=140,
        trials=2,
        first_trial=2,
        meaning=REFUSED["background"],
        example=None,
    )
