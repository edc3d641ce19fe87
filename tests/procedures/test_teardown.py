"""Connection tear-down rate (R9693-4.8)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.procedures.stateful_dut import StatefulDut
from tests.trials import with_experiment
from xlatperf.procedures.conditions import Conditions
from xlatperf.procedures.quantity import LimitedBy, Measured, Quantity, Value
from xlatperf.procedures.teardown import (
    DELETING,
    DELETING_EMPTY,
    GROSS_RATE,
    RATE,
    Teardown,
    rate_of_medians,
)
from xlatperf.procedures.trial import MeasurementFailed, Trial
from xlatperf.procedures.trial_request import TrialRequest

WANTED = Teardown(procedure="teardown")
CONDITIONS = Conditions(TrialRequest(84, "ipv6", 1.0, 60.0), 1e9, connections=1000, establish_fps=10_000.0)


def value(measured: Measured, quantity: Quantity) -> float | None:
    (found,) = [one.value for one in measured.values if one.quantity is quantity]
    return found


def test_both_rates() -> None:
    """N / (TimestampB - TimestampA) less what an empty table takes, and beside it the same with that."""
    dut = StatefulDut(clear_s=0.010, clear_each_s=10e-6)
    found = WANTED.run(CONDITIONS, dut)
    assert value(found, RATE) == pytest.approx(1000 / 0.010)
    assert value(found, GROSS_RATE) == pytest.approx(1000 / 0.020)
    assert found.limited_by is None
    assert value(found, DELETING) == pytest.approx(0.020)
    assert value(found, DELETING_EMPTY) == pytest.approx(0.010)
    assert (found.trials, found.final_trial) == ((0, 1, 2, 3), 3)
    assert [request.connections.count for request in dut.requests if request.connections] == [0, 0, 0, 1000]
    assert all(request.connections.clear for request in dut.requests if request.connections)


def test_a_table_that_is_not_full() -> None:
    with pytest.raises(MeasurementFailed, match="at 10,000 connections/s was not complete: 500 of 1,000 frames lost"):
        WANTED.run(CONDITIONS, StatefulDut(establish_fps=5_000))
    with pytest.raises(MeasurementFailed, match="the DUT held 600 of 1,000 connections"):
        WANTED.run(CONDITIONS, StatefulDut(size=600, policy="oldest"))


def test_entries_that_can_not_be_counted() -> None:
    assert value(WANTED.run(CONDITIONS, StatefulDut(counts=False)), RATE) is not None


class Unsteady(StatefulDut):
    """Deletes in one of these times after the other."""

    times_s = (0.0052, 0.0054, 0.0053, 0.00558)

    def __call__(self, request: TrialRequest) -> Trial:
        outcome = super().__call__(request)
        seconds = self.times_s[(len(self.requests) - 1) % len(self.times_s)]
        return with_experiment(outcome, cleared_s=seconds)


def test_too_few_to_tell() -> None:
    """10,000 connections in 5.58 ms, none in 5.2 to 5.4 ms: that isn't 35 million per second."""
    found = WANTED.run(replace(CONDITIONS, connections=10_000), Unsteady())
    assert found.limited_by == "resolution"
    assert value(found, RATE) == value(found, GROSS_RATE) == pytest.approx(10_000 / 0.00558)
    (said,) = found.remarks
    assert "took 0.28 ms longer than deleting none, which took 5.2 to 5.4 ms" in said
    assert WANTED.run(replace(CONDITIONS, connections=1), StatefulDut(clear_each_s=0.0)).limited_by == "resolution"


def test_of_the_medians() -> None:
    """N / (median full - median empty), as draft-lencse-v6ops-transition-scalability has it; not the rates' median."""
    full, empty = [0.020, 0.030, 0.021], [0.010, 0.002, 0.009]
    assert rate_of_medians(1000, full, empty).value == pytest.approx(1000 / 0.012)


@pytest.mark.parametrize(
    ("rates", "median", "bound"),
    [
        ([(821_693, None), (1_242_236, "resolution")], 1_031_964.5, ">="),
        ([(821_693, None), (900_000, None), (1_242_236, "resolution")], 900_000, ""),
        ([(821_693, "resolution"), (900_000, None), (1_242_236, None)], 900_000, ">="),
    ],
)
def test_of_lower_bounds(rates: list[tuple[float, LimitedBy | None]], median: float, bound: str) -> None:
    """The median is never below the lowest repetition; a bound only if it depends on one."""
    found = [
        Measured((Value(RATE, None, rate), Value(DELETING, None, 0.001)), (1,), limited_by=limit)
        for rate, limit in rates
    ]
    (derived,) = WANTED.derived(found, replace(CONDITIONS, connections=1000))
    assert (derived.value, derived.bound) == (median, bound)


def test_a_driver_that_can_not_delete() -> None:
    class Forgetful(StatefulDut):
        def __call__(self, request: TrialRequest) -> Trial:
            outcome = super().__call__(request)
            return with_experiment(outcome, cleared_s=None)

    with pytest.raises(MeasurementFailed, match="driver can't delete it"):
        WANTED.run(CONDITIONS, Forgetful())


def test_a_collapse() -> None:
    with pytest.raises(MeasurementFailed, match="the DUT collapsed"):
        WANTED.run(CONDITIONS, StatefulDut(collapse_above=100))
