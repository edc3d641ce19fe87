"""Maximum connection establishment rate (RFC 9693 §4.5), also with validation (§4.6)."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import partial

from xlatperf.keys.in_words import plural
from xlatperf.procedures.establishment import Establishment
from xlatperf.procedures.trial import Trial
from xlatperf.report import words
from xlatperf.report.bounds import SIGNS, of_ratio
from xlatperf.report.columns import (
    always,
    dispersion,
    limit,
    repetitions,
    spread_of_rate,
)
from xlatperf.report.evidence import Evidence
from xlatperf.report.figure import shown
from xlatperf.report.headline import rate_card
from xlatperf.report.line import Line
from xlatperf.report.markup import Content, element, paragraph
from xlatperf.report.numerals import NONE, percent, rate
from xlatperf.report.of_procedure import OfProcedure
from xlatperf.report.plots import scale_up as plots
from xlatperf.report.selection import Selection
from xlatperf.report.sentence import not_the_devices, of_connections, spread, with_size
from xlatperf.report.series import alpha_of, bound_of, connections_of, largest_error, performance, rate_found
from xlatperf.report.table import Column, table, text
from xlatperf.results.results import Measurement, Repetition

_VALIDATION = "Validation at alpha ="


def _validated(measurements: Sequence[Measurement]) -> bool:
    return any(alpha_of(item) is not None for item in measurements)


def _limited_by(of: Selection) -> Iterable[Column[Line]]:
    def cell(line: Line) -> Content:
        limited_by = limit(line.item)
        if limited_by == NONE:
            return limited_by
        return [limited_by, element("span", failed_above(line.item, of.evidence), class_="below")]

    return [text("Limited by", cell)]


def failed_above(item: Measurement, evidence: Evidence) -> str:
    """Which phase failed at the lowest rate that did not pass: `validation: 8, phase 1: 2`."""
    said = Counter(_failed(one, evidence) for one in item.repetitions if upper_fps(one) is not None)
    if len(said) == 1:
        return next(iter(said))
    return ", ".join(f"{what}: {count}" for what, count in said.most_common())


def upper_fps(repetition: Repetition) -> float | None:
    """The lowest rate that did not pass."""
    return repetition.search.upper_fps if repetition.search is not None else None


def _failed(repetition: Repetition, evidence: Evidence) -> str:
    for number in reversed(repetition.trials):
        trial = evidence.trials.get(number)
        if trial is not None and _phase_1_fps(trial) == upper_fps(repetition):
            return failed_phase(trial)
    return "phase not known"


def _phase_1_fps(trial: Trial) -> float | None:
    wanted = trial.request.connections
    if wanted is None or wanted.phase == "establish":
        return trial.request.rate_fps
    return wanted.establish_fps


def failed_phase(trial: Trial) -> str:
    """What of an experiment failed."""
    if trial.experiment is not None and trial.experiment.collapsed is not None:
        return "the device collapsed"
    if not trial.valid:
        return "the Tester"
    wanted = trial.request.connections
    came_to_it = trial.forward is not None or trial.reverse is not None
    return "validation" if wanted is not None and wanted.phase == "each_once" and came_to_it else "phase 1"


def _alphas(of: Selection) -> Content:
    """Rate over alpha, where several were measured: with alpha too high the validation is what limits."""
    groups: dict[str, dict[float, Measurement]] = {}
    without: dict[str, Measurement] = {}
    for item in of.measurements:
        alpha = alpha_of(item)
        if performance(item) is None:
            continue
        if alpha is None:
            without.setdefault(_where(item), item)
        else:
            groups.setdefault(_where(item), {}).setdefault(alpha, item)
    groups = {where: dict(sorted(found.items())) for where, found in groups.items() if len(found) > 1}
    if not groups:
        return None
    alphas = sorted({alpha for found in groups.values() for alpha in found})
    columns: list[Column[str]] = [
        text("Connections", str),
        Column(
            "None",
            lambda where: shown(rate_found(without[where], "median")) if where in without else NONE,
            "",
            _VALIDATION,
        ),
        *[_at_alpha(alpha, groups, without) for alpha in alphas],
    ]
    return [
        element("h3", "Rate over the validation's rate"),
        paragraph(
            "Medians, in connections per second, and their share of the rate without validation. With alpha too high "
            "the device can't take the frames that come back, and the validated rate falls although phase 1 could be "
            "faster; with alpha low enough it should be the rate without validation (RFC 9693 §4.6). If it stays below "
            "that, the device loses connections that it had accepted.",
            class_="muted",
        ),
        table(columns, groups),
        plots.plot_alpha(groups, without, "plot-alpha"),
    ]


def _at_alpha(
    alpha: float, groups: Mapping[str, Mapping[float, Measurement]], without: Mapping[str, Measurement]
) -> Column[str]:
    """The rate, and its share of the one without validation."""

    def cell(where: str) -> Content:
        found, plain = groups[where].get(alpha), without.get(where)
        if found is None:
            return NONE
        share = _share(found, plain) if plain is not None else None
        return [shown(rate_found(found, "median")), element("span", share, class_="below") if share else None]

    return Column(f"{alpha:g}", cell, "", _VALIDATION)


def _share(item: Measurement, of: Measurement) -> str | None:
    """Of the medians; None: nothing is known of it."""
    above, below = performance(item), performance(of)
    if above is None or below is None or not below.median:
        return None
    bound = of_ratio(bound_of(item, above.median), bound_of(of, below.median))
    return None if bound is None else f"{SIGNS[bound]}{percent(100 * above.median / below.median, 1)} %"


def _where(item: Measurement) -> str:
    cores = f", {plural(item.device_cores, 'core')}" if item.device_cores is not None else ""
    return f"{connections_of(item) or 0:,}, {words.sizes(item.frame_size)} bytes{words.with_mix(item)}{cores}"


def _with_remarks(item: Measurement) -> Measurement:
    """Without what failed above each search's result, which has a column; alike ones once."""
    failed = [fps for one in item.repetitions if (fps := upper_fps(one)) is not None]
    above = {f"at {fps:,.0f} connections/s: " for fps in failed}
    lines = [line for line in item.remarks if not line.startswith(tuple(above))]
    return item.model_copy(update={"remarks": tuple(alike(lines))})


