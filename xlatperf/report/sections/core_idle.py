"""How idle each core of the device was: over the trials that determined the results, and second by second."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from xlatperf.procedures.trial import Trial
from xlatperf.report import words
from xlatperf.report.by_measurement import by_measurement
from xlatperf.report.evidence import Evidence
from xlatperf.report.line import Line
from xlatperf.report.markup import Content, element, paragraph, render
from xlatperf.report.numerals import NONE, percent, whole
from xlatperf.report.plots import core_idle as plots
from xlatperf.report.polling import pollers
from xlatperf.report.section import Section
from xlatperf.report.series import full_name, place
from xlatperf.report.table import Column
from xlatperf.results.results import Measurement

_PLOTS = 12
"""More make the page slow."""


def section(evidence: Evidence) -> Section | None:
    """None if no core is known."""
    measurements = [item for item in evidence.results.measurements if item.device_idle]
    if not measurements:
        return None
    cores = list(dict.fromkeys(core for item in measurements for core in item.device_idle))
    drawn = list(_drawn(evidence, measurements))
    body: list[Content] = [
        paragraph(
            "Share of the time that each core of the device was idle while frames were sent, medians of the trials "
            "that determined the results; of an experiment with two phases it is that of the last one. "
            f"{_what_it_says(pollers(evidence, cores))}",
            class_="lead",
        ),
        by_measurement(evidence, measurements, [_idle(core) for core in cores]),
        [
            element("div", element("h4", title), plots.plot(trial, f"plot-idle-{number}"))
            for number, (title, trial) in enumerate(drawn[:_PLOTS])
        ],
        paragraph(_what_is_drawn(drawn), class_="muted"),
    ]
    return Section("core-idle", "How idle the device's cores were", render(body))


def _what_it_says(polling: Sequence[str]) -> str:
    if polling:
        return f"{' and '.join(polling)}: never idle while frames arrive, as the device polls; that says nothing."
    return (
        "A core without idle time limits; where all have some, something else does: a queue, a lock, the link or the "
        "Tester."
    )


def _idle(core: str) -> Column[Line]:
    def cell(line: Line) -> Content:
        share = line.item.device_idle.get(core)
        return NONE if share is None else percent(100 * share, 1)

    return Column(core, cell, "%", "Idle share")


def _drawn(evidence: Evidence, measurements: Sequence[Measurement]) -> Iterator[tuple[str, Trial]]:
    """Of each measurement the first repetition's trial, if it was long enough."""
    for item in measurements:
        numbers = [one.final_trial for one in item.repetitions if one.final_trial is not None]
        known = (evidence.trials[number] for number in numbers if number in evidence.trials)
        trial = next((one for one in known if len(one.core_idle) > 1), None)
        if trial is not None:
            sizes = f"{words.sizes(item.frame_size)} bytes{words.with_mix(item)}"
            rate = f"{whole(trial.request.rate_fps)} frames/s per direction"
            what = f"{full_name(item)}{place(item)}, {sizes}, {words.DIRECTIONS[item.direction]}"
            yield f"{what}: trial {trial.number}, {rate}", trial


def _what_is_drawn(drawn: Sequence[tuple[str, Trial]]) -> str:
    said = "Second by second, as core_idle of each trial in results.json has it. "
    if not drawn:
        return f"{said}The trials took less than two seconds, of which there is no course."
    more = f" {len(drawn) - _PLOTS:,} more measurements have one." if len(drawn) > _PLOTS else ""
    return f"{said}Drawn: one trial of each measurement.{more} `xlatperf report FOLDER --figures` draws all that count."
