"""summary.csv: one row for each value, with all that it was measured with beside it (docs/results.md).

Columns are called as in results.json; what is nested there is joined by `_`. Numbers are as they are, without
separators; a field that doesn't apply, or a value that isn't there, is empty.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from xlatperf.files.spreadsheet import harmless
from xlatperf.files.writing import whole
from xlatperf.procedures import ipdv, latency, pdv
from xlatperf.procedures.registry import BY_NAME
from xlatperf.report.bounds import of_share
from xlatperf.report.figure import STATISTICS, figure, of_repetition
from xlatperf.report.series import alpha_of, connections_of, flow_interval_of
from xlatperf.results.results import Measurement, Results
from xlatperf.results.value_records import TesterAlone, TesterAloneDelay, ValueSeries

CONDITIONS = (
    "campaign",
    "measure",
    "procedure",
    "frame_size_left",
    "frame_size_right",
    "frame_sizes",
    "mix_take",
    "mix_of",
    "direction",
    "connections",
    "subscribers",
    "networks",
    "flows",
    "flow_interval_s",
    "device_cores",
    "table_size",
    "hash_size",
    "establish_fps",
    "alpha",
    "frame_timeout_ms",
    "share",
    "share_bound",
    "rate_fps",
    "complete",
)
"""Of the measurement; `rate_fps` of the value, where rates differ in a measurement."""
OF_VALUE = (
    "role",
    "quantity",
    "value_direction",
    "traffic_class",
    "unit",
    "repetition",
    "statistic",
    "value",
    "bound",
    "limited_by",
    "remark",
)
COLUMNS = (*CONDITIONS, *OF_VALUE)
_SAME = (
    *("measure", "procedure", "direction", "subscribers", "networks", "flows", "device_cores"),
    *("table_size", "hash_size"),
    *("establish_fps", "frame_timeout_ms", "share", "rate_fps", "complete"),
)
"""As the measurement has them."""

_Row = dict[str, Any]


def write(results: Results, folder: Path) -> Path:
    """Writes summary.csv into the folder, whose name is the campaign's, and returns its path."""
    path = folder / "summary.csv"
    with whole(path, newline="") as file:
        writer = csv.DictWriter(file, COLUMNS, restval="")
        writer.writeheader()
        for item in results.measurements:
            conditions = {"campaign": folder.resolve().name, **_conditions(item)}
            writer.writerows(_filled({**conditions, **row}) for row in _rows(item))
    return path


def _filled(row: _Row) -> _Row:
    texts = {None: "", True: "true", False: "false"}
    return {
        name: texts[value] if value is None or isinstance(value, bool) else harmless(value)
        for name, value in row.items()
    }


def _conditions(item: Measurement) -> _Row:
    return {
        **{name: getattr(item, name) for name in _SAME},
        "frame_size_left": item.frame_size.exact("left"),
        "frame_size_right": item.frame_size.exact("right"),
        "frame_sizes": item.frame_size.text,
        "mix_take": item.mix.take,
        "mix_of": item.mix.of,
        "connections": connections_of(item),
        "alpha": alpha_of(item),
        "flow_interval_s": flow_interval_of(item),
        "share_bound": of_share(item),
    }


def _rows(item: Measurement) -> Iterator[_Row]:
    for series in item.values:
        yield from _series(item, series)
    for one in item.derived:
        yield _single("derived", one.quantity, one.unit, one.value) | {"bound": one.bound}
    if item.tester_alone is not None:
        yield from _tester_alone(item.tester_alone)
    for part, used in item.device_cpu.items():
        yield _single("beside", f"CPU use of {part}", "cores", used) | {"statistic": "median"}
    for core, share in item.device_idle.items():
        yield _single("beside", f"idle share of {core}", "%", 100 * share) | {"statistic": "median"}
    for thread, packets in item.device_vectors.items():
        yield _single("beside", f"packets at once of {thread}", "packets", packets) | {"statistic": "median"}
    yield _single("limit", "theoretical maximum", "frames/s", item.theoretical_maximum_fps)
    yield _single("limit", "Tester's limit", "frames/s", item.tester_limit_fps)
    missing = [one.in_words() for one in item.failures]
    missing += [item.no_result.in_words()] if item.no_result is not None else []
    for text in missing:
        yield _single("result", *_only_result(item), None) | {"remark": text}


def _single(role: str, quantity: str | None, unit: str | None, value: float | None) -> _Row:
    return {"role": role, "quantity": quantity, "unit": unit, "statistic": "value", "value": value}


def _only_result(item: Measurement) -> tuple[str | None, str | None]:
    """Quantity and unit of what is missing, where there could be one result only."""
    results = BY_NAME[item.procedure].facts.results
    return (results[0].name, results[0].unit) if len(results) == 1 else (None, None)


def _series(item: Measurement, series: ValueSeries) -> Iterator[_Row]:
    of_all = _single(series.role, series.quantity, series.unit, None) | {
        "value_direction": series.direction,
        "traffic_class": series.traffic_class,
        **({"rate_fps": series.rate_fps} if series.rate_fps is not None else {}),
    }
    known = {one.number: one for one in item.repetitions} if series.role == "result" else {}
    for one in series.values:
        repetition = known.get(one.repetition)
        yield of_all | {
            "repetition": one.repetition,
            "value": one.value,
            "bound": "" if repetition is None else of_repetition(repetition, series, one.value).bound,
            "limited_by": None if repetition is None else repetition.limited_by,
            "remark": one.remark,
        }
    if series.summary is None or (series.rate_fps is not None and len(series.values) < 2):
        return
    for statistic in STATISTICS:
        found = figure(item, series, statistic)
        yield of_all | {
            "statistic": statistic,
            "unit": found.unit,
            "value": found.value,
            "bound": found.bound,
            "limited_by": " ".join(found.limits),
        }


def _tester_alone(alone: TesterAlone) -> Iterator[_Row]:
    for own in alone.delays:
        for quantity, value in _own_delays(own).items():
            yield _single("tester alone", quantity, "ns", value) | {
                "value_direction": own.direction,
                "traffic_class": own.traffic_class,
                "rate_fps": alone.rate_fps,
            }


def _own_delays(own: TesterAloneDelay) -> dict[str, float | None]:
    figures = {latency.TL.name: own.tl_ns, latency.WCL.name: own.wcl_ns, pdv.PDV.name: own.pdv_ns}
    if own.delay_variation is not None:
        found = own.delay_variation
        figures |= {ipdv.MINIMUM.name: found.min_ns, ipdv.MEDIAN.name: found.median_ns, ipdv.MAXIMUM.name: found.max_ns}
    return figures