def alike(lines: Iterable[str]) -> list[str]:
    """Of lines that differ in numbers only the first."""
    kinds: dict[str, list[str]] = {}
    for line in lines:
        kinds.setdefault(re.sub(r"\d[\d.,e+-]*", "0", line), []).append(line)
    return [f"{same[0]} (and {len(same) - 1} more like it)" if len(same) > 1 else same[0] for same in kinds.values()]


def _sentence(evidence: Evidence, item: Measurement) -> Content:
    def said() -> Content:
        found, alpha, error = performance(item), alpha_of(item), largest_error(item)
        if found is None:
            return None
        width = f", error {error:,.0f}" if error is not None else ""
        how = "" if alpha is None else f", all of them validated at alpha = {alpha:g}"
        if any(item.loss_tolerance.values()):
            how += f", {words.tolerance(item)}"
        return [
            f"{evidence.device} establishes up to ",
            element("strong", rate(found.median)),
            f" connections per second{with_size(item)}{how} ({spread(found, 'search', 'searches')}{width}).",
            not_the_devices(item),
        ]

    return of_connections(item, said)


REPORT = OfProcedure(
    procedure=Establishment,
    about=(
        "The left side opens N connections with one frame each, every experiment from an empty table. The result is "
        "the fastest rate at which every frame comes through, found by complete binary searches.",
        lambda measurements: (
            "With validation one frame then comes back on each connection, at alpha times that rate, and all of them "
            "must arrive: a device that takes new connections but forgets others fails."
            if _validated(measurements)
            else ""
        ),
    ),
    values=(
        repetitions("N", "searches"),
        spread_of_rate("Connections per second"),
        dispersion(),
        always(Column("Error", lambda line: rate(largest_error(line.item), "connections per second"))),
        _limited_by,
    ),
    note=(
        "Error: distance to the lowest rate that failed, the largest of all searches (RFC 9693 §6). Limited by: what "
        "keeps the result from being higher, and below it which phase failed at the lowest rate that failed, in how "
        "many searches. P1 and P99 are minimum and maximum for N below 100.",
    ),
    parts=(_alphas,),
    remarks=_with_remarks,
    sentence=_sentence,
    cards=partial(rate_card, unit="new connections/s"),
)
