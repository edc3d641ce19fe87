"""Rows of one rate in a table after draft-lencse-v6ops-transition-scalability."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from xlatperf.procedures import teardown
from xlatperf.report.scalability.groups import OF_AXIS, Curve, Spot
from xlatperf.report.scalability.rows import deletions, each, error_of, rates, relative
from xlatperf.report.scalability.table import TableRow
from xlatperf.report.series import SUBSCRIBERS, performance, with_the_call
from xlatperf.results.statistics import Summary

_SHORT: dict[str | None, str] = {"establishment": "cps ", "throughput": "throughput "}
"""As the draft names its rows: cps are connections per second."""
_SHORTER = {"throughput ": "tp "}


def short_name(line: Curve) -> str:
    """In front of the names of its rows."""
    return _SHORT.get(line.procedure.facts.finds, "")


def line_rows(line: Curve, columns: Sequence[Spot], *, follows: bool = True) -> list[TableRow]:
    """Experiments, error, deletions, rates; `follows`: also what follows from the medians of several columns."""
    at = [line.members.get(spot) for spot in columns]
    summaries = [performance(item) if item is not None else None for item in at]
    rows = [TableRow("num. experiments", "", each(summaries, lambda one: one.n))]
    ways = line.ways
    error = error_of(line, at)
    rows += [replace(error, unit=line.unit)] if error.measured else []
    rows += deletions(at)
    short = short_name(line)
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
    if follows:
        rows += relative(line, columns, median, _SHORTER.get(short, short))
    return rows
