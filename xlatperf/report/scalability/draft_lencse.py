"""The tables of draft-lencse-v6ops-transition-scalability-05 with its labels to the letter.

Its tables of iptables have rows on the size of the connection tracking table, which those of Jool have not: what is
known of the device decides. Those of OpenBSD's PF have labels of their own. Rates are sums of both directions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from xlatperf.procedures import teardown
from xlatperf.report import words
from xlatperf.report.evidence import Evidence
from xlatperf.report.scalability.baseline import baseline_rows
from xlatperf.report.scalability.capacity import COLUMNS as OF_CAPACITY
from xlatperf.report.scalability.capacity import capacity_rows
from xlatperf.report.scalability.groups import ALPHA, OF_AXIS, Curve, Group, on
from xlatperf.report.scalability.rows import (
    deletions,
    each,
    error_of,
    of_implementation,
    ports,
    previous,
    rates,
    relative,
)
from xlatperf.report.scalability.table import Head, ScalabilityTable, TableRow
from xlatperf.report.series import CONNECTIONS, CORES, connections_of, performance, place
from xlatperf.report.state_table import StateTable
from xlatperf.results.results import Measurement
from xlatperf.results.statistics import Summary

LABELS = ("draft-lencse", "draft-lencse-pf")
"""Of the key report.labels."""
_UNITS = "Rates in connections per second (cps) and in frames per second, both directions together; times in s."


def labelled(evidence: Evidence, groups: Sequence[Group], table: StateTable) -> Iterator[ScalabilityTable]:
    """Those that the campaign has values for; none if the bench file doesn't ask for them."""
    labels = evidence.asked("report").get("labels")
    if labels not in LABELS:
        return
    for group in groups:
        made = _Made(evidence, group, table)
        if labels == "draft-lencse-pf":
            yield from made.of_pf()
        elif group.over == OF_AXIS[CORES]:
            yield from made.over_cores()
        elif group.over == OF_AXIS[CONNECTIONS]:
            yield from made.over_connections()
        elif group.over == ALPHA:
            yield from made.over_alpha()
    if labels == "draft-lencse":
        for item in evidence.results.measurements:
            if item.procedure == "capacity" and item.repetitions:
                where = f"{words.sizes(item.frame_size)} bytes{place(item)}"
                yield _table(6, f"connection tracking table capacity, {where}", "", OF_CAPACITY, capacity_rows(item))


def _table(figure: int, title: str, head: str, columns: Sequence[Head], rows: Sequence[TableRow]) -> ScalabilityTable:
    standard = f"labels of draft-lencse-v6ops-transition-scalability-05, Fig. {figure}. {_UNITS}"
    return ScalabilityTable(standard, f"Fig. {figure}: {title}", head, tuple(columns), tuple(rows))


