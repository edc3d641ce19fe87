"""Connection tear-down rate: how fast the DUT deletes its whole table of N connections (RFC 9693 §4.8)."""

from __future__ import annotations

from dataclasses import dataclass
from statistics import median

from xlatperf.procedures.connections import Connections
from xlatperf.procedures.quantity import Measured, Quantity, Value
from xlatperf.procedures.trial import Measure, MeasurementFailed, Outcome, TrialRequest, measure_once

RATE = Quantity(
    "connection tear-down rate",
    "connections/s",
    "N / time that deleting the whole table took",
    "RFC 9693 §4.8",
)
NET_RATE = Quantity(
    "connection tear-down rate less empty table",
    "connections/s",
    "N / (time that deleting the whole table took - time that the same took of an empty table)",
    "RFC 9693 §4.8",
)
DELETING = Quantity("deleting the table", "s", "TimestampB - TimestampA", "RFC 9693 §4.8", role="beside")
DELETING_EMPTY = Quantity("deleting an empty table", "s", "median of several: what the call alone takes", role="beside")
QUANTITIES = (RATE, NET_RATE, DELETING, DELETING_EMPTY)


@dataclass(frozen=True)
class TearDown:
    """Parameters: `connections` (N), opened at `establish_fps`, safely below the establishment rate."""

    trial: TrialRequest
    connections: int
    establish_fps: float
    empty_times: int = 3
    retries: int = 2

    def request(self, count: int) -> TrialRequest:
        """Opens `count` connections, then deletes all."""
        wanted = Connections(count, "establish", clear=True)
        return self.trial.experiment(wanted, self.establish_fps, "tear down" if count else "tear down nothing")


def teardown(wanted: TearDown, measure: Measure) -> Measured:
    """One tear-down, after some of an empty table. Raises MeasurementFailed."""
    trials: tuple[int, ...] = ()
    empty: list[float] = []
    for _ in range(wanted.empty_times):
        outcome, numbers = measure_once(measure, wanted.request(0), wanted.retries)
        trials += numbers
        empty.append(_cleared_s(outcome))
    outcome, numbers = measure_once(measure, wanted.request(wanted.connections), wanted.retries)
    trials += numbers
    _check_loaded(wanted, outcome)
    full_s, empty_s = _cleared_s(outcome), median(empty)
    net_s = full_s - empty_s
    none = None if net_s > 0 else "an empty table took as long: too few connections to tell"
    values = (
        Value(RATE, None, wanted.connections / full_s if full_s > 0 else None),
        Value(NET_RATE, None, wanted.connections / net_s if net_s > 0 else None, none),
        Value(DELETING, None, full_s),
        Value(DELETING_EMPTY, None, empty_s),
    )
    return Measured(values, trials, outcome.number)


def _cleared_s(outcome: Outcome) -> float:
    seconds = outcome.experiment.cleared_s if outcome.experiment is not None else None
    if seconds is None:
        raise MeasurementFailed("how long deleting the table takes is not known: the device's driver can't delete it")
    return seconds


def _check_loaded(wanted: TearDown, outcome: Outcome) -> None:
    """RFC 9693 §4.8: N connections are loaded. Fewer make the rate too high."""
    count, rate = wanted.connections, f"{wanted.establish_fps:,.0f} connections/s"
    if not outcome.established:
        raise MeasurementFailed(
            f"phase 1 at {rate} lost {outcome.lost:,} of {count:,} connections: too few to tear down"
        )
    held = outcome.experiment.held if outcome.experiment is not None else None
    if held is not None and held < count:
        raise MeasurementFailed(
            f"after a complete phase 1 at {rate} the DUT held {held:,} of {count:,} connections: its table is too "
            "small or it forgets them too soon"
        )
