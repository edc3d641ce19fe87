"""summary.csv: numbers as they are, without separators.

One line per measurement; for frame loss one per rate; for procedures on times one per quantity and direction, with
those of the Tester alone.
"""

from __future__ import annotations

import csv
from pathlib import Path

from xlatperf.campaign.results import Measurement, Results
from xlatperf.report import words
from xlatperf.report.series import alpha_of, connections_of

COLUMNS = (
    "name",
    "procedure",
    "frame_size_left",
    "frame_size_right",
    "mix_take",
    "mix_of",
    "direction",
    "complete",
    "n",
    "median_fps",
    "p1_fps",
    "p99_fps",
    "minimum_fps",
    "maximum_fps",
    "dispersion",
    "median_total_fps",
    "theoretical_maximum_fps",
    "tester_limit_fps",
    "limited_by",
    "sweep",
    "rate_fps",
    "percent_of_maximum",
    "valid",
    "loss_percent_forward",
    "loss_percent_reverse",
    "frame_timeout_ms",
    "share",
    "throughput_fps",
    "role",
    "quantity",
    "quantity_direction",
    "unit",
    "median",
    "p1",
    "p99",
    "minimum",
    "maximum",
    "mean",
    "standard_deviation",
    "value",
    "no_result",
)
OF_CONNECTIONS = ("connections", "device_cores", "establish_fps", "alpha")
"""Only there with a stateful DUT, or with series over cores."""
_RATES = ("throughput", "frame_loss")


def write(results: Results, folder: Path) -> Path:
    """Writes summary.csv into the folder and returns its path."""
    path = folder / "summary.csv"
    stateful = any(item.connections is not None or item.device_cores is not None for item in results.measurements)
    columns = (*COLUMNS, *OF_CONNECTIONS) if stateful else COLUMNS
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, columns, restval="")
        writer.writeheader()
        for item in results.measurements:
            of_connections = _of_connections(item) if stateful else {}
            writer.writerows({**line, **of_connections} for line in _lines(item))
    return path


def _of_connections(item: Measurement) -> dict[str, object]:
    known = (connections_of(item), item.device_cores, item.establish_fps, alpha_of(item))
    return {name: _known(value) for name, value in zip(OF_CONNECTIONS, known, strict=True)}


def _lines(item: Measurement) -> list[dict[str, object]]:
    common: dict[str, object] = {
        "name": item.name,
        "procedure": item.procedure,
        "frame_size_left": item.frame_size.left,
        "frame_size_right": item.frame_size.right,
        "mix_take": item.mix.take,
        "mix_of": item.mix.of,
        "direction": item.direction,
        "complete": item.complete,
        "theoretical_maximum_fps": item.theoretical_maximum_fps,
        "tester_limit_fps": item.tester_limit_fps,
        "frame_timeout_ms": _known(item.frame_timeout_ms),
    }
    if item.procedure not in _RATES:
        return [{**common, **line} for line in _times(item)]
    if item.procedure == "frame_loss":
        return [
            {
                **common,
                "sweep": point.repetition,
                "rate_fps": point.rate_fps,
                "valid": point.valid,
                "percent_of_maximum": point.percent_of_maximum,
                **{f"loss_percent_{name}": loss for name, loss in point.loss_percent.items()},
            }
            for point in item.points
        ]
    if item.summary is None:
        return [{**common, "n": 0}]
    found = item.summary
    return [
        {
            **common,
            "n": found.n,
            "median_fps": found.median,
            "p1_fps": found.p1,
            "p99_fps": found.p99,
            "minimum_fps": found.minimum,
            "maximum_fps": found.maximum,
            "dispersion": found.dispersion,
            "median_total_fps": found.median * (2 if item.direction == "bidirectional" else 1),
            "limited_by": words.limited_by(item),
        }
    ]


def _times(item: Measurement) -> list[dict[str, object]]:
    """Each series, what follows from them, and the Tester alone; at least one line."""
    common: dict[str, object] = {
        "rate_fps": _known(item.rate_fps),
        "share": _known(item.share),
        "throughput_fps": _known(item.throughput_fps),
        "no_result": item.no_result or "; ".join(item.failures),
    }
    if item.procedure == "establishment":
        common["limited_by"] = words.limited_by(item)
    lines: list[dict[str, object]] = []
    for one in item.values:
        line: dict[str, object] = {"role": one.role, "quantity": one.name, "unit": one.unit, "n": 0}
        line["quantity_direction"] = one.direction or ""
        if one.summary is not None:
            names = ("n", "median", "p1", "p99", "minimum", "maximum", "dispersion")
            line |= {name: _known(getattr(one.summary, name)) for name in names}
        line |= {"mean": _known(one.mean), "standard_deviation": _known(one.standard_deviation)}
        lines.append(line)
    lines += [
        {"role": "derived", "quantity": one.name, "unit": one.unit, "value": _known(one.value)} for one in item.derived
    ]
    for own in item.tester_alone.delays if item.tester_alone is not None else ():
        figures = {"TL": own.tl_ns, "WCL": own.wcl_ns, "PDV": own.pdv_ns}
        if own.delay_variation is not None:
            found = own.delay_variation
            figures |= {"IPDV minimum": found.min_ns, "IPDV median": found.median_ns, "IPDV maximum": found.max_ns}
        lines += [
            {
                "role": "tester alone",
                "quantity": name,
                "quantity_direction": own.direction,
                "unit": "ns",
                "value": _known(value),
            }
            for name, value in figures.items()
        ]
    return [{**common, **line} for line in lines] or [{**common, "n": 0}]


def _known(value: float | None) -> object:
    return "" if value is None else value
