"""What the sections on times have in common: the columns that say what was measured, remarks, and every repetition."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain

from xlatperf.engine.message import DirectionName, TrafficClass
from xlatperf.keys.in_words import plural
from xlatperf.procedures.failure import Failure
from xlatperf.procedures.quantity import Quantity
from xlatperf.report import words
from xlatperf.report.markup import Content, Markup, badge, bullets, element, folded, paragraph, render
from xlatperf.report.numerals import NONE, percent, rate, whole
from xlatperf.report.scale import Scale, micro_or_milli
from xlatperf.report.series import Axis, alpha_of, axes_of, place
from xlatperf.report.table import Column, Row, table, text
from xlatperf.report.values import classes, directions, find, has_result
from xlatperf.results.results import FailureRecord, Measurement, ValueSeries
from xlatperf.results.statistics import Summary

_COUNTED = {"frames": "", "frames/s": "frames/s", "connections": "", "connections/s": "connections/s", "%": "%"}
"""Units of quantities that aren't times, as headings say them."""


Frames = tuple[DirectionName, TrafficClass | None]
"""Which frames a row is of: a direction's, of one class or all."""


class Identity:
    """The first columns of a table: sizes, mix, direction, class, place in a series, rate.

    Those that say the same in each row, or nothing, are left out. `named`: the measure's name, if there are several.
    """

    def __init__(
        self,
        measurements: Sequence[Measurement],
        families: dict[str, str],
        *,
        rates: bool = True,
        directed: bool = True,
        named: bool = True,
    ) -> None:
        self._named = named and len({item.series for item in measurements}) > 1
        self._directed = directed
        self._stateful = any(item.connections is not None for item in measurements)
        self._axes = axes_of(measurements)
        self._mixed = not all(words.standard_mix(item) for item in measurements)
        self._classed = any(len(classes(item)) > 1 for item in measurements)
        self._rates = rates
        self._shared = rates and any(item.share is not None for item in measurements)
        self._families = families

    def columns(self, direction: str = "Direction") -> list[Column]:
        """Their headings."""
        return [
            *([text("Measure")] if self._named else []),
            *size_columns(self._families, self._stateful),
            *([text("Mix")] if self._mixed else []),
            *([text(direction)] if self._directed else []),
            *([text("Class")] if self._classed else []),
            *axis_columns(self._axes),
            *([Column("frames/s", "", "Rate per direction")] if self._rates else []),
            *([Column("share", "%", "Rate per direction")] if self._shared else []),
        ]

    def cells(
        self, item: Measurement, direction: DirectionName | None = None, of: TrafficClass | None = None
    ) -> list[Content]:
        """Of one row; without a direction that of the whole measurement, without a class of all frames."""
        return [
            *([item.series] if self._named else []),
            *size_cells(item, self._stateful),
            *([words.mix(item.mix)] if self._mixed else []),
            *([words.ARROWS[direction or item.direction]] if self._directed else []),
            *([of or "all"] if self._classed else []),
            *axis_cells(item, self._axes),
            *([rate(item.rate_fps)] if self._rates else []),
            *([NONE if item.share is None else f"{100 * item.share:g}"] if self._shared else []),
        ]


def axis_columns(axes: Sequence[Axis]) -> list[Column]:
    """Where in its series a row is."""
    return [Column(*axis.heading) for axis in axes]


def axis_cells(item: Measurement, axes: Sequence[Axis]) -> list[Content]:
    """Of `axis_columns`."""
    return [whole(axis.value(item)) for axis in axes]


def size_columns(families: dict[str, str], stateful: bool) -> list[Column]:
    """Of both sides; with connections, which need room, in one column."""
    if stateful:
        return [Column("Frame size", "B")]
    return [Column(f"{side} {families[side]}", "B", "Frame size") for side in ("left", "right")]


def size_cells(item: Measurement, stateful: bool) -> list[Content]:
    """Of `size_columns`."""
    if stateful:
        return [words.sizes(item.frame_size)]
    return [whole(item.frame_size.left), whole(item.frame_size.right)]


def repetitions(item: Measurement) -> str:
    """N, and whether there will be more."""
    counts = [one.summary.n for one in item.values if one.role == "result" and one.summary is not None]
    ran = max(counts, default=0)
    return str(ran) if item.complete else f"{ran} so far"