class _Made:
    """The tables of one group."""

    def __init__(self, evidence: Evidence, group: Group, table: StateTable) -> None:
        self._evidence = evidence
        self._group = group
        self._columns = group.columns
        self._at = [group.any_at(spot) for spot in self._columns]
        self._where = f"{group.where}{on(group.fixed)}"
        sizes = of_implementation(self._at, table, known_or_not=True)
        self._sizes = {row.name: replace(row, unit="") for row in sizes if any(one.measured for one in sizes)}
        self._establishment = _first(group, lambda line: line.procedure.facts.finds == "establishment")
        self._throughput = _first(group, lambda line: line.procedure.facts.finds == "throughput")
        self._teardown = _first(group, lambda line: line.procedure is teardown.Teardown)

    def over_cores(self) -> Iterator[ScalabilityTable]:
        """Figs. 2 and 8."""
        if not (self._establishment or self._throughput):
            return
        rows = [
            *self._ports(),
            self._count("num. conn."),
            *self._known("contrack t. s.", "hash table size", "c.t.s/num.conn."),
            *self._experiments("num. experiments"),
            *self._rates(self._establishment, ("cps median", "cps min", "cps max"), "cps "),
            *self._rates(self._throughput, ("throughput median", "throughput min", "throughput max"), "tp. "),
            *baseline_rows(self._evidence, self._throughput, self._columns),
        ]
        yield self._made(2 if self._sizes else 8, "performance over CPU cores", "num. CPU cores", rows)

    def over_connections(self) -> Iterator[ScalabilityTable]:
        """Figs. 4 and 9, 5 and 10."""
        if self._establishment or self._throughput:
            experiments = self._experiments("num. exp.")
            rows = [
                *self._ports(),
                *self._known("contrack t. s.", "hash table size"),
                *experiments,
                *self._known("n.c./h.t.s."),
                *self._rates(self._establishment, ("cps median", "cps min", "cps max")),
                *self._rates(self._throughput, ("throughput med.", "throughput min", "throughput max")),
            ]
            yield self._made(4 if self._sizes else 9, "performance over connections", "num. conn.", rows)
        if self._teardown is not None:
            rows = [
                *self._ports(),
                *self._known("contrack t. s.", "hash table size"),
                *self._experiments("num. exp.", self._teardown)[:1],
                *self._known("n.c./h.t.s."),
                *self._deletions(),
            ]
            yield self._made(5 if self._sizes else 10, "connection tear-down", "num. conn.", rows)

    def over_alpha(self) -> Iterator[ScalabilityTable]:
        """Fig. 11."""
        if self._establishment is None:
            return
        rows = [
            self._count("num. conn."),
            *self._ports(),
            *self._experiments("num. exp."),
            *self._rates(self._establishment, ("cps median", "cps min", "cps max")),
        ]
        yield self._made(11, "validated establishment rate", "alpha", rows)

    def of_pf(self) -> Iterator[ScalabilityTable]:
        """Figs. 12 and 13."""
        if self._group.over != OF_AXIS[CONNECTIONS]:
            return
        named = self._ports("Source port numbers", "Destination port numbers")
        if self._establishment or self._throughput:
            rows = list(named)
            for line, unit in ((self._establishment, "cps"), (self._throughput, "fps")):
                if line is None:
                    continue
                found = self._rates(line, tuple(f"{name} ({unit})" for name in ("Median", "Minimum", "Maximum")))
                rows += [self._error(line, f"Error ({unit})"), *found]
                rows.append(previous("Median / previous median", line, self._columns, found[0]))
            yield self._made(12, "performance over connections", "Number of connections", rows)
        if self._teardown is not None:
            said = {"full": "Filled table deletion time", "empty": "Empty table deletion time"}
            renamed = []
            for row in deletions([self._teardown.members.get(spot) for spot in self._columns]):
                which, _, what = row.name.partition(" contr. del ")
                name = f"{said[which]} {what}. (s)" if what else "Connections deletion time (s)"
                renamed.append(replace(row, name=name, unit=""))
            rate = self._rates(self._teardown, ("Connection tear down rate (cps)",))
            yield self._made(13, "connection tear-down", "Number of connections", [*named, *renamed, *rate])

    def _made(self, figure: int, title: str, head: str, rows: Sequence[TableRow]) -> ScalabilityTable:
        return _table(figure, f"{title}, {self._where}", head, self._group.heads, rows)

    def _ports(self, source: str = "src ports", destination: str = "dst ports") -> list[TableRow]:
        return ports([item.connections for item in self._at], source, destination)[:2]

    def _known(self, *names: str) -> list[TableRow]:
        return [self._sizes[name] for name in names if name in self._sizes]

    def _count(self, name: str) -> TableRow:
        return TableRow(name, "", tuple(connections_of(item) for item in self._at))

    def _experiments(self, name: str, of: Curve | None = None) -> list[TableRow]:
        """Number and error, of the establishment rate if there is one."""
        line = of or self._establishment or self._throughput
        assert line is not None  # noqa: S101 - the caller has looked
        return [TableRow(name, "", each(self._summaries(line), lambda one: one.n)), self._error(line, "error")]

    def _error(self, line: Curve, name: str) -> TableRow:
        return error_of(line, [line.members.get(spot) for spot in self._columns], name)

    def _rates(self, line: Curve | None, names: Sequence[str], scale_up: str | None = None) -> list[TableRow]:
        """Median, minimum and maximum, as many as there are names; with a prefix the relative scale-up."""
        if line is None:
            return []
        at = [line.members.get(spot) for spot in self._columns]
        found = [
            rates(name, "", at, statistic, line.ways, important=not number)
            for number, (name, statistic) in enumerate(zip(names, _STATISTICS, strict=False))
        ]
        if scale_up is not None:
            further = relative(line, self._columns, found[0], scale_up)
            found += [replace(row, unit="") for row in further if row.name.endswith("rel. scale up")]
        return found

    def _deletions(self) -> list[TableRow]:
        """Fig. 10 has the median alone of the empty table, and the rate in millions."""
        assert self._teardown is not None  # noqa: S101 - the caller has looked
        found = [
            replace(row, unit="") for row in deletions([self._teardown.members.get(spot) for spot in self._columns])
        ]
        (rate,) = self._rates(self._teardown, ("conn. tear d. rate",))
        if self._sizes:
            return [*found, rate]
        kept = [row for row in found if row.name not in ("empty contr. del min", "empty contr. del max")]
        millions = tuple(value / 1e6 if value is not None else None for value in rate.values)
        return [*kept, replace(rate, name="conn. t. d. r. (M)", values=millions)]

    def _summaries(self, line: Curve) -> list[Summary | None]:
        found: list[Measurement | None] = [line.members.get(spot) for spot in self._columns]
        return [performance(item) if item is not None else None for item in found]


_STATISTICS: tuple[Callable[[Summary], float], ...] = (
    lambda one: one.median,
    lambda one: one.minimum,
    lambda one: one.maximum,
)


def _first(group: Group, wanted: Callable[[Curve], bool]) -> Curve | None:
    """Of several lines one without validation and of both directions, as the draft's."""
    lines = [line for line in group.lines if wanted(line)]
    return next((line for line in lines if "alpha" not in line.name and line.ways != 1), None) or next(
        (line for line in lines if "alpha" not in line.name), lines[0] if lines else None
    )
