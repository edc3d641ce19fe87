"""Reads a results.json that an older version wrote: the same campaign in today's schema.

Schema 1 named a measurement, and a value's quantity, `name`. Schema 2 had the rates of throughput and the losses of
frame loss beside the values of all other procedures (`summary`, `points`), and what a search ended with in each
repetition.
"""

from __future__ import annotations

from typing import Any

from xlatperf.engine.message import DirectionName
from xlatperf.procedures import frame_loss, throughput
from xlatperf.procedures.registry import BY_NAME
from xlatperf.results.results import SCHEMA_VERSION
from xlatperf.results.value_records import RepetitionValue, ValueSeries, value_series

_Object = dict[str, Any]
_BOUNDS = ("lower_fps", "upper_fps", "loss_percent_above", "inversions")


def upgraded(document: _Object) -> _Object:
    """The document in today's schema. Raises ValueError if it isn't of the version that it names."""
    try:
        measurements = [_measurement(dict(one), document["schema_version"]) for one in document["measurements"]]
    except KeyError as missing:
        raise ValueError(f"not what schema_version {document['schema_version']} has: no {missing.args[0]}") from None
    except (TypeError, AttributeError) as error:
        raise ValueError(f"not what schema_version {document['schema_version']} has: {error}") from None
    return {**document, "schema_version": SCHEMA_VERSION, "measurements": measurements}


def _measurement(item: _Object, version: int) -> _Object:
    if version == 1:
        item["measure"] = item.pop("name")
        for kind in ("values", "derived"):
            item[kind] = [{**one, "quantity": one["name"]} for one in item.get(kind, ())]
            for one in item[kind]:
                del one["name"]
    if item["procedure"] not in BY_NAME:
        raise ValueError(f"procedure {item['procedure']!r} is not allowed: {', '.join(BY_NAME)}")
    found = [*_rates(item), *_losses(item)]
    item["values"] = [*(one.model_dump(mode="json") for one in found), *item.get("values", ())]
    item["repetitions"] = [_repetition(one) for one in item["repetitions"]]
    step = {"offered_fps": None}
    item["capacity_steps"] = [
        {**one, "tests": [step | test for test in one["tests"]]} for one in item.get("capacity_steps", ())
    ]
    for name in ("quantity", "unit", "summary", "points", "stop_width_fps", "stop_width_relative"):
        item.pop(name, None)
    return item


def _rates(item: _Object) -> list[ValueSeries]:
    """What each search for the throughput found, and its error."""
    if item["procedure"] != "throughput" or not item["repetitions"]:
        return []
    rates, errors = [], []
    for one in item["repetitions"]:
        known = one["lower_fps"] is not None and one["upper_fps"] is not None
        error = one["upper_fps"] - one["lower_fps"] if known else None
        rates.append(RepetitionValue(repetition=one["number"], value=one["rate_fps"], remark=None))
        errors.append(RepetitionValue(repetition=one["number"], value=error, remark=None))
    return [value_series(throughput.RATE, rates), value_series(throughput.ERROR, errors)]


def _losses(item: _Object) -> list[ValueSeries]:
    """A sweep's losses, and what was really offered (schema 1 didn't say it)."""
    directions: tuple[DirectionName, ...] = ("forward", "reverse")
    sent = [name for name in directions if item["direction"] in ("bidirectional", name)]
    points: dict[float, list[_Object]] = {}
    for point in item["points"]:
        points.setdefault(point["rate_fps"], []).append(point)
    found = []
    for rate_fps, same in points.items():
        for name in sent:
            losses = [_value(one, one["loss_percent"].get(name), one["remark"]) for one in same]
            found.append(value_series(frame_loss.LOSS, losses, direction=name, rate_fps=rate_fps))
        offered = [_value(one, one.get("offered_fps"), None) for one in same]
        found.append(value_series(frame_loss.OFFERED, offered, rate_fps=rate_fps))
    return found


def _value(point: _Object, value: float | None, remark: str | None) -> RepetitionValue:
    return RepetitionValue(repetition=point["repetition"], value=value, remark=remark, trial=point["trial"])


def _repetition(one: _Object) -> _Object:
    kept = {name: value for name, value in one.items() if name not in (*_BOUNDS, "rate_fps", "total_fps", "duration_s")}
    searched = one["lower_fps"] is not None or one["upper_fps"] is not None
    return {**kept, "search": {name: one[name] for name in _BOUNDS} if searched else None}