def all_small(measurements: Sequence[Measurement]) -> bool:
    """True if P1 is the minimum and P99 the maximum everywhere (RFC 2330 §11.3: N below 100)."""
    return all(one.summary is None or one.summary.n < 100 for item in measurements for one in item.values)


def spread_columns(group: str, unit: str, *, small: bool) -> list[Column]:
    """Median, P1, P99, and minimum and maximum where they are not the same."""
    names = (
        ("Median", "P1 =\N{NO-BREAK SPACE}min", "P99 =\N{NO-BREAK SPACE}max")
        if small
        else ("Median", "P1", "P99", "Min", "Max")
    )
    return [Column(name, unit, group) for name in names]


def spread_cells(found: ValueSeries | None, scale: Scale, *, small: bool) -> list[Content]:
    """Of `spread_columns`."""
    if found is None or found.summary is None:
        return [NONE] * (3 if small else 5)
    summary = found.summary
    others = (summary.p1, summary.p99) if small else (summary.p1, summary.p99, summary.minimum, summary.maximum)
    return [
        element("strong", scale.shown(summary.median, found.unit)),
        *[scale.shown(value, found.unit) for value in others],
    ]


def rate_spread_cells(summary: Summary | None, *, small: bool, bound: str = "") -> list[Content]:
    """Of `spread_columns`, for rates. `bound`: `≥ ` where the median is a lower bound."""
    if summary is None:
        return [NONE] * (3 if small else 5)
    others = (summary.p1, summary.p99) if small else (summary.p1, summary.p99, summary.minimum, summary.maximum)
    return [element("strong", f"{bound}{rate(summary.median)}"), *[rate(value) for value in others]]


def average_columns(group: str, unit: str) -> list[Column]:
    """Average, minimum, maximum, standard deviation: where the standard wants the average."""
    return [Column(name, unit, group) for name in ("Average", "Min", "Max", "Std. dev.")]


def average_cells(found: ValueSeries | None, scale: Scale) -> list[Content]:
    """Of `average_columns`."""
    if found is None or found.summary is None:
        return [NONE] * 4
    return [
        element("strong", scale.shown(found.mean, found.unit)),
        scale.shown(found.summary.minimum, found.unit),
        scale.shown(found.summary.maximum, found.unit),
        scale.shown(found.standard_deviation, found.unit),
    ]


def without_result(item: Measurement) -> Content:
    """Why a measurement has no result, for the rest of its row; None if it has one."""
    if has_result(item):
        return None
    if item.no_result is not None:
        kind, standard = item.no_result.kind, item.no_result.standard
        before = "" if kind == "no result" else f" ({standard}):" if standard else ""
        return [badge(kind, "warn"), f"{before} {item.no_result.text}"]
    if item.failures:
        others = plural(len(item.failures) - 1, "other repetition")
        more = f" ({others} likewise without a result)" if len(item.failures) > 1 else ""
        return [badge("failed", "bad"), f" {short(item.failures[0], 160)}{more}"]
    said = [value.remark for one in item.values for value in one.values if value.remark]
    return [badge("no result", "warn"), " ", said[0] if said else "no repetition has ended yet"]


def short(failure: FailureRecord, longest: int = 0) -> str:
    """A failure with no more details than fit into so many characters; the section has them all."""
    if not longest or not failure.details:
        return failure.what
    details = failure.details
    while len(details) > 1 and len(Failure(failure.what, details).in_words()) > longest:
        details = details[:-1]
    return Failure(failure.what, details).in_words()


def rows_of(item: Measurement) -> list[DirectionName]:
    """A row for each direction; one for both where there is no result."""
    return list(directions(item)) if without_result(item) is None else [directions(item)[0]]


def delay_rows(measurements: Sequence[Measurement]) -> Iterator[tuple[Measurement, Frames]]:
    """The same of delays: for each direction all frames, and each class where there is background."""
    for item in measurements:
        each = classes(item) if without_result(item) is None else [None]
        yield from ((item, (name, of)) for name in rows_of(item) for of in each)


def class_note(measurements: Sequence[Measurement], more: str = "") -> Content:
    """What the classes are; nothing without background."""
    if not any(len(classes(item)) > 1 for item in measurements):
        return None
    return paragraph(
        "Class: all frames of the stream, as RFC 8219 §7.3 wants them; of them those that the DUT translates "
        f"(foreground) and the native ones between them (background).{more}",
        class_="muted",
    )


