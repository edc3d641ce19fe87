"""Reads a results.json that an older version wrote: the same campaign in today's schema.

Schema 1 named a measurement, and a value's quantity, `name`. Schema 2 had the rates of throughput and the losses of
frame loss beside the values of all other procedures (`summary`, `points`), what a search ended with in each
repetition, and why there is no result as a line of text. Neither had `series`: it was cut out of `measure`.
"""

from __future__ import annotations

import re
from typing import Any

from xlatperf.engine.message import DirectionName
from xlatperf.keys.in_words import plural
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
    item["failures"] = [_failure(one) for one in item["failures"]]
    item["no_result"] = _no_result(item.get("no_result"))
    item["series"] = _series(item)
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
    bounds = {name: one[name] for name in _BOUNDS} if searched else None
    return {**kept, "search": bounds, "no_result": _no_result(one.get("no_result"))}


def _failure(line: str) -> _Object:
    """`repetition 3: what: first detail; second detail`."""
    number, _, why = line.removeprefix("repetition ").partition(": ")
    what, _, details = why.partition(": ")
    return {"repetition": int(number), "what": what, "details": details.split("; ") if details else []}


def _no_result(line: str | None) -> _Object | None:
    """`not applicable (RFC 9004 §6.1): why`."""
    if line is None:
        return None
    known = re.fullmatch(r"(not (?:applicable|measurable|valid|found))(?: \((RFC [^)]*)\))?:? (.*)", line)
    kind, standard, text = known.groups() if known is not None else ("no result", None, line)
    return {"kind": kind, "standard": standard, "text": text}


def _series(item: _Object) -> str:
    """The name without what differs."""
    name = str(item["measure"])
    timeout_ms, share = item.get("frame_timeout_ms"), item.get("share")
    name = name.removesuffix(f" with frame timeout {timeout_ms or 0:g} ms")
    name = name.removesuffix(f" at {100 * (share or 0):g} % of the throughput")
    connections = (item.get("connections") or {}).get("count")
    for one, count in (("core", item.get("device_cores")), ("subscriber", item.get("subscribers"))):
        name = name.removesuffix(f", {plural(count, one)}") if count is not None else name
    name = name.removesuffix(f", {plural(connections, 'connection')}") if connections is not None else name
    validated = item.get("parameters", {}).get("alpha") is not None and name == "validated establishment"
    return "establishment" if validated else name
