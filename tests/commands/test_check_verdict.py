"""`check` ends with one line, whatever it saw."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.meaning.test_explain import answer
from xlatperf.commands.check_verdict import verdict
from xlatperf.commands.checked import Checked
from xlatperf.config.load import parse_bench
from xlatperf.failures import Exit
from xlatperf.procedures.negative import NegativeOutcome, NegativeTest

BENCH = parse_bench('technology.name = "siit"\ndevice.driver = "tayga"\n', "b")
TEST = NegativeTest("p", "from nobody", "RFC 7596 §6.2", True, "forward", ())
RIGHT = Checked("mix 1 of 1", 84, "forward", answer())
WRONG = Checked("mix 1 of 1", 84, "forward", answer({"expected": 0, "payload": 1000}))
LATE = Checked("mix 1 of 1", 84, "forward", answer(valid=False, reasons=[{"code": "schedule", "text": "late"}]))
FULL = Checked("phase 1", 84, "forward", answer(valid=False, reasons=[{"code": "not_emptied", "text": "still full"}]))
SPOILT = answer({"accepted": 1000, "accepted_flow_label": 1000})


@pytest.mark.parametrize(
    ("seen", "passed", "code", "line"),
    [
        ([RIGHT], 0, Exit.DONE, "All frames came back as they must."),
        (
            [Checked("mix", 84, "forward", SPOILT, accept=("flow_label",))],
            0,
            Exit.DONE,
            "All frames came back as they must, but for what traffic.accept has (flow_label).",
        ),
        (
            [RIGHT, WRONG],
            0,
            Exit.MEASUREMENT_FAILED,
            "Verdict: the DUT does not do what it must: not all was right in 1 of 2 trials.",
        ),
        *(
            (
                [RIGHT, Checked("mix", 84, "forward", answer({"duplicate": 1}), burst=burst)],
                0,
                Exit.MEASUREMENT_FAILED,
                "Verdict: the DUT does not do what it must: not all was right in 1 of 2 trials.",
            )
            for burst in (False, True)
        ),
        (
            [RIGHT],
            10,
            Exit.MEASUREMENT_FAILED,
            "Verdict: the DUT does not do what it must: it did not refuse 1 of 1 kind of frames that it must.",
        ),
        (
            [LATE, RIGHT],
            0,
            Exit.TESTER,
            "Verdict: nothing is known of the DUT: the Tester could not do 1 of 2 trials.",
        ),
        (
            [FULL],
            0,
            Exit.MEASUREMENT_FAILED,
            "Verdict: nothing is known of the DUT: its connection tracking table could not be emptied.",
        ),
    ],
)
def test_one_line(seen: list[Checked], passed: int, code: Exit, line: str) -> None:
    refusals = [NegativeOutcome(test=TEST, sent=10, passed=passed)]
    assert verdict(BENCH, seen, refusals, 2000.0) == (code, line)


@pytest.mark.parametrize("burst", [False, True])
def test_two_frames_made_of_one_hide_nothing(burst: bool) -> None:
    """All came, so what the DUT must refuse can be tried."""
    twice = Checked("mix", 84, "forward", answer({"duplicate": 100}), burst=burst)
    assert twice.carries_on
    assert not twice.right


def test_right_frames_that_were_lost_only_before_what_must_be_refused() -> None:
    """All of a domain of which `check` had sent none before; each direction and part counts once."""
    other = replace(TEST, part=1)
    refusals = [NegativeOutcome(test=one, untried="lost", right_missing=20) for one in (TEST, other, other)]
    assert verdict(BENCH, [RIGHT], refusals, 2000.0) == (
        Exit.MEASUREMENT_FAILED,
        "Verdict: the DUT does not do what it must: right frames of 2 parts of the traffic did not all come, when only "
        "these were sent.",
    )
    untried = [NegativeOutcome(test=TEST, untried="the Tester could not")]
    assert verdict(BENCH, [RIGHT], untried, 2000.0)[0] == Exit.DONE
