"""Series over the number of connections, subscribers and of the DUT's cores: what belongs together, how it is named."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from xlatperf.keys.in_words import plural
from xlatperf.procedures.establishment import ERROR
from xlatperf.procedures.quantity import Bound
from xlatperf.procedures.registry import BY_NAME
from xlatperf.procedures.teardown import DELETING, DELETING_EMPTY, GROSS_RATE
from xlatperf.report.bounds import of_series
from xlatperf.report.figure import Figure, Statistic, figure
from xlatperf.report.values import find, median_of
from xlatperf.results.results import Measurement
from xlatperf.results.statistics import Summary
from xlatperf.results.value_records import ValueSeries


def full_name(item: Measurement) -> str:
    """With alpha, where it has no column."""
    alpha = validated_at(item)
    return item.series if alpha is None else f"{item.series}, validated at alpha = {alpha:g}"


def connections_of(item: Measurement) -> int | None:
    """N; None for a stateless DUT, and where the procedure varies it."""
    return item.connections.count if item.connections is not None else None


@dataclass(frozen=True)
class Axis:
    """What a series can be over."""

    value: Callable[[Measurement], int | None]
    """Where on it a measurement is; None: nowhere."""
    one: str
    counted: str
    """What is counted, in full: `CPU cores`."""
    row: str
    """As the draft's tables name it."""
    heading: tuple[str, str]
    """Of a column: name and unit."""
    at: str
    """How a place is said, after what was measured."""
    about: str
    """Why there is such a series, with the section that asks for it."""
    many: str | None = None
    """Several of it; None: with an s."""
    proportional: bool = False
    """Rates should grow with it; else they should stay as they are."""

    def in_words(self, count: int) -> str:
        """`1 core`, `40,000 connections`."""
        return plural(count, self.one, self.many)


CONNECTIONS = Axis(
    connections_of,
    "connection",
    "connections",
    "num. conn.",
    ("Connections", ""),
    " with {}",
    "RFC 9693 §5: the same measurements for several numbers of connections.",
)
SUBSCRIBERS = Axis(
    lambda item: item.subscribers,
    "subscriber",
    "subscribers",
    "num. subscribers",
    ("Subscribers", ""),
    " for {}",
    "RFC 8219 §10.2: the same measurements for several numbers of subscribers, whom the Tester simulates.",
)
CORES = Axis(
    lambda item: item.device_cores,
    "core",
    "CPU cores",
    "num. CPU cores",
    ("Cores", "of the DUT"),
    " on {} of the device",
    "RFC 9693 §5.2: the same measurements for several numbers of the device's CPU cores.",
    proportional=True,
)
NETWORKS = Axis(
    lambda item: item.networks,
    "network",
    "networks",
    "num. networks",
    ("Networks", "each side"),
    " with {} on each side",
    "RFC 8219 §10.2, RFC 2544 §12: the same measurements for several numbers of networks.",
)
COUNTED_FLOWS = Axis(
    lambda item: item.flows,
    "flow",
    "flows",
    "num. flows",
    ("Flows", ""),
    " with {}",
    "RFC 8219 §10.2: the same measurements for several numbers of flows.",
)
TABLE_SIZE = Axis(
    lambda item: item.table_size,
    "entry",
    "entries of the device's table",
    "table size",
    ("Table size", "entries"),
    ", a table of {}",
    "RFC 9693 §6: the same measurements for several sizes of the device's table.",
    many="entries",
)
HASH_SIZE = Axis(
    lambda item: item.hash_size,
    "bucket",
    "buckets of the device's hash table",
    "hash table size",
    ("Hash table", "buckets"),
    ", a hash table of {}",
    "RFC 9693 §6: the same measurements for several sizes of the device's hash table.",
)
FLOWS = (SUBSCRIBERS, NETWORKS, COUNTED_FLOWS)
"""What n of RFC 8219 §10.2 counts."""
AXES = (CONNECTIONS, SUBSCRIBERS, NETWORKS, COUNTED_FLOWS, CORES, TABLE_SIZE, HASH_SIZE)


def point(item: Measurement) -> tuple[tuple[Axis, int], ...]:
    """Where in its series a measurement is, on each axis that it has."""
    values = ((axis, axis.value(item)) for axis in AXES)
    return tuple((axis, value) for axis, value in values if value is not None)


def axes_of(measurements: Iterable[Measurement]) -> list[Axis]:
    """Those that some measurement is on."""
    there = {axis for item in measurements for axis, _ in point(item)}
    return [axis for axis in AXES if axis in there]


def place(item: Measurement) -> str:
    """` with 10,000 connections on 2 cores of the device`; nothing for others."""
    return "".join(axis.at.format(axis.in_words(value)) for axis, value in point(item))


def alpha_of(item: Measurement) -> float | None:
    """Rate of the validation as a share of phase 1's (RFC 9693 §4.6); None: no validation."""
    value = item.parameters.get("alpha")
    return float(value) if isinstance(value, int | float) else None


def flow_interval_of(item: Measurement) -> float | None:
    """How long after the one before a flow began, in s (RFC 8219 §10.2.2); None: all began at once."""
    value = item.parameters.get("flow_interval_s")
    return float(value) if isinstance(value, int | float) else None


def validated_at(item: Measurement) -> float | None:
    """The alpha that tells its series from others; a search for the capacity has one too, and always the same."""
    return alpha_of(item) if BY_NAME[item.procedure].facts.finds == "establishment" else None


def _rate(item: Measurement) -> ValueSeries | None:
    """That a series is about, if there is a result."""
    found = (find(item, rate, None) for rate in BY_NAME[item.procedure].facts.performance)
    return next((one for one in found if one is not None and one.summary is not None), None)


def bound_of(item: Measurement, value: float) -> Bound:
    """Whether a statistic of the rate that a series is about is a bound."""
    series = _rate(item)
    if series is None:
        return ""
    return of_series(item, series, value)


def performance(item: Measurement) -> Summary | None:
    """The rate that a series is about, over all repetitions; None: nothing was found, or it's no rate."""
    procedure, series = BY_NAME[item.procedure], _rate(item)
    summary = None if series is None else series.summary
    if summary is None or procedure.facts.of_medians is None:
        return summary
    rate = next((one.value for one in item.derived if one.quantity == procedure.facts.of_medians), None)
    return None if rate is None else summary.model_copy(update={"median": rate})


def rate_found(item: Measurement, statistic: Statistic) -> Figure | None:
    """A statistic of that rate."""
    series, summary = _rate(item), performance(item)
    return (
        None
        if series is None or summary is None
        else figure(item, series.model_copy(update={"summary": summary}), statistic)
    )


def with_the_call(item: Measurement) -> float | None:
    """Of a tear-down: the same rate with what deleting an empty table takes, N / time of deleting the full one."""
    found = performance(item)
    full, empty = median_of(item, DELETING, None), median_of(item, DELETING_EMPTY, None)
    if found is None or not full or any(one.limited_by is not None for one in item.repetitions):
        return median_of(item, GROSS_RATE, None)
    return found.median * (full - (empty or 0.0)) / full


def largest_error(item: Measurement) -> float | None:
    """Distance to the lowest rate that failed, the largest of all repetitions (RFC 9693 §6)."""
    found = find(item, ERROR, None)  # called the same for each rate
    return None if found is None or found.summary is None else found.summary.maximum
