"""Which measurements belong in a table: the same but for what its columns are about.

A series over one thing is a line over an axis. A measure with columns, in which several things change at once, is a
line whose columns are the bench file's; one of the things leads, the others are rows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from xlatperf.procedures.procedure import Procedure
from xlatperf.procedures.quantity import Bound
from xlatperf.procedures.registry import BY_NAME
from xlatperf.report import words
from xlatperf.report.scalability.table import Head
from xlatperf.report.series import (
    AXES,
    CONNECTIONS,
    CORES,
    COUNTED_FLOWS,
    HASH_SIZE,
    NETWORKS,
    SUBSCRIBERS,
    TABLE_SIZE,
    Axis,
    alpha_of,
    bound_of,
    flow_interval_of,
    performance,
    point,
)
from xlatperf.report.values import directions
from xlatperf.results.results import Measurement
from xlatperf.results.statistics import Summary

_DIRECTIONS = {"forward": "left to right", "reverse": "right to left", "bidirectional": "sum of both directions"}
FRAMES = "frames/s"
"""The draft has them of both directions together."""
NO_VALIDATION = "no validation"


@dataclass(frozen=True)
class Spot:
    """A column. `value`: where it is on the axis that leads; None: without. `also`: all that tells it from others."""

    value: float | None
    also: tuple[object, ...] = ()


@dataclass(frozen=True)
class Over:
    """What the columns are about: an axis, alpha or the frame size."""

    value: Callable[[Measurement], float | None]
    counted: str
    row: str
    axis: Axis | None = None

    @property
    def proportional(self) -> bool:
        """Rates should grow with it."""
        return self.axis is not None and self.axis.proportional


OF_AXIS = {axis: Over(axis.value, axis.counted, axis.row, axis) for axis in AXES}
ALPHA = Over(alpha_of, "alpha", "alpha")
SIZES = Over(lambda item: None if item.frame_size.mixed else item.frame_size_named, "frame size", "frame size")
LEADING = (
    *(OF_AXIS[axis] for axis in (CORES, CONNECTIONS, SUBSCRIBERS, NETWORKS, COUNTED_FLOWS)),
    *(ALPHA, OF_AXIS[TABLE_SIZE], OF_AXIS[HASH_SIZE], SIZES),
)
"""Of things that change together the first of these leads."""
Place = tuple[tuple[Axis, int], ...]


@dataclass(frozen=True)
class Curve:
    """One rate over an axis; `fixed`: where it is on the others."""

    procedure: type[Procedure]
    name: str
    unit: str
    over: Over
    fixed: Place
    members: dict[Spot, Measurement]

    @property
    def series(self) -> str:
        """The measure's name."""
        return next(iter(self.members.values())).series

    @property
    def flow_interval_s(self) -> float | None:
        """Of incremental load (RFC 8219 §10.2.2)."""
        return flow_interval_of(next(iter(self.members.values())))

    def summaries(self) -> dict[Spot, Summary]:
        """Of the points that have a result."""
        found = {spot: performance(item) for spot, item in self.members.items()}
        return {spot: summary for spot, summary in found.items() if summary is not None}

    @property
    def ways(self) -> int:
        """Directions whose rates are added, as the draft has them: a search has the same rate in each."""
        return len(directions(next(iter(self.members.values())))) if self.unit == FRAMES else 1

    def totals(self) -> dict[Spot, Summary]:
        """`summaries` of all directions together."""
        ways = self.ways
        names = ("median", "p1", "p99", "minimum", "maximum")
        return {
            spot: one.model_copy(update={name: ways * getattr(one, name) for name in names})
            for spot, one in self.summaries().items()
        }

    def bounds(self) -> dict[Spot, Bound]:
        """Points whose median is one."""
        each = {spot: bound_of(self.members[spot], one.median) for spot, one in self.summaries().items()}
        return {spot: bound for spot, bound in each.items() if bound}


def in_order(over: Over, spots: Iterable[Spot]) -> tuple[Spot, ...]:
    """The lowest first; alphas, and equal ones, as the bench file has them."""
    return tuple(spots) if over == ALPHA else tuple(sorted(spots, key=lambda spot: spot.value or 0))


def heads_of(over: Over, spots: Iterable[Spot]) -> tuple[Head, ...]:
    """Of columns."""
    if over == ALPHA:
        return tuple(NO_VALIDATION if spot.value is None else spot.value for spot in spots)
    return tuple(int(spot.value or 0) for spot in spots)


@dataclass(frozen=True)
class Group:
    """Lines of the same frames over the same: one table."""

    where: str
    over: Over
    fixed: Place
    lines: tuple[Curve, ...]

    @property
    def columns(self) -> tuple[Spot, ...]:
        """All that some line has, in order."""
        spots = dict.fromkeys(spot for line in self.lines for spot in line.members)
        return in_order(self.over, spots)

    @property
    def heads(self) -> tuple[Head, ...]:
        """Of the columns."""
        return heads_of(self.over, self.columns)

    def any_at(self, spot: Spot) -> Measurement:
        """Some measurement there: sizes and ports are the same for all."""
        having = [line.members[spot] for line in self.lines if spot in line.members]
        return next((item for item in having if item.connections and item.connections.server_ports), having[0])


