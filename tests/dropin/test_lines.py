"""The lines that scripts look for, as siitperf prints them: ms, and a lost frame at the global timeout."""

from __future__ import annotations

from typing import Any

import pytest

from xlatperf.dropin.arguments import Arguments, Connections, Kind
from xlatperf.dropin.lines import lines_of
from xlatperf.engine.trial_answer import TrialAnswer
from xlatperf.procedures.trial import Trial
from xlatperf.procedures.trial_request import TrialRequest

NOTHING = {"received": 0}
DELAY: dict[str, Any] = {"count": 1000, "min_ns": 1500, "p999_ns": 251500, "max_ns": 300000}


def direction(sent: int, expected: int, **more: Any) -> dict[str, Any]:
    return {
        "intended": sent,
        "sent": sent,
        "offered_fps": float(sent),
        "sending_s": 1.0,
        "frame_size": {"sent": 84, "received": 64},
        "foreground": {"sent": sent, "expected": expected, "lost": sent - expected, "delay": DELAY, **more},
    }


def trial(
    *, valid: bool = True, first: dict[str, Any] | None = None, first_valid: bool = True, **directions: Any
) -> Trial:
    answer: dict[str, Any] = {"frame_tag": 0, "valid": valid, "elapsed_s": 1.0, "left": NOTHING, "right": NOTHING}
    told = {**answer, **directions}
    if not valid:
        told["reasons"] = [{"code": "schedule", "text": "sending took 1.2 s"}]
    if first is not None:
        told["experiment"] = {"first_phase": {**answer, "valid": first_valid, "forward": first}}
    return Trial.of(0, "one", TrialRequest(84, "ipv6", 1000.0, 1.0), TrialAnswer.model_validate(told))


def lines(kind: Kind, one: Trial, *, capitals: bool = True, **more: Any) -> list[str]:
    return list(
        lines_of(one, Arguments(kind, 84, 1000, 1, 2000, (1, 1), **{"connections": None, **more}), capitals=capitals)
    )


def test_throughput() -> None:
    both = trial(forward=direction(1000, 1000), reverse=direction(1000, 997))
    assert lines(Kind.THROUGHPUT, both) == [
        "Forward frames sent: 1000",
        "Forward frames received: 1000",
        "Reverse frames sent: 1000",
        "Reverse frames received: 997",
        "Info: Reverse frames completely missing: 3",
    ]
    assert lines(Kind.THROUGHPUT, both, capitals=False)[1] == "forward frames received: 1000"


def test_wrong_is_not_lost() -> None:
    one = trial(forward=direction(1000, 997, lost=1, hop_limit=2))
    assert lines(Kind.THROUGHPUT, one) == [
        "Forward frames sent: 1000",
        "Forward frames received: 997",
        "Info: Forward frames completely missing: 1",
        "Info: Forward frames that came back wrong, hop_limit: 2",
    ]


def test_a_trial_that_says_nothing() -> None:
    assert lines(Kind.THROUGHPUT, trial(valid=False, forward=direction(1000, 1000)))[-1] == (
        "Info: the test is invalid: sending took 1.2 s"
    )


def test_latency() -> None:
    tagged = {"sent": 500, "received": 500, "median_ns": 6394.0, "p999_ns": 829544.0}
    assert lines(Kind.LATENCY, trial(forward=direction(1000, 1000, tagged=tagged)))[2:] == [
        "Forward TL: 0.006394",
        "Forward WCL: 0.829544",
    ]


@pytest.mark.parametrize(
    ("received", "tl"), [(499, "0.006394"), (250, "0.006394"), (249, "2000.000000"), (0, "2000.000000")]
)
def test_lost_tags_count_as_the_timeout(received: int, tl: str) -> None:
    """The median of 500 is the 250th, the 99.9th percentile the 500th."""
    values = {"median_ns": 6394.0, "p999_ns": 829544.0} if received else {}
    tagged = {"sent": 500, "received": received, **values}
    found = lines(Kind.LATENCY, trial(forward=direction(1000, 999, tagged=tagged)))
    assert found[-3].startswith(f"Info: Forward tagged frames lost: {500 - received} of 500")
    assert found[-2:] == [f"Forward TL: {tl}", "Forward WCL: 2000.000000"]


def test_pdv() -> None:
    assert lines(Kind.PDV, trial(forward=direction(1000, 1000)))[2:] == [
        "Info: Forward D99_9th_perc: 0.251500",
        "Info: Forward Dmin: 0.001500",
        "Info: Forward Dmax: 0.300000",
        "Forward PDV: 0.250000",
    ]


def test_pdv_with_lost_frames() -> None:
    """Of 10,000 the 9,990th: with five lost not the 99.9th percentile of those that came, with eleven the timeout."""
    counts = {"sub_bucket_bits": 10, "counts": [[900, 9989], [1000, 6]]}
    delay = {**DELAY, "count": 9995, "min_ns": 800, "p999_ns": 900.0, "histogram": counts}
    five = lines(Kind.PDV, trial(forward=direction(10_000, 9995, delay=delay)))
    assert five[-4:] == [
        "Info: Forward D99_9th_perc: 0.001000",
        "Info: Forward Dmin: 0.000800",
        "Info: Forward Dmax: 2000.000000",
        "Forward PDV: 0.000200",
    ]
    eleven = lines(Kind.PDV, trial(forward=direction(10_000, 9989, delay={**delay, "count": 9989})))
    assert eleven[-1] == "Forward PDV: 1999.999200"


def test_a_frame_timeout_counts_frames() -> None:
    one = trial(forward=direction(1000, 990, lost=3, late=7))
    assert lines(Kind.PDV, one, frame_timeout_ms=10) == [
        "Forward frames sent: 1000",
        "Forward frames received: 990",
        "Info: Forward frames completely missing: 3",
        "Info: Forward frames that came back wrong, late: 7",
    ]


def test_phase_1() -> None:
    wanted = Connections(500, 1000, 0.5)
    good = trial(first=direction(500, 500), forward=direction(1000, 1000))
    assert lines(Kind.THROUGHPUT, good, connections=wanted)[:3] == [
        "Preliminary frames sent: 500",
        "Preliminary frames received: 500",
        "Forward frames sent: 1000",
    ]
    assert lines(Kind.THROUGHPUT, trial(first=direction(500, 499)), connections=wanted) == [
        "Preliminary frames sent: 500",
        "Preliminary frames received: 499",
        "Error: Failed to fill state table (valid entries: 499, state table size: 500)!",
    ]


def test_a_phase_1_that_says_nothing() -> None:
    """The Tester was too slow: no error of the DUT's table."""
    one = trial(valid=False, first=direction(400, 400), first_valid=False)
    assert lines(Kind.THROUGHPUT, one, connections=Connections(500, 1000, 0.5)) == [
        "Preliminary frames sent: 400",
        "Preliminary frames received: 400",
        "Info: the test is invalid: sending took 1.2 s",
    ]
