"""Packet delay variation (RFC 8219 §7.3.1): D99.9 - Dmin of all frames, in ms."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial

from xlatperf.engine.message import DirectionName
from xlatperf.procedures.pdv import D999, DELAYS, DMIN, ERROR, FROM_DUE, PDV, Pdv
from xlatperf.report import headline, words
from xlatperf.report.columns import frames_lost, median, repetitions, single, spread, tester_alone, total
from xlatperf.report.evidence import Evidence
from xlatperf.report.markup import Content
from xlatperf.report.of_procedure import OfProcedure
from xlatperf.report.plots import distribution
from xlatperf.report.scale import best, milli
from xlatperf.report.sentence import and_lost, by_direction, of_classes, strong
from xlatperf.report.told import of_parameters
from xlatperf.report.values import alone, directions, median_of
from xlatperf.results.results import Measurement

_BESIDE = "Medians beside, ms"


def _each(item: Measurement, name: DirectionName) -> Content:
    value = median_of(item, PDV, name)
    return None if value is None else [strong(value), of_classes(item, (PDV,), name)]


def _tester(_: Evidence, item: Measurement) -> str:
    each: Iterable[float | None] = (one.pdv_ns for name in directions(item) if (one := alone(item, name)) is not None)
    own = [one for one in each if one is not None]
    return f"; the Tester alone has {best(max(own))}" if own else ""


REPORT = OfProcedure(
    procedure=Pdv,
    about=(
        "PDV of a trial is D99.9 - Dmin: the 99.9th percentile of the delays of all its frames less the shortest one.",
        of_parameters("Streams of {duration_s} s."),
        "Lost frames have no delay and are no part of it: read each row with its losses.",
    ),
    scale=milli,
    values=(
        repetitions(),
        spread("PDV", PDV),
        single("at most off", ERROR, "maximum"),
        tester_alone("PDV", lambda own: own.pdv_ns),
        median("Dmin", DMIN, _BESIDE),
        median("D99.9", D999, _BESIDE),
        median("PDV from due", FROM_DUE, _BESIDE),
        total("Frames with a delay", DELAYS),
        frames_lost(),
    ),
    note=(
        "Medians over the N trials. A PDV may be off by what D99.9 is, at most 0.1 % of that; Dmin is exact. From due: "
        "with delays from when a frame was due instead of when it left; it is larger where the Tester was held up "
        "itself. Tester alone: the same frames at the same rate",
        lambda measurements: f"{words.where_alone(measurements)}.",
    ),
    plots=(distribution.figures,),
    sentence=by_direction(_each, and_lost, _tester),
    cards=partial(headline.worst, quantity=PDV, unit="packet delay variation", tester=lambda own: own.pdv_ns),
)
