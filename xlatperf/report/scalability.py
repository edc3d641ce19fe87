"""The tables of scalability: RFC 9693 §6, Table 1, and one after draft-lencse-v6ops-transition-scalability.

Pure: what is in the tables, whatever they are written as. A table is made wherever a rate was measured for more than
one number of connections, subscribers or CPU cores.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, TypeVar

from xlatperf.procedures import scale_up, teardown
from xlatperf.procedures.procedure import Procedure
from xlatperf.procedures.quantity import Bound, Quantity
from xlatperf.procedures.registry import BY_NAME
from xlatperf.report import words
from xlatperf.report.bounds import of_difference_from_one, of_ratio
from xlatperf.report.evidence import Evidence
from xlatperf.report.series import (
    AXES,
    CONNECTIONS,
    SUBSCRIBERS,
    Axis,
    alpha_of,
    bound_of,
    connections_of,
    largest_error,
    performance,
    point,
    with_the_call,
)
from xlatperf.report.state_table import StateTable, state_table
from xlatperf.report.values import directions, median_of
from xlatperf.results.connection_records import ConnectionsRecord
from xlatperf.results.results import Measurement
from xlatperf.results.statistics import Summary

_T = TypeVar("_T")
Place = tuple[tuple[Axis, int], ...]
Shown = Literal["count", "rate", "ratio", "seconds"]
_DIRECTIONS = {"forward": "left to right", "reverse": "right to left", "bidirectional": "sum of both directions"}
_FRAMES = "frames/s"
"""The draft has them of both directions together."""
_RFC, _DRAFT = "RFC 9693 §6, Table 1", "after draft-lencse-v6ops-transition-scalability"


@dataclass(frozen=True)
class TableRow:
    """A value for each column; None: not measured, or not known. A row without values is a heading.

    `bounds`: which of the values are bounds; empty: none is.
    """

    name: str
    unit: str = ""
    values: tuple[float | None, ...] = ()
    shown: Shown = "count"
    important: bool = False
    bounds: tuple[Bound, ...] = ()

    def bound(self, column: int) -> Bound:
        """Of the value in a column."""
        return self.bounds[column] if self.bounds else ""

    def text(self, value: float) -> str:
        """With as many places as it needs."""
        if self.shown == "ratio":
            return f"{value:.3f}"
        if self.shown == "seconds":
            return f"{value:.6f}" if value < 1 else f"{value:.3f}"
        return f"{value:,.0f}" if value >= 1000 or value == int(value) else f"{value:,.3f}"


@dataclass(frozen=True)
class ScalabilityTable:
    """`columns`: places on an axis, which `head` names. `standard`: whose table it is."""

    standard: str
    title: str
    head: str
    columns: tuple[int, ...]
    rows: tuple[TableRow, ...]


@dataclass(frozen=True)
class Curve:
    """One rate over an axis; `fixed`: where it is on the others."""

    procedure: type[Procedure]
    name: str
    unit: str
    over: Axis
    fixed: Place
    members: dict[int, Measurement]

    def summaries(self) -> dict[int, Summary]:
        """Of the points that have a result."""
        found = {place: performance(item) for place, item in self.members.items()}
        return {place: summary for place, summary in sorted(found.items()) if summary is not None}

    @property
    def ways(self) -> int:
        """Directions whose rates are added, as the draft has them: a search has the same rate in each."""
        return len(directions(next(iter(self.members.values())))) if self.unit == _FRAMES else 1

    def totals(self) -> dict[int, Summary]:
        """`summaries` of all directions together."""
        ways = self.ways
        names = ("median", "p1", "p99", "minimum", "maximum")
        return {
            place: one.model_copy(update={name: ways * getattr(one, name) for name in names})
            for place, one in self.summaries().items()
        }

    def bounds(self) -> dict[int, Bound]:
        """Points whose median is one."""
        each = {place: bound_of(self.members[place], one.median) for place, one in self.summaries().items()}
        return {place: bound for place, bound in each.items() if bound}

    @property
    def validated(self) -> bool:
        """RFC 9693 §4.6."""
        return any(alpha_of(item) is not None for item in self.members.values())


@dataclass(frozen=True)
class Group:
    """Lines of the same frames over the same: one table."""

    where: str
    over: Axis
    fixed: Place
    lines: tuple[Curve, ...]

    @property
    def columns(self) -> tuple[int, ...]:
        """All places that some line has."""
        return tuple(sorted({place for line in self.lines for place in line.members}))

    def any_at(self, place: int) -> Measurement:
        """Some measurement there: sizes and ports are the same for all."""
        having = [line.members[place] for line in self.lines if place in line.members]
        return next((item for item in having if item.connections and item.connections.server_ports), having[0])


def groups(measurements: Sequence[Measurement]) -> list[Group]:
    """Over connections first, cores last; only those with more than one of them."""
    found: list[Group] = []
    for over in AXES:
        lines: dict[tuple[str, Place], list[Curve]] = {}
        for line, where in _lines(measurements, over):
            lines.setdefault((where, line.fixed), []).append(line)
        found += [Group(where, over, fixed, tuple(members)) for (where, fixed), members in lines.items()]
    return found


def _lines(measurements: Sequence[Measurement], over: Axis) -> Iterator[tuple[Curve, str]]:
    kinds: dict[tuple[Place, tuple[object, ...]], list[dict[int, Measurement]]] = {}
    for item in measurements:
        place = over.value(item)
        fixed = tuple(other for other in point(item) if other[0] != over)
        if place is None or not BY_NAME[item.procedure].facts.performance:
            continue
        key = (item.procedure, item.series, item.frame_size, item.mix, item.direction)
        same = kinds.setdefault((fixed, (*key, item.frame_timeout_ms, alpha_of(item))), [])
        free = next((members for members in same if place not in members), None)
        if free is None:  # the bench file measures the same twice: a line of its own
            same.append({place: item})
        else:
            free[place] = item
    for (fixed, _), same in kinds.items():
        for members in same:
            if len(members) > 1:
                first = next(iter(members.values()))
                where = f"{words.sizes(first.frame_size)} bytes{words.with_mix(first)}"
                yield _line(first, over, fixed, members), where


def _line(first: Measurement, over: Axis, fixed: Place, members: dict[int, Measurement]) -> Curve:
    procedure, alpha = BY_NAME[first.procedure], alpha_of(first)
    rate = procedure.facts.performance[0 if alpha is None else -1]
    name = rate.name if alpha is None else f"{rate.name}, alpha = {alpha:g}"
    if rate.unit == _FRAMES:
        name += f", {_DIRECTIONS[first.direction]}{words.timely(first)}"
    return Curve(procedure, name, rate.unit, over, fixed, members)


def tables(evidence: Evidence) -> list[ScalabilityTable]:
    """All tables of a campaign."""
    table = state_table(evidence)
    found: list[ScalabilityTable] = []
    for group in groups(evidence.results.measurements):
        if group.over == CONNECTIONS:
            found += [_rfc(group, line, table) for line in group.lines if line.procedure.facts.finds == "establishment"]
        found.append(_draft(group, table))
    return found


def _rfc(group: Group, line: Curve, table: StateTable) -> ScalabilityTable:
    """RFC 9693 §6: (req.) is required, (i.s.) depends on the implementation."""
    columns = tuple(sorted(line.members))
    at = [line.members[place] for place in columns]
    summaries = [performance(item) for item in at]
    rows = [
        *_ports([item.connections for item in at], "source port numbers (req.)", "destination port numbers (req.)"),
        *_of_implementation(columns, table, " (i.s.)"),
        TableRow("number of experiments (req.)", "", _each(summaries, lambda one: one.n)),
        TableRow("error of binary search (req.)", "connections/s", tuple(largest_error(item) for item in at), "rate"),
        _rates("connections/s median (req.)", "", at, lambda one: one.median, important=True),
        _rates("connections/s 1st perc. (req.)", "", at, lambda one: one.p1),
        _rates("connections/s 99th perc. (req.)", "", at, lambda one: one.p99),
    ]
    title = f"Maximum {line.name} over the number of sessions, {group.where}{on(line.fixed)}"
    return ScalabilityTable(_RFC, title, "number of sessions (req.)", columns, tuple(rows))


def _draft(group: Group, table: StateTable) -> ScalabilityTable:
    """Performance against the number of connections, subscribers or cores, with relative scale-up."""
    columns = group.columns
    at = [group.any_at(place) for place in columns]
    counts = columns if group.over == CONNECTIONS else tuple(connections_of(item) or 0 for item in at)
    rows = []
    if any(counts):
        rows += _ports([item.connections for item in at], "src ports", "dst ports")
        if group.over != CONNECTIONS:
            rows.append(TableRow(CONNECTIONS.row, "", tuple(float(count) for count in counts)))
        rows += _of_implementation(counts, table, "")
    for line in group.lines:
        rows += _of_line(line, columns)
    title = f"Performance against the number of {group.over.counted}, {group.where}{on(group.fixed)}"
    return ScalabilityTable(_DRAFT, title, group.over.row, columns, tuple(rows))


def on(fixed: Place) -> str:
    """What is the same in all columns."""
    return "".join(f", {axis.in_words(value)}" for axis, value in fixed)


def _ports(known: Sequence[ConnectionsRecord | None], source: str, destination: str) -> list[TableRow]:
    """Numbers of ports, and of addresses where there are several (RFC 9693 §5.1)."""
    if not any(known):
        return []
    rows = [
        TableRow(source, "", _each(known, lambda one: one.client_ports[1] - one.client_ports[0] + 1)),
        TableRow(
            destination,
            "",
            tuple(
                one.server_ports[1] - one.server_ports[0] + 1 if one is not None and one.server_ports else None
                for one in known
            ),
        ),
    ]
    for name, addresses in (
        ("source addresses", _each(known, lambda one: one.clients.addresses)),
        ("destination addresses", _each(known, lambda one: one.servers.addresses)),
    ):
        if any(count is not None and count > 1 for count in addresses):
            rows.append(TableRow(name, "", addresses))
    return rows


def _of_implementation(counts: Sequence[int], table: StateTable, mark: str) -> list[TableRow]:
    """What environment.json says of the DUT's table; it's the same in all columns."""
    rows = []
    if table.buckets is not None:
        rows.append(TableRow(f"{table.buckets_name}{mark}", "", (float(table.buckets),) * len(counts)))
    if table.entries is not None:
        rows.append(TableRow(f"{table.entries_name}{mark}", "", (float(table.entries),) * len(counts)))
    if table.buckets:
        shares = tuple(count / table.buckets for count in counts)
        rows.append(TableRow(f"num. sessions / {table.buckets_name}{mark}", "", shares, "ratio"))
    return rows


def _of_line(line: Curve, columns: Sequence[int]) -> list[TableRow]:
    at = [line.members.get(place) for place in columns]
    summaries = [performance(item) if item is not None else None for item in at]
    rows = [
        TableRow(line.name),
        TableRow("num. experiments", "", _each(summaries, lambda one: one.n)),
    ]
    ways = line.ways
    errors = tuple(largest_error(item) if item is not None else None for item in at)
    if any(error is not None for error in errors):
        total = tuple(error * ways if error is not None else None for error in errors)
        rows.append(TableRow("error", line.unit, total, "rate"))
    rows += _if_measured("deleting all, median", "s", at, teardown.DELETING, "seconds")
    rows += _if_measured("deleting none, median", "s", at, teardown.DELETING_EMPTY, "seconds")
    short, shorter = _SHORT.get(line.procedure.facts.finds, ("", ""))
    median = _rates(f"{short}median", line.unit, at, lambda one: one.median, ways, important=True)
    rows.append(median)
    ends: list[tuple[str, Callable[[Summary], float]]] = [
        (f"{short}min", lambda one: one.minimum),
        (f"{short}max", lambda one: one.maximum),
    ]
    if line.over == SUBSCRIBERS or any(one is not None and one.n >= 100 for one in summaries):
        ends += [(f"{short}P1", lambda one: one.p1), (f"{short}P99", lambda one: one.p99)]
    rows += [_rates(name, line.unit, at, value, ways) for name, value in ends]
    if line.procedure is teardown.Teardown:
        gross = tuple(with_the_call(item) if item is not None else None for item in at)
        rows.append(TableRow("median with the call", line.unit, gross, "rate"))
    if ways > 1:
        name = f"{short}median of each direction"
        rows.append(_rates(name, line.unit, at, lambda one: one.median))
    rows += _relative(line, columns, median, shorter)
    return rows


def _relative(line: Curve, columns: Sequence[int], median: TableRow, shorter: str) -> Iterator[TableRow]:
    """What follows from the medians: a ratio of two lower bounds isn't known."""
    medians = dict(zip(columns, median.values, strict=True))
    bounds = {place: median.bound(column) for column, place in enumerate(columns)}
    measured = {place: value for place, value in medians.items() if place in line.members}
    if line.over.proportional:
        relative, formula, first = scale_up.by_cores(measured), "P(n) / (n P(1))", 1
    else:
        relative, formula, first = scale_up.by_number(measured), "P(ni) / P(n0)", min(measured)

    def row(name: str, unit: str, first: int, values: dict[int, float | None], minus: bool = False) -> TableRow:
        of: dict[int, Bound | None] = {
            place: "" if place == first else of_ratio(bounds[place], bounds.get(first, "")) for place in columns
        }
        known = tuple(values.get(place) if of[place] is not None else None for place in columns)
        signs = tuple(of_difference_from_one(of[place] or "") if minus else of[place] or "" for place in columns)
        return TableRow(name, unit, known, "ratio", bounds=_if_any(signs, known))

    yield row(f"{shorter}rel. scale up", formula, first, relative)
    alone = measured.get(1)
    if line.over == SUBSCRIBERS and alone is not None:
        worse = {
            place: scale_up.degradation_percent(alone, rate, "higher") if rate is not None else None
            for place, rate in medians.items()
        }
        yield row(f"{shorter}degradation", "%, RFC 8219 §10.2.1", 1, worse, minus=True)