def groups(measurements: Sequence[Measurement]) -> list[Group]:
    """Over connections first, cores last, then tables of columns; only those with more than one column."""
    alone = [item for item in measurements if item.column is None and _has_a_rate(item)]
    together = [item for item in measurements if item.column is not None and _has_a_rate(item)]
    found: list[Group] = []
    for over in OF_AXIS.values():
        found += _grouped(_over_one(alone, over))
    return found + _grouped(_of_columns(together))


def _has_a_rate(item: Measurement) -> bool:
    return bool(BY_NAME[item.procedure].facts.performance)


def _grouped(lines: Iterator[tuple[Curve, str]]) -> list[Group]:
    found: dict[tuple[str, Over, Place], list[Curve]] = {}
    for line, where in lines:
        found.setdefault((where, line.over, line.fixed), []).append(line)
    return [Group(where, over, fixed, tuple(_told_apart(members))) for (where, over, fixed), members in found.items()]


def _told_apart(lines: Sequence[Curve]) -> Iterator[Curve]:
    """By the measures' names, where all else is the same."""
    for line in lines:
        names = {other.series for other in lines if other.name == line.name}
        yield replace(line, name=f"{line.name} ({line.series})") if len(names) > 1 else line


def _over_one(measurements: Sequence[Measurement], over: Over) -> Iterator[tuple[Curve, str]]:
    kinds: dict[tuple[Place, tuple[object, ...]], list[dict[Spot, Measurement]]] = {}
    for item in measurements:
        value = over.value(item)
        if value is None:
            continue
        fixed = tuple(other for other in point(item) if other[0] != over.axis)
        key = (item.procedure, item.series, item.frame_size, item.mix, item.direction)
        same = kinds.setdefault((fixed, (*key, item.frame_timeout_ms, alpha_of(item))), [])
        free = next((members for members in same if Spot(value) not in members), None)
        if free is None:  # the bench file measures the same twice: a line of its own
            same.append({Spot(value): item})
        else:
            free[Spot(value)] = item
    for (fixed, _), same in kinds.items():
        for members in same:
            if len(members) > 1:
                first = next(iter(members.values()))
                in_order = dict(sorted(members.items(), key=lambda one: one[0].value or 0))
                yield _line(first, over, fixed, in_order), _where(first)


def _of_columns(measurements: Sequence[Measurement]) -> Iterator[tuple[Curve, str]]:
    """One line for each measure, and for each frame size unless the columns have theirs."""
    lines: dict[tuple[object, ...], list[Measurement]] = {}
    for item in measurements:
        lines.setdefault((item.measure_number, item.mix, item.frame_timeout_ms, item.share), []).append(item)
    for items in lines.values():
        own_sizes = len({item.column for item in items}) == len(items)
        sizes = [None] if own_sizes else list(dict.fromkeys(item.size for item in items))
        for size in sizes:
            same = [item for item in items if size in (None, item.size)]
            changing = [one for one in LEADING if len({one.value(item) for item in same}) > 1]
            if len(same) > 1 and changing:
                axes = {one.axis for one in changing}
                fixed = tuple(other for other in point(same[0]) if other[0] not in axes)
                members = {Spot(changing[0].value(item), _all_of(item, changing)): item for item in same}
                where = (
                    _where(same[0]) if SIZES not in changing else _where(same[0]).partition(" bytes")[2].lstrip(", ")
                )
                yield _line(same[0], changing[0], fixed, members), where


def _all_of(item: Measurement, changing: Sequence[Over]) -> tuple[object, ...]:
    ports = None if item.connections is None else item.connections.client_ports
    return (*(one.value(item) for one in changing), ports)


def _where(item: Measurement) -> str:
    return f"{words.sizes(item.frame_size)} bytes{words.with_mix(item)}"


def _line(first: Measurement, over: Over, fixed: Place, members: dict[Spot, Measurement]) -> Curve:
    procedure, alpha = BY_NAME[first.procedure], alpha_of(first)
    rates = procedure.facts.performance
    if over == ALPHA:
        return Curve(procedure, rates[0].name, rates[0].unit, over, fixed, members)
    rate = rates[0 if alpha is None else -1]
    name = rate.name if alpha is None else f"{rate.name}, alpha = {alpha:g}"
    if rate.unit == FRAMES:
        name += f", {_DIRECTIONS[first.direction]}{words.timely(first)}{_apart(first)}"
    return Curve(procedure, name, rate.unit, over, fixed, members)


def _apart(item: Measurement) -> str:
    apart_s = flow_interval_of(item)
    return "" if apart_s is None else f", flows {apart_s:g} s apart"


def on(fixed: Place) -> str:
    """What is the same in all columns."""
    return "".join(f", {axis.in_words(value)}" for axis, value in fixed)
