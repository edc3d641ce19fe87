"""The tables of scalability: RFC 9693 §6, Table 1, and one after draft-lencse-v6ops-transition-scalability.

Pure: what is in the tables, whatever they are written as. A table is made wherever a rate was measured for more than
one number of connections, subscribers, networks or CPU cores, or in more than one column.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from xlatperf.procedures import teardown
from xlatperf.report.evidence import Evidence
from xlatperf.report.scalability.baseline import baseline_rows
from xlatperf.report.scalability.capacity import capacity_tables
from xlatperf.report.scalability.draft_lencse import labelled
from xlatperf.report.scalability.groups import ALPHA, OF_AXIS, SIZES, Curve, Group, Spot, groups, on
from xlatperf.report.scalability.rows import deletions, each, error_of, of_implementation, ports, rates, relative
from xlatperf.report.scalability.table import ScalabilityTable, TableRow
from xlatperf.report.series import (
    CONNECTIONS,
    CORES,
    NETWORKS,
    SUBSCRIBERS,
    connections_of,
    largest_error,
    performance,
    with_the_call,
)
from xlatperf.report.state_table import StateTable, state_table
from xlatperf.results.results import Measurement
from xlatperf.results.statistics import Summary

_RFC, _DRAFT = "RFC 9693 §6, Table 1", "after draft-lencse-v6ops-transition-scalability"


def tables(evidence: Evidence) -> list[ScalabilityTable]:
    """All tables of a campaign."""
    table = state_table(evidence)
    known = groups(evidence.results.measurements)
    found: list[ScalabilityTable] = list(labelled(evidence, known, table))
    for group in known:
        if group.over == OF_AXIS[CONNECTIONS]:
            found += [_rfc(group, line, table) for line in group.lines if line.procedure.facts.finds == "establishment"]
        found.append(_draft(evidence, group, table))
    return [*found, *capacity_tables(evidence.results.measurements, table)]


def _rfc(group: Group, line: Curve, table: StateTable) -> ScalabilityTable:
    """RFC 9693 §6: (req.) is required, (i.s.) depends on the implementation."""
    at = [line.members[spot] for spot in group.columns if spot in line.members]
    heads = tuple(connections_of(item) or 0 for item in at)
    summaries = [performance(item) for item in at]
    rows = [
        *ports([item.connections for item in at], "source port numbers (req.)", "destination port numbers (req.)"),
        *of_implementation(at, table, rfc=True),
        TableRow("number of experiments (req.)", "", each(summaries, lambda one: one.n)),
        TableRow("error of binary search (req.)", "connections/s", tuple(largest_error(item) for item in at), "rate"),
        rates("connections/s median (req.)", "", at, lambda one: one.median, important=True),
        rates("connections/s 1st perc. (req.)", "", at, lambda one: one.p1),
        rates("connections/s 99th perc. (req.)", "", at, lambda one: one.p99),
    ]
    title = f"Maximum {line.name} over the number of sessions, {group.where}{on(line.fixed)}"
    return ScalabilityTable(_RFC, title, "number of sessions (req.)", heads, tuple(rows))


def _draft(evidence: Evidence, group: Group, table: StateTable) -> ScalabilityTable:
    """Performance against the number of connections, subscribers, networks or cores, with relative scale-up."""
    columns = group.columns
    at = [group.any_at(spot) for spot in columns]
    rows = _changing(group, at)
    if any(connections_of(item) for item in at):
        rows += ports([item.connections for item in at], "src ports", "dst ports")
        if group.over != OF_AXIS[CONNECTIONS]:
            rows.append(TableRow(CONNECTIONS.row, "", tuple(float(connections_of(item) or 0) for item in at)))
        rows += of_implementation(at, table)
    for line in group.lines:
        rows += [*_of_line(line, columns), *baseline_rows(evidence, line, columns)]
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


def _of_line(line: Curve, columns: Sequence[Spot]) -> list[TableRow]:
    at = [line.members.get(spot) for spot in columns]
    summaries = [performance(item) if item is not None else None for item in at]
    rows = [
        TableRow(line.name),
        TableRow("num. experiments", "", each(summaries, lambda one: one.n)),
    ]
    ways = line.ways
    error = error_of(line, at)
    rows += [replace(error, unit=line.unit)] if error.measured else []
    rows += deletions(at)
    short, shorter = _SHORT.get(line.procedure.facts.finds, ("", ""))
    median = rates(f"{short}median", line.unit, at, lambda one: one.median, ways, important=True)
    rows.append(median)
    ends: list[tuple[str, Callable[[Summary], float]]] = [
        (f"{short}min", lambda one: one.minimum),
        (f"{short}max", lambda one: one.maximum),
    ]
    if line.over == OF_AXIS[SUBSCRIBERS] or any(one is not None and one.n >= 100 for one in summaries):
        ends += [(f"{short}P1", lambda one: one.p1), (f"{short}P99", lambda one: one.p99)]
    rows += [rates(name, line.unit, at, value, ways) for name, value in ends]
    if line.procedure is teardown.Teardown:
        gross = tuple(with_the_call(item) if item is not None else None for item in at)
        rows.append(TableRow("median with the call", line.unit, gross, "rate"))
    if ways > 1:
        name = f"{short}median of each direction"
        rows.append(rates(name, line.unit, at, lambda one: one.median))
    rows += relative(line, columns, median, shorter)
    return rows


_SHORT: dict[str | None, tuple[str, str]] = {"establishment": ("cps ", "cps "), "throughput": ("throughput ", "tp ")}
"""As the draft names its rows: cps are connections per second."""