_SHORT: dict[str | None, tuple[str, str]] = {"establishment": ("cps ", "cps "), "throughput": ("throughput ", "tp ")}
"""As the draft names its rows: cps are connections per second."""


def _rates(
    name: str,
    unit: str,
    at: Sequence[Measurement | None],
    statistic: Callable[[Summary], float],
    ways: int = 1,
    *,
    important: bool = False,
) -> TableRow:
    """A statistic of the rate that each measurement is about.

    `ways`: directions together, as the draft has them: a search has the same rate in each.
    """
    values: list[float | None] = []
    bounds: list[Bound] = []
    for item in at:
        summary = performance(item) if item is not None else None
        value = statistic(summary) if summary is not None else None
        bounds.append(bound_of(item, value) if item is not None and value is not None else "")
        values.append(value * ways if value is not None else None)
    return TableRow(name, unit, tuple(values), "rate", important, _if_any(bounds, values))


def _if_any(bounds: Sequence[Bound], values: Sequence[float | None]) -> tuple[Bound, ...]:
    """Of values that there are; empty if none is a bound."""
    found: list[Bound] = [bound if value is not None else "" for bound, value in zip(bounds, values, strict=True)]
    return tuple(found) if any(found) else ()


def _each(found: Sequence[_T | None], value: Callable[[_T], float]) -> tuple[float | None, ...]:
    return tuple(value(one) if one is not None else None for one in found)


def _if_measured(
    name: str, unit: str, at: Sequence[Measurement | None], quantity: Quantity, shown: Shown
) -> list[TableRow]:
    """Medians over the repetitions; no row where there are none."""
    medians = tuple(median_of(item, quantity, None) if item is not None else None for item in at)
    return [TableRow(name, unit, medians, shown)] if any(one is not None for one in medians) else []
