"""Connection tear-down rate: how fast the DUT deletes its whole table of N connections (RFC 9693 §4.8).

The call that deletes takes its time with an empty table too. That time is measured and subtracted, as in
draft-lencse-v6ops-transition-scalability; the RFC's N / (TimestampB - TimestampA) stands beside the result.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from statistics import median
from typing import Literal

from xlatperf.keys.in_words import significant
from xlatperf.keys.model import REQUIRED, Whole, key
from xlatperf.procedures.conditions import Conditions
from xlatperf.procedures.connections import Connections
from xlatperf.procedures.deviation import Deviation
from xlatperf.procedures.facts import Facts
from xlatperf.procedures.lower_bounds import more_possible
from xlatperf.procedures.quantity import Derived, Measured, Quantity, Value
from xlatperf.procedures.shared_keys import AfterPhase1, OneWay
from xlatperf.procedures.shortfall import shortfall
from xlatperf.procedures.trial import Measure, MeasurementFailed, Trial, measure_once
from xlatperf.procedures.trial_request import TrialRequest

RATE = Quantity(
    "connection tear-down rate",
    "connections/s",
    "N / (time that deleting the whole table took - time that the same took of an empty table)",
    "RFC 9693 §4.8, draft-lencse-v6ops-transition-scalability",
)
GROSS_RATE = Quantity(
    "tear-down rate with the call",
    "connections/s",
    "N / time that deleting the whole table took, whatever the same takes of an empty one",
    "RFC 9693 §4.8",
    role="beside",
)
DELETING = Quantity("deleting the table", "s", "TimestampB - TimestampA", "RFC 9693 §4.8", role="beside")
DELETING_EMPTY = Quantity("deleting an empty table", "s", "median of several: what the call alone takes", role="beside")
_DRAFT = "draft-lencse-v6ops-transition-scalability"
OF_MEDIANS = "tear-down rate of the medians"

EMPTY_TIMES = 3
"""So often an empty table is deleted."""
RESOLVED = 3
"""Deleting N connections must take so many times longer than the times for an empty table differ among themselves."""


class Teardown(OneWay, AfterPhase1):
    """RFC 9693 §4.8: how long the DUT takes to delete N connections, less what deleting none takes."""

    facts = Facts(
        title="Connection tear-down rate",
        standard="RFC 9693 §4.8",
        quantities=(RATE, GROSS_RATE, DELETING, DELETING_EMPTY),
        performance=(RATE,),
        of_medians=OF_MEDIANS,
        smallest_only=True,
        of_connections=True,
    )

    procedure: Literal["teardown"] = key(REQUIRED, "procedure")
    repetitions: Whole = key(
        10, "number of deletions", ge=1, le=10000, source="RFC 9693 §6: several, their number is to be reported"
    )

    @property
    def steps(self) -> int:
        """Of an empty table too."""
        return 1 + EMPTY_TIMES

    def deviations(self) -> Iterator[Deviation]:
        """RFC 9693 §4.8."""
        yield from super().deviations()
        yield Deviation(
            "RFC 9693 §4.8",
            "tear-down rate = N / (TimestampB - TimestampA)",
            "less what deleting an empty table takes (draft-lencse-v6ops-transition-scalability); both are stated",
        )

    def derived(self, found: Sequence[Measured], conditions: Conditions) -> Sequence[Derived]:
        """The tear-down rate of the medians."""
        if not found:
            return ()
        full, empty = ([value for one in found for value in one.known(of)] for of in (DELETING, DELETING_EMPTY))
        if any(one.limited_by is not None for one in found):
            return (_median_of_bounds(found),)
        connections = conditions.connections or 0
        if self.phase_1_loss_tolerance:
            rates = [value for one in found for value in one.known(GROSS_RATE)]
            connections = round(median([rate * seconds for rate, seconds in zip(rates, full, strict=True)]))
        return (rate_of_medians(connections, full, empty),)

    def request(self, conditions: Conditions, count: int) -> TrialRequest:
        """Opens `count` connections, safely below the establishment rate, then deletes all."""
        wanted = Connections(count, "establish", clear=True)
        purpose = "tear down" if count else "tear down nothing"
        return conditions.trial.experiment(wanted, conditions.establish_fps or 0.0, purpose)

    def run(self, conditions: Conditions, measure: Measure) -> Measured:
        """One tear-down, after some of an empty table. Raises MeasurementFailed."""
        count = conditions.connections or 1
        trials: tuple[int, ...] = ()
        empty: list[float] = []
        for _ in range(EMPTY_TIMES):
            outcome, numbers = measure_once(measure, self.request(conditions, 0), self.retries)
            trials += numbers
            empty.append(_cleared_s(outcome))
        outcome, numbers = measure_once(measure, self.request(conditions, count), self.retries)
        trials += numbers
        count = _loaded(conditions, outcome, self.phase_1_loss_tolerance)
        full_s, empty_s = _cleared_s(outcome), median(empty)
        net_s, spread_s = full_s - empty_s, max(empty) - min(empty)
        gross = count / full_s if full_s > 0 else None
        resolved = net_s > RESOLVED * spread_s
        remark = None
        if not resolved:
            remark = (
                f"deleting {count:,} connections took {significant(1e3 * net_s)} ms longer than deleting none, which "
                f"took {significant(1e3 * min(empty))} to {significant(1e3 * max(empty))} ms: too few connections to "
                "tell more than a lower bound, N / time with the call"
            )
        values = (
            Value(RATE, None, count / net_s if resolved else gross, remark),
            Value(GROSS_RATE, None, gross),
            Value(DELETING, None, full_s),
            Value(DELETING_EMPTY, None, empty_s),
        )
        return Measured(
            values,
            trials,
            outcome.number,
            remarks=(remark,) if remark is not None else (),
            limited_by=None if resolved else "resolution",
        )


def rate_of_medians(connections: int, full_s: Sequence[float], empty_s: Sequence[float]) -> Derived:
    """Of all repetitions, of which each found more than a lower bound: what the draft prints."""
    deleting_s = median(full_s) - median(empty_s)
    return Derived(
        OF_MEDIANS,
        "connections/s",
        "N / (median of deleting the full table - median of deleting the empty one)",
        _DRAFT,
        connections / deleting_s if deleting_s > 0 else None,
    )


def _median_of_bounds(found: Sequence[Measured]) -> Derived:
    """Where the empty table's time can't be told from the full one's in some repetition."""
    rates = [(rate, one.limited_by) for one in found for rate in one.known(RATE)]
    value = median([rate for rate, _ in rates])
    return Derived(
        OF_MEDIANS,
        "connections/s",
        "median of the repetitions, of which some are lower bounds: N / time of deleting the full table",
        _DRAFT,
        value,
        ">=" if more_possible(rates, value) else "",
    )


def _cleared_s(outcome: Trial) -> float:
    seconds = outcome.experiment.cleared_s if outcome.experiment is not None else None
    if seconds is None:
        raise MeasurementFailed("how long deleting the table takes is not known: the device's driver can't delete it")
    return seconds


def _loaded(conditions: Conditions, outcome: Trial, may_lose: float) -> int:
    """RFC 9693 §4.8: N connections are loaded, less what may be lost. Fewer than are known make the rate too high."""
    count, rate = conditions.connections or 1, f"{conditions.establish_fps or 0:,.0f} connections/s"
    if not outcome.passed({"forward": may_lose}):
        raise MeasurementFailed(
            f"phase 1 at {rate} was not complete: {shortfall(outcome)}", "too few connections to tear down"
        )
    count -= outcome.lost
    held = outcome.experiment.held if outcome.experiment is not None else None
    if held is not None and held < count:
        raise MeasurementFailed(
            f"after a complete phase 1 at {rate} the DUT held {held:,} of {count:,} connections",
            "its table is too small, it forgets them too soon, or one of its entries stands for several of them",
        )
    return count