def remarks(measurements: Sequence[Measurement]) -> Markup:
    """What must be known to read the values; what stands in a row of its own is not repeated."""
    said: dict[str, list[str]] = {}
    for item in measurements:
        where = _where(item)
        lines = list(item.remarks)
        if without_result(item) is None:
            lines += _of_values(item)
            if item.no_result:
                lines.append(item.no_result.in_words())
            if item.failures:
                lines.append(f"{plural(len(item.failures), 'repetition')} gave no result")
        if item.tester_alone is not None and item.tester_alone.failure is not None:
            lines.append(f"the Tester alone has no delays here: {item.tester_alone.failure}")
        for line in dict.fromkeys(lines):
            said.setdefault(line, []).append(where)
    failures = [f"{_where(item)}, {failure.in_words()}" for item in measurements for failure in item.failures]
    shown = ([element("strong", "; ".join(dict.fromkeys(where))), f": {line}"] for line, where in said.items())
    return render(
        [
            bullets(shown),
            folded(f"Why repetitions have no result ({len(failures):,})", bullets(failures), class_="more")
            if failures
            else None,
        ]
    )


def _where(item: Measurement) -> str:
    """Size, direction, connections and share."""
    where = f"{words.sizes(item.frame_size)} bytes, {words.ARROWS[item.direction]}"
    where += "" if words.standard_mix(item) else f", {words.mix(item.mix)}"
    alpha = alpha_of(item) if item.procedure == "establishment" else None
    where += place(item) + (f", alpha = {alpha:g}" if alpha is not None else "")
    return where if item.share is None else f"{where}, {100 * item.share:g} % of the throughput"


def _of_values(item: Measurement) -> list[str]:
    counts: dict[str, set[int]] = {}
    for value in chain.from_iterable(one.values for one in item.values):
        if value.remark:
            counts.setdefault(value.remark, set()).add(value.repetition)
    numbers = {line: ", ".join(str(number) for number in sorted(found)) for line, found in counts.items()}
    return [f"{line} (repetition {numbers[line]})" for line in numbers]


def every_repetition(
    measurements: Sequence[Measurement],
    identity: Identity,
    quantities: Sequence[Quantity],
    scale: Scale | None = None,
) -> Content:
    """All values of all repetitions, folded."""
    present = [
        one for one in quantities if any(found.quantity == one.name for item in measurements for found in item.values)
    ]
    if not present:
        return None
    times = [value.value for item in measurements for one in item.values if one.unit == "ns" for value in one.values]
    scale = scale or micro_or_milli(times)
    columns = [
        *identity.columns(),
        Column("Repetition"),
        Column("Trial"),
        *[Column(one.name, _unit(one, scale)) for one in present],
    ]
    rows = [
        Row(
            [
                *identity.cells(item, direction, of),
                str(repetition.number),
                NONE if repetition.final_trial is None else str(repetition.final_trial),
                *[_value(item, one, direction, of, repetition.number, scale) for one in present],
            ]
        )
        for item in measurements
        for repetition in item.repetitions
        for direction in _directions_of(item)
        for of in classes(item)
    ]
    return folded(f"Every repetition ({len(rows):,})", table(columns, rows), class_="more")


def _directions_of(item: Measurement) -> list[DirectionName | None]:
    found: list[DirectionName | None] = [
        name for name in ("forward", "reverse") if any(one.direction == name for one in item.values)
    ]
    return found or [None]


def _value(
    item: Measurement,
    quantity: Quantity,
    direction: DirectionName | None,
    of: TrafficClass | None,
    repetition: int,
    scale: Scale,
) -> Content:
    found = find(item, quantity, direction, of) or find(item, quantity, None, of)
    value = None if found is None else next((one for one in found.values if one.repetition == repetition), None)
    if found is None or value is None or value.value is None:
        return NONE if value is None or not value.remark else element("span", NONE, title=value.remark)
    if found.unit == "%":
        return percent(value.value)
    return whole(value.value) if found.unit in _COUNTED else scale.shown(value.value, found.unit)


def _unit(quantity: Quantity, scale: Scale) -> str:
    return _COUNTED.get(quantity.unit, scale.unit)


def lost_share(lost: float | None, sent: float | None) -> Content:
    """`12 (0.03 %)`: a loss beside percentiles that don't contain it."""
    if lost is None:
        return NONE
    if not lost or not sent:
        return whole(lost)
    return f"{whole(lost)} ({percent(100 * lost / sent)} %)"
