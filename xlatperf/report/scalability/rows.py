"""Rows of tables of scalability: ports, sizes of the device's table, rates, what follows from medians, deletions."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TypeVar

from xlatperf.procedures import scale_up, teardown
from xlatperf.procedures.quantity import Bound, Quantity
from xlatperf.report.bounds import of_difference_from_one, of_ratio
from xlatperf.report.scalability.groups import ALPHA, OF_AXIS, SIZES, Curve, Over, Spot
from xlatperf.report.scalability.table import TableRow
from xlatperf.report.series import (
    CORES,
    COUNTED_FLOWS,
    FLOWS,
    NETWORKS,
    SUBSCRIBERS,
    bound_of,
    connections_of,
    largest_error,
    performance,
)
from xlatperf.report.state_table import StateTable
from xlatperf.report.values import find
from xlatperf.results.connection_records import ConnectionsRecord
from xlatperf.results.results import Measurement
from xlatperf.results.statistics import Summary

_T = TypeVar("_T")


def ports(known: Sequence[ConnectionsRecord | None], source: str, destination: str) -> list[TableRow]:
    """Numbers of ports, and of addresses where there are several (RFC 9693 §5.1)."""
    if not any(known):
        return []
    rows = [
        TableRow(source, "", each(known, lambda one: one.client_ports[1] - one.client_ports[0] + 1)),
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
        ("source addresses", each(known, lambda one: one.clients.addresses)),
        ("destination addresses", each(known, lambda one: one.servers.addresses)),
    ):
        if any(count is not None and count > 1 for count in addresses):
            rows.append(TableRow(name, "", addresses))
    return rows


def changing(leading: Over, at: Sequence[Measurement | None]) -> list[TableRow]:
    """What changes with the columns beside what leads, and has no row of its own."""
    rows = []
    for over in (*(OF_AXIS[axis] for axis in (SUBSCRIBERS, NETWORKS, COUNTED_FLOWS, CORES)), SIZES):
        values = tuple(over.value(item) if item is not None else None for item in at)
        if over != leading and len(set(values)) > 1:
            rows.append(TableRow(over.row, "bytes" if over == SIZES else "", values))
    return rows


def of_implementation(
    at: Sequence[Measurement | None], known: StateTable, *, rfc: bool = False, known_or_not: bool = False
) -> list[TableRow]:
    """Sizes of the DUT's table: those of the columns, or what environment.json says, the same in all columns.

    RFC 9693 Table 1 has the hash table first, and one ratio; the draft has a ratio of each. `known_or_not`: all rows.
    """
    tables = [known.of(item) if item is not None else None for item in at]
    entries = tuple(one.entries if one is not None else None for one in tables)
    buckets = tuple(one.buckets if one is not None else None for one in tables)
    counts = [connections_of(item) if item is not None else None for item in at]
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
    return [row for row in rows if known_or_not or row.measured]


def _ratios(above: Sequence[int | None], below: Sequence[int | None]) -> tuple[float | None, ...]:
    return tuple(one / other if one and other else None for one, other in zip(above, below, strict=True))


def relative(line: Curve, columns: Sequence[Spot], median: TableRow, shorter: str) -> Iterator[TableRow]:
    """What follows from the medians: relative scale-up, median / previous median, degradation."""
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

    yield _compared(f"{shorter}rel. scale up", formula, median, dict.fromkeys(measured, first), relative)
    if not line.over.proportional and len(measured) > 2:
        yield previous(f"{shorter}median / previous median", line, columns, median)
    alone = next((column for column in measured if columns[column].value == 1), None)
    if line.over.axis in FLOWS and alone is not None and (one := measured[alone]) is not None:
        worse = {
            column: scale_up.degradation_percent(one, rate, "higher") if rate is not None else None
            for column, rate in measured.items()
        }
        section = "§10.2.1" if line.flow_interval_s is None else "§10.2.2"
        unit, to = f"%, RFC 8219 {section}", dict.fromkeys(measured, alone)
        yield _compared(f"{shorter}degradation", unit, median, to, worse, minus=True)


def error_of(line: Curve, at: Sequence[Measurement | None], name: str = "error") -> TableRow:
    """Of the search, of both directions together as the rates are."""
    errors = [largest_error(item) if item is not None else None for item in at]
    return TableRow(name, "", tuple(line.ways * one if one is not None else None for one in errors), "rate")


def previous(name: str, line: Curve, columns: Sequence[Spot], median: TableRow) -> TableRow:
    """Each median as a share of the one before."""
    order = [column for column, spot in enumerate(columns) if spot in line.members]
    before: dict[int, int | None] = dict(zip(order[1:], order, strict=False))
    found = {
        column: _quotient(median.values[column], median.values[other])
        for column, other in before.items()
        if other is not None
    }
    return _compared(name, "", median, before, found)


def _compared(
    name: str,
    unit: str,
    median: TableRow,
    of: Mapping[int, int | None],
    values: Mapping[int, float | None],
    *,
    minus: bool = False,
) -> TableRow:
    """A ratio of medians: of two lower bounds it isn't known. `of`: to which column each is compared."""
    signs: list[Bound | None] = []
    for column in range(len(median.values)):
        base = of.get(column)
        below: Bound = median.bound(base) if base is not None else ""
        signs.append("" if base == column else of_ratio(median.bound(column), below))
    known = tuple(values.get(column) if sign is not None else None for column, sign in enumerate(signs))
    bounds = tuple(of_difference_from_one(sign or "") if minus else sign or "" for sign in signs)
    return TableRow(name, unit, known, "ratio", bounds=if_any(bounds, known))


