"""Tables of scalability with several campaigns in each: their rates one below the other, and the ratio to the first's.

After draft-lencse-v6ops-transition-scalability, whose Fig. 2 compares a NAT44 with native forwarding so.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from xlatperf.report.comparison.campaign import Campaign
from xlatperf.report.comparison.joined import Joined, JoinedLine
from xlatperf.report.scalability.baseline import port_words
from xlatperf.report.scalability.groups import OF_AXIS, Curve, heads_of
from xlatperf.report.scalability.of_line import line_rows, short_name
from xlatperf.report.scalability.rows import changing, of_implementation, ports, rates, ratio
from xlatperf.report.scalability.table import ScalabilityTable, TableRow
from xlatperf.report.scalability.tables import DRAFT, against
from xlatperf.report.series import CONNECTIONS, connections_of
from xlatperf.report.state_table import state_table


def joined_table(campaigns: Sequence[Campaign], found: Joined) -> ScalabilityTable:
    """Of a series that at least two campaigns have something of."""
    rows = [*_conditions(campaigns, found)]
    for line in found.lines:
        rows += _rates(campaigns, found, line)
    standard = f"{DRAFT}; ratios are to {campaigns[0].letter}'s medians"
    title = against(found.over, found.where, found.fixed)
    return ScalabilityTable(standard, title, found.over.row, heads_of(found.over, found.columns), tuple(rows))


def devices(campaigns: Sequence[Campaign]) -> str:
    """Whose they are: `A: Linux 6.1, B: TAYGA 0.9.2`."""
    return "Devices: " + ", ".join(f"{one.letter}: {one.evidence.device}" for one in campaigns)


def _rates(campaigns: Sequence[Campaign], found: Joined, line: JoinedLine) -> Iterator[TableRow]:
    """Of one line, campaign by campaign."""
    first: TableRow | None = None
    for index, curve in line.curves.items():
        campaign, columns = campaigns[index], found.columns
        yield TableRow(f"{campaign.title}: {curve.name}{_remark(campaigns, line, index)}")
        repeated = len({id(item) for item in curve.members.values()}) < len(curve.members)
        yield from line_rows(curve, columns, follows=not repeated)
        median = rates("", "", [curve.members.get(spot) for spot in columns], lambda one: one.median, curve.ways)
        if index == 0:
            first = median
        elif first is not None:
            yield ratio(f"{short_name(curve)}ratio (%)", median, first)


def _remark(campaigns: Sequence[Campaign], line: JoinedLine, index: int) -> str:
    """What a stateless DUT's rate is, beside those of others."""
    stateful = [other for other in line.curves if campaigns[other].evidence.stateful]
    if not stateful or index in stateful:
        return ""
    known = campaigns[index].evidence
    if known.results.technology.get("name") != "native":
        return " (no connections)"
    items: list[Curve] = [line.curves[other] for other in stateful]
    spots = line.curves[index].members
    with_ports = [curve.members[spot] for curve in items for spot in spots if spot in curve.members]
    return f" (no connections, {port_words(known, with_ports)})" if with_ports else " (no connections)"


def _conditions(campaigns: Sequence[Campaign], found: Joined) -> Iterator[TableRow]:
    """Ports, connections and tables: a row for all if they are the same, else one for each campaign."""
    any_of = [[found.any_at(index, spot) for spot in found.columns] for index in range(len(campaigns))]
    yield from changing(found.over, [next(filter(None, at), None) for at in zip(*any_of, strict=True)])
    each_has: dict[str, dict[int, TableRow]] = {}
    for index, at in enumerate(any_of):
        if not campaigns[index].evidence.stateful:
            continue
        rows = ports([item.connections if item is not None else None for item in at], "src ports", "dst ports")
        if rows and found.over != OF_AXIS[CONNECTIONS]:
            counts = [connections_of(item) if item is not None else None for item in at]
            rows.append(TableRow(CONNECTIONS.row, "", tuple(counts)))
        rows += of_implementation(at, state_table(campaigns[index].evidence))
        for row in rows:
            each_has.setdefault(row.name, {})[index] = row
    for name, of in each_has.items():
        together = _same_row(list(of.values()))
        if together is not None:
            yield together
        else:
            yield from (replace(row, name=f"{name}, {campaigns[index].letter}") for index, row in of.items())


def _same_row(rows: Sequence[TableRow]) -> TableRow | None:
    """One for all, if no two say different things of a column."""
    values: list[float | None] = []
    for at in zip(*(row.values for row in rows), strict=True):
        known = {value for value in at if value is not None}
        if len(known) > 1:
            return None
        values.append(next(iter(known), None))
    return replace(rows[0], values=tuple(values)) if len({row.unit for row in rows}) == 1 else None
