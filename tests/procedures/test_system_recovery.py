"""System recovery of DUTs with known recovery time (R2544-26.5, R8219-7.6)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from tests.simulated_frames import MS, Fate, FramesMeasure
from xlatperf.engine.message import DirectionName
from xlatperf.procedures.conditions import Conditions, Throughput
from xlatperf.procedures.latency import FRAMES_LOST
from xlatperf.procedures.quantity import Measured, Quantity
from xlatperf.procedures.system_recovery import LAST_LOST, RECOVERY, SystemRecovery
from xlatperf.procedures.trial_request import RateFor, TrialRequest

WANTED = SystemRecovery(procedure="system_recovery", reduced_s=2)
CONDITIONS = Conditions(TrialRequest(84, "ipv6", 1.0, 2.0), throughput=Throughput(1000.0), maximum_fps=10_000.0)


def lossy(until_s: float, *, start_s: float = 0.5) -> Fate:
    """Every tenth frame due from `start_s` until then is lost, and nothing in reverse."""

    def fate(request: TrialRequest, name: DirectionName, number: int, due_s: float) -> float | None:
        return None if name == "forward" and start_s <= due_s < until_s and number % 10 == 0 else MS

    return fate


def value(measured: Measured, quantity: Quantity, direction: DirectionName | None = "forward") -> float | None:
    (found,) = [one for one in measured.values if one.quantity is quantity and one.direction == direction]
    return found.value


def test_known_recovery_time() -> None:
    """R2544-26.5: 110 % of the throughput, then half of that; B - A by the due time of the last lost frame."""
    measure = FramesMeasure(lossy(2.7))
    found = WANTED.run(CONDITIONS, measure)
    assert (measure.requests[0].rate_fps, measure.requests[0].then) == (1100, (RateFor(550, 2.0),))
    assert value(found, RECOVERY) == pytest.approx(0.7, abs=10 / 550)
    number = value(found, LAST_LOST)
    assert number is not None
    assert value(found, RECOVERY) == pytest.approx((number - 2200) / 550)
    assert value(found, RECOVERY, "reverse") is None
    assert "lost no frame" in next(one.remark or "" for one in found.values if one.direction == "reverse")
    assert value(found, FRAMES_LOST, "reverse") == 0
    assert found.no_result is None


def test_no_overload_for_sure() -> None:
    """110 % of a lower bound may be less than the throughput."""
    bound = replace(CONDITIONS, throughput=Throughput(1000.0, ("tester",)))
    found = WANTED.run(bound, FramesMeasure(lossy(2.7)))
    assert found.remarks == (
        "the throughput is at least 1,000 fps, limited by the Tester: the DUT may be faster; it isn't known whether "
        "there was an overload",
    )
    assert not WANTED.run(CONDITIONS, FramesMeasure(lossy(2.7))).remarks


def test_recovered_at_once() -> None:
    found = WANTED.run(CONDITIONS, FramesMeasure(lossy(1.9)))
    assert value(found, RECOVERY) == 0


@pytest.mark.parametrize(
    ("fate", "why"),
    [
        (lossy(0.0), "lost no frame"),
        (lossy(9.0, start_s=2.1), "at the reduced rate only"),
        (lambda _, __, ___, due_s: MS if due_s < 1 else None, "until the end of 2 s at 550 fps"),
    ],
)
def test_not_measurable(fate: Fate, why: str) -> None:
    found = WANTED.run(CONDITIONS, FramesMeasure(fate))
    assert found.no_result is not None
    assert why in found.no_result.in_words()
    assert value(found, RECOVERY) is None


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"maximum_fps": 1000.0}, "the highest rate of 1000 fps"),
        ({"tester_limit_fps": 900.0}, "the Tester's own limit"),
    ],
)
def test_no_overload_is_possible(changes: dict[str, Any], why: str) -> None:
    """R2544-26.5 TRAP: at the maximum of the media there may be no overload; nothing is sent then."""
    measure = FramesMeasure(lossy(2.7))
    found = WANTED.run(replace(CONDITIONS, **changes), measure)
    assert found.no_result is not None
    assert why in found.no_result.in_words()
    assert not measure.requests


def test_less_overload_than_asked_is_said() -> None:
    found = WANTED.run(replace(CONDITIONS, maximum_fps=1050.0), FramesMeasure(lossy(2.7)))
    assert found.remarks == ("the overload is 105.0 % of the throughput, not 110 %: the maximum of the media",)