def ratio(name: str, above: TableRow, below: TableRow) -> TableRow:
    """Of two rows of rates, in percent; of two lower bounds it isn't known."""
    values: list[float | None] = []
    signs: list[Bound] = []
    for column, (one, other) in enumerate(zip(above.values, below.values, strict=True)):
        sign = of_ratio(above.bound(column), below.bound(column))
        values.append(100 * one / other if one is not None and other and sign is not None else None)
        signs.append(sign or "")
    return TableRow(name, "", tuple(values), "ratio", bounds=if_any(signs, values))


def _quotient(above: float | None, below: float | None) -> float | None:
    return above / below if above is not None and below else None


def deletions(at: Sequence[Measurement | None]) -> list[TableRow]:
    """Of a tear-down, as the draft's Fig. 5 has them; no rows where there are none.

    Of connections too few for more than a bound of the rate it isn't known how long they alone take.
    """
    rows = []
    medians: list[tuple[float | None, ...]] = []
    for quantity, name in ((teardown.DELETING, "full"), (teardown.DELETING_EMPTY, "empty")):
        found = [_summary(item, quantity) if item is not None else None for item in at]
        medians.append(each(found, lambda one: one.median))
        rows += [
            TableRow(f"{name} contr. del med", "s", medians[-1], "seconds"),
            TableRow(f"{name} contr. del min", "s", each(found, lambda one: one.minimum), "seconds"),
            TableRow(f"{name} contr. del max", "s", each(found, lambda one: one.maximum), "seconds"),
        ]
    resolved = [item is not None and all(one.limited_by is None for one in item.repetitions) for item in at]
    net = tuple(
        full - empty if full is not None and empty is not None and known else None
        for known, full, empty in zip(resolved, *medians, strict=True)
    )
    rows = [row for row in rows if row.measured]
    return [*rows, TableRow("conn. deletion time", "s", net, "seconds")] if rows else []


def _summary(item: Measurement, quantity: Quantity) -> Summary | None:
    found = find(item, quantity, None)
    return None if found is None else found.summary


def rates(
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
    return TableRow(name, unit, tuple(values), "rate", important, if_any(bounds, values))


def if_any(bounds: Sequence[Bound], values: Sequence[float | None]) -> tuple[Bound, ...]:
    """Of values that there are; empty if none is a bound."""
    found: list[Bound] = [bound if value is not None else "" for bound, value in zip(bounds, values, strict=True)]
    return tuple(found) if any(found) else ()


def each(found: Sequence[_T | None], value: Callable[[_T], float]) -> tuple[float | None, ...]:
    """Of each that there is."""
    return tuple(value(one) if one is not None else None for one in found)
