"""The tables of scalability: RFC 9693 §6, Table 1, and one after draft-lencse-v6ops-transition-scalability.

Pure: what is in the tables, whatever they are written as. A table is made wherever a rate was measured for more than
one number of connections, subscribers, networks or CPU cores, or in more than one column.
"""

from __future__ import annotations

from xlatperf.report.evidence import Evidence
from xlatperf.report.scalability.baseline import baseline_rows
from xlatperf.report.scalability.capacity import capacity_tables
from xlatperf.report.scalability.draft_lencse import labelled
from xlatperf.report.scalability.groups import ALPHA, OF_AXIS, SIZES, Curve, Group, Over, Place, groups, on
from xlatperf.report.scalability.of_line import line_rows
from xlatperf.report.scalability.rows import changing, each, of_implementation, ports, rates
from xlatperf.report.scalability.table import ScalabilityTable, TableRow
from xlatperf.report.series import CONNECTIONS, connections_of, largest_error, performance
from xlatperf.report.state_table import StateTable, state_table

_RFC, DRAFT = "RFC 9693 §6, Table 1", "after draft-lencse-v6ops-transition-scalability"
"""Whose tables these are."""


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
    rows = changing(group.over, at)
    if any(connections_of(item) for item in at):
        rows += ports([item.connections for item in at], "src ports", "dst ports")
        if group.over != OF_AXIS[CONNECTIONS]:
            rows.append(TableRow(CONNECTIONS.row, "", tuple(float(connections_of(item) or 0) for item in at)))
        rows += of_implementation(at, table)
    for line in group.lines:
        rows += [TableRow(line.name), *line_rows(line, columns), *baseline_rows(evidence, line, columns)]
    title = against(group.over, group.where, group.fixed)
    return ScalabilityTable(DRAFT, title, group.over.row, group.heads, tuple(rows))


def against(over: Over, where: str, fixed: Place) -> str:
    """Title of such a table."""
    counted = over.counted if over in (ALPHA, SIZES) else f"the number of {over.counted}"
    return ", ".join(filter(None, (f"Performance against {counted}", where, on(fixed).removeprefix(", "))))
