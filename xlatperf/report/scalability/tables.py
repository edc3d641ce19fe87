"""The tables of scalability: RFC 9693 §6, Table 1, and one after draft-lencse-v6ops-transition-scalability.

Pure: what is in the tables, whatever they are written as. A table is made wherever a rate was measured for more than
one number of connections, subscribers, networks or CPU cores, or in more than one column.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

from xlatperf.procedures import scale_up, teardown
from xlatperf.procedures.quantity import Bound, Quantity
from xlatperf.report.bounds import of_difference_from_one, of_ratio
from xlatperf.report.evidence import Evidence
from xlatperf.report.scalability.capacity import capacity_tables
from xlatperf.report.scalability.groups import ALPHA, OF_AXIS, SIZES, Curve, Group, Spot, groups, on
from xlatperf.report.scalability.table import ScalabilityTable, TableRow
from xlatperf.report.series import (
    CONNECTIONS,
    CORES,
    NETWORKS,
    SUBSCRIBERS,
    bound_of,
    connections_of,
    largest_error,
    performance,
    with_the_call,
)
from xlatperf.report.state_table import StateTable, state_table
from xlatperf.report.values import find
from xlatperf.results.connection_records import ConnectionsRecord
from xlatperf.results.results import Measurement
from xlatperf.results.statistics import Summary

_T = TypeVar("_T")
_RFC, _DRAFT = "RFC 9693 §6, Table 1", "after draft-lencse-v6ops-transition-scalability"


def tables(evidence: Evidence) -> list[ScalabilityTable]:
    """All tables of a campaign."""
    table = state_table(evidence)
    found: list[ScalabilityTable] = []
    for group in groups(evidence.results.measurements):
        if group.over == OF_AXIS[CONNECTIONS]:
            found += [_rfc(group, line, table) for line in group.lines if line.procedure.facts.finds == "establishment"]
        found.append(_draft(group, table))
    return [*found, *capacity_tables(evidence.results.measurements, table)]


def _rfc(group: Group, line: Curve, table: StateTable) -> ScalabilityTable:
    """RFC 9693 §6: (req.) is required, (i.s.) depends on the implementation."""
    at = [line.members[spot] for spot in group.columns if spot in line.members]
    heads = tuple(connections_of(item) or 0 for item in at)
    summaries = [performance(item) for item in at]
    rows = [
        *_ports([item.connections for item in at], "source port numbers (req.)", "destination port numbers (req.)"),
        *_of_implementation(at, table, rfc=True),
        TableRow("number of experiments (req.)", "", _each(summaries, lambda one: one.n)),
        TableRow("error of binary search (req.)", "connections/s", tuple(largest_error(item) for item in at), "rate"),
        _rates("connections/s median (req.)", "", at, lambda one: one.median, important=True),
        _rates("connections/s 1st perc. (req.)", "", at, lambda one: one.p1),
        _rates("connections/s 99th perc. (req.)", "", at, lambda one: one.p99),
    ]
    title = f"Maximum {line.name} over the number of sessions, {group.where}{on(line.fixed)}"
    return ScalabilityTable(_RFC, title, "number of sessions (req.)", heads, tuple(rows))


def _draft(group: Group, table: StateTable) -> ScalabilityTable:
    """Performance against the number of connections, subscribers, networks or cores, with relative scale-up."""
    columns = group.columns
    at = [group.any_at(spot) for spot in columns]
    rows = _changing(group, at)
    if any(connections_of(item) for item in at):
        rows += _ports([item.connections for item in at], "src ports", "dst ports")
        if group.over != OF_AXIS[CONNECTIONS]:
            rows.append(TableRow(CONNECTIONS.row, "", tuple(float(connections_of(item) or 0) for item in at)))
        rows += _of_implementation(at, table)
    for line in group.lines:
        rows += _of_line(line, columns)
    against = group.over.counted if group.over in (ALPHA, SIZES) else f"the number of {group.over.counted}"
    where = ", ".join(filter(None, (group.where, on(group.fixed).removeprefix(", "))))
    title = f"Performance against {against}" + (f", {where}" if where else "")
    return ScalabilityTable(_DRAFT, title, group.over.row, group.heads, tuple(rows))


def _changing(group: Group, at: Sequence[Measurement]) -> list[TableRow]:
    """What changes with the columns beside what leads, and has no row of its own."""
    rows = []
    for over in (*(OF_AXIS[axis] for axis in (SUBSCRIBERS, NETWORKS, CORES)), SIZES):
        values = tuple(over.value(item) for item in at)
        if over != group.over and len(set(values)) > 1:
            rows.append(TableRow(over.row, "bytes" if over == SIZES else "", values))
    return rows


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


def _of_implementation(at: Sequence[Measurement], known: StateTable, *, rfc: bool = False) -> list[TableRow]:
    """Sizes of the DUT's table: those of the columns, or what environment.json says, the same in all columns.

    RFC 9693 Table 1 has the hash table first, and one ratio; the draft has a ratio of each.
    """
    tables = [known.of(item) for item in at]
    entries, buckets = (tuple(one.entries for one in tables), tuple(one.buckets for one in tables))
    counts = [connections_of(item) for item in at]
    if rfc:
        rows = [
            TableRow(f"{known.buckets_name} (i.s.)", "", buckets),
            TableRow(f"{known.entries_name} (i.s.)", "", entries),
            TableRow(f"num. sessions / {known.buckets_name} (i.s.)", "", _ratios(counts, buckets), "ratio"),
        ]
    else:
        rows = [
            TableRow("contrack t. s.", known.entries_name, entries),
            TableRow("hash table size", known.buckets_name, buckets),
            TableRow("c.t.s/num.conn.", "", _ratios(entries, counts), "ratio"),
            TableRow("n.c./h.t.s.", "", _ratios(counts, buckets), "ratio"),
        ]
    return [row for row in rows if row.measured]


def _ratios(above: Sequence[int | None], below: Sequence[int | None]) -> tuple[float | None, ...]:
    return tuple(one / other if one and other else None for one, other in zip(above, below, strict=True))


def _of_line(line: Curve, columns: Sequence[Spot]) -> list[TableRow]:
    at = [line.members.get(spot) for spot in columns]
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
    rows += _deletions(at)
    short, shorter = _SHORT.get(line.procedure.facts.finds, ("", ""))
    median = _rates(f"{short}median", line.unit, at, lambda one: one.median, ways, important=True)
    rows.append(median)
    ends: list[tuple[str, Callable[[Summary], float]]] = [
        (f"{short}min", lambda one: one.minimum),
        (f"{short}max", lambda one: one.maximum),
    ]
    if line.over == OF_AXIS[SUBSCRIBERS] or any(one is not None and one.n >= 100 for one in summaries):
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


def _relative(line: Curve, columns: Sequence[Spot], median: TableRow, shorter: str) -> Iterator[TableRow]:
    """What follows from the medians: a ratio of two lower bounds isn't known."""
    measured = {column: median.values[column] for column, spot in enumerate(columns) if spot in line.members}
    if line.over in (ALPHA, SIZES) or not measured:
        return
    cores = {column: int(columns[column].value or 0) for column in measured}
    relative: dict[int, float | None]
    first: int | None
    if line.over.proportional:
        if len(set(cores.values())) < len(cores):
            return  # P(1) isn't one rate
        found = scale_up.by_cores({cores[column]: value for column, value in measured.items()})
        relative, formula = {column: found[count] for column, count in cores.items()}, "P(n) / (n P(1))"
        first = next((column for column, count in cores.items() if count == 1), None)
    else:
        relative, formula, first = scale_up.by_number(measured), "P(ni) / P(n0)", min(measured)

    def row(
        name: str, unit: str, of: dict[int, int | None], values: dict[int, float | None], minus: bool = False
    ) -> TableRow:
        """`of`: to which column each is compared."""
        signs: list[Bound | None] = []
        for column in range(len(columns)):
            base = of.get(column)
            below: Bound = median.bound(base) if base is not None else ""
            signs.append("" if base == column else of_ratio(median.bound(column), below))
        known = tuple(values.get(column) if sign is not None else None for column, sign in enumerate(signs))
        bounds = tuple(of_difference_from_one(sign or "") if minus else sign or "" for sign in signs)
        return TableRow(name, unit, known, "ratio", bounds=_if_any(bounds, known))

    yield row(f"{shorter}rel. scale up", formula, dict.fromkeys(measured, first), relative)
    if not line.over.proportional and len(measured) > 2:
        order = list(measured)
        before = dict(zip(order[1:], order, strict=False))
        steps = {column: _quotient(measured[column], measured[other]) for column, other in before.items()}
        yield row(f"{shorter}median / previous median", "", dict(before), steps)
    alone = next((column for column in measured if columns[column].value == 1), None)
    if line.over == OF_AXIS[SUBSCRIBERS] and alone is not None and (one := measured[alone]) is not None:
        worse = {
            column: scale_up.degradation_percent(one, rate, "higher") if rate is not None else None
            for column, rate in measured.items()
        }
        yield row(f"{shorter}degradation", "%, RFC 8219 §10.2.1", dict.fromkeys(measured, alone), worse, minus=True)


def _quotient(above: float | None, below: float | None) -> float | None:
    return above / below if above is not None and below else None


def _deletions(at: Sequence[Measurement | None]) -> list[TableRow]:
    """Of a tear-down, as the draft's Fig. 5 has them; no rows where there are none."""
    rows = []
    medians: list[tuple[float | None, ...]] = []
    for quantity, name in ((teardown.DELETING, "full"), (teardown.DELETING_EMPTY, "empty")):
        found = [_summary(item, quantity) if item is not None else None for item in at]
        medians.append(_each(found, lambda one: one.median))
        rows += [
            TableRow(f"{name} contr. del med", "s", medians[-1], "seconds"),
            TableRow(f"{name} contr. del min", "s", _each(found, lambda one: one.minimum), "seconds"),
            TableRow(f"{name} contr. del max", "s", _each(found, lambda one: one.maximum), "seconds"),
        ]
    net = tuple(
        full - empty if full is not None and empty is not None else None for full, empty in zip(*medians, strict=True)
    )
    rows.append(TableRow("conn. deletion time", "s", net, "seconds"))
    return [row for row in rows if row.measured]


def _summary(item: Measurement, quantity: Quantity) -> Summary | None:
    found = find(item, quantity, None)
    return None if found is None else found.summary


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
