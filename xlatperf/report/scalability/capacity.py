"""The capacity of the connection tracking table as draft-lencse-v6ops-transition-scalability has it (its Fig. 6).

C0 and R0: where a search began. CS, RS and CT: at the end of the exponential search, what was safe and what was not
(RFC 9693 §4.9). C: the capacity.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from xlatperf.procedures.capacity import Capacity
from xlatperf.procedures.capacity_result import CAPACITY, INITIAL_RATE
from xlatperf.procedures.capacity_step import CapacityStep
from xlatperf.report import words
from xlatperf.report.scalability.groups import OF_AXIS
from xlatperf.report.scalability.table import ScalabilityTable, TableRow
from xlatperf.report.series import HASH_SIZE, TABLE_SIZE, place
from xlatperf.report.state_table import StateTable
from xlatperf.report.values import find
from xlatperf.results.results import Measurement
from xlatperf.results.statistics import Summary, summarise

COLUMNS = ("C0", "R0", "CS", "RS", "CT", "C")
_STANDARD = "RFC 9693 §4.9, after draft-lencse-v6ops-transition-scalability"
_STATISTICS = (("median", "median"), ("min", "minimum"), ("max", "maximum"))


def capacity_tables(measurements: Sequence[Measurement], table: StateTable) -> Iterator[ScalabilityTable]:
    """One for each search for the capacity, and one for all columns of a measure."""
    found = [item for item in measurements if item.procedure == Capacity.named()]
    for item in found:
        if item.repetitions:
            title = f"Connection tracking table capacity, {words.sizes(item.frame_size)} bytes{place(item)}"
            rows = tuple(_search_rows(summaries(item)))
            yield ScalabilityTable(_STANDARD, title, "of all searches", COLUMNS, rows)
    columns: dict[tuple[object, ...], list[Measurement]] = {}
    for item in found:
        if item.column is not None:
            columns.setdefault((item.measure_number, item.frame_size), []).append(item)
    for items in columns.values():
        if len(items) > 1:
            yield _over_columns(items, table)


def summaries(item: Measurement) -> dict[str, Summary | None]:
    """Of all repetitions, by the names in COLUMNS; None: no search has it."""
    capacity, initial_rate = (find(item, quantity, None) for quantity in (CAPACITY, INITIAL_RATE))
    ways = [_end_of_doubling(one.steps) for one in item.repetitions if one.steps]
    found: dict[str, Summary | None] = {
        "C0": _summary([begin.connections for begin, _, _ in ways if begin is not None]),
        "R0": None if initial_rate is None else initial_rate.summary,
        "CS": _summary([safe.connections for _, safe, _ in ways if safe is not None]),
        "RS": _summary([safe.offered_fps for _, safe, _ in ways if safe is not None and safe.offered_fps is not None]),
        "CT": _summary([unsafe.connections for _, _, unsafe in ways if unsafe is not None]),
        "C": None if capacity is None else capacity.summary,
    }
    return {name: found[name] for name in COLUMNS}


def _end_of_doubling(
    steps: Sequence[CapacityStep],
) -> tuple[CapacityStep | None, CapacityStep | None, CapacityStep | None]:
    """Where it began, and the last steps of the exponential search that passed and that didn't."""
    doubled = [step for step in steps if step.stage in ("initial", "exponential")]
    passed = [step for step in doubled if step.passed]
    begin = next((step for step in reversed(passed) if step.stage == "initial"), None)
    safe = passed[-1] if passed else None
    return begin, safe, next((step for step in reversed(doubled) if not step.passed), None)


def _summary(values: Sequence[float]) -> Summary | None:
    return summarise(values) if values else None


def _search_rows(found: dict[str, Summary | None]) -> Iterator[TableRow]:
    yield TableRow("num. experiments", "", tuple(one.n if one is not None else None for one in found.values()))
    yield from _statistics(found)


def capacity_rows(item: Measurement) -> list[TableRow]:
    """Median, minimum and maximum, in COLUMNS."""
    return list(_statistics(summaries(item)))


def _statistics(found: dict[str, Summary | None]) -> Iterator[TableRow]:
    for name, statistic in _STATISTICS:
        values = tuple(getattr(one, statistic) if one is not None else None for one in found.values())
        yield TableRow(name, "", values, "rate", important=name == "median")


def _over_columns(items: Sequence[Measurement], known: StateTable) -> ScalabilityTable:
    """Capacities side by side, by the size of the table if it changes."""
    over = next(
        (one for axis in (TABLE_SIZE, HASH_SIZE) if len({(one := OF_AXIS[axis]).value(item) for item in items}) > 1),
        None,
    )
    heads = tuple(int(over.value(item) or 0) if over is not None else item.column or 0 for item in items)
    found = [summaries(item)["C"] for item in items]
    tables = [known.of(item) for item in items]
    rows = [
        TableRow("contrack t. s.", known.entries_name, tuple(one.entries for one in tables)),
        TableRow("hash table size", known.buckets_name, tuple(one.buckets for one in tables)),
        TableRow("num. experiments", "", tuple(one.n if one is not None else None for one in found)),
        TableRow("error (E)", "connections", tuple(_error(item) for item in items), "rate"),
        *(
            TableRow(
                f"capacity {name}",
                "connections",
                tuple(getattr(one, statistic) if one is not None else None for one in found),
                "rate",
                important=name == "median",
            )
            for name, statistic in _STATISTICS
        ),
    ]
    title = f"Connection tracking table capacity, {words.sizes(items[0].frame_size)} bytes"
    head = over.row if over is not None else "column"
    return ScalabilityTable(_STANDARD, title, head, heads, tuple(row for row in rows if row.measured))


def _error(item: Measurement) -> float | None:
    error = item.parameters.get("tolerated_error")
    return float(error) if isinstance(error, int | float) else None
