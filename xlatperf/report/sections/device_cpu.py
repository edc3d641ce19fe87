"""What the parts of the device used of the processor: which of them limits."""

from __future__ import annotations

from xlatperf.procedures.registry import BY_NAME
from xlatperf.report import words
from xlatperf.report.by_measurement import by_measurement
from xlatperf.report.evidence import Evidence
from xlatperf.report.figure import shown
from xlatperf.report.line import Line
from xlatperf.report.markup import Content, badge, bullets, element, paragraph, render
from xlatperf.report.numerals import NONE, rate, whole
from xlatperf.report.polling import pollers
from xlatperf.report.section import Section
from xlatperf.report.series import full_name, performance, place
from xlatperf.report.table import Column, text
from xlatperf.results.results import Measurement

BUSY = 0.9
"""A part with one thread that uses as much of a core has next to no time left."""
_SENTENCES = 8
_POLLS = "all there is of a core while frames arrive, so that processor time says nothing about what limits"


def section(evidence: Evidence) -> Section | None:
    """None if nothing is known of any part."""
    measurements = [item for item in evidence.results.measurements if item.device_cpu]
    if not measurements:
        return None
    parts = list(dict.fromkeys(name for item in measurements for name in item.device_cpu))
    polling = pollers(evidence, parts)
    body: list[Content] = [
        paragraph(
            "Processor time that each part of the device used while frames were sent, in CPU cores' worth: 1 is one "
            "core all the time. By samples between the first frame and the last; a trial that is too short for two has "
            "none. Medians of the trials that determined the results; of an experiment with two phases it is that of "
            "the last one. The part that is busy at the rate found is what limits it.",
            class_="lead",
        ),
        bullets(
            [f"{' and '.join(polling)} {'takes' if len(polling) == 1 else 'take'} {_POLLS}."]
            if polling
            else [said for item in measurements if (said := limits(item))][:_SENTENCES]
        ),
        by_measurement(
            evidence,
            measurements,
            [
                Column("Rate", _rate, "per second"),
                *[_used(part) for part in parts],
                *([] if polling else [text("Busiest", _busiest)]),
            ],
        ),
        paragraph(
            f"Busy: {BUSY:g} of a core and more, for a part that uses one core at a time (a process with one thread); "
            "of the kernel as much of all cores that it was given. Work of the kernel on cores of the Tester is not "
            "counted.",
            class_="muted",
        ),
    ]
    return Section("device-cpu", "The device's CPU use", render(body))


def _rate(line: Line) -> Content:
    found = line.rate("median")
    return rate(line.item.rate_fps) if found is None else shown(found)


def _busiest(line: Line) -> Content:
    busy, used = busy_parts(line.item), line.item.device_cpu
    return [f"{', '.join(busy)} ", badge("busy", "warn")] if busy else max(used, key=lambda name: used[name])


def busy_parts(item: Measurement) -> list[str]:
    """Those without time left, busiest first. The kernel works on all cores that it was given."""
    cores = {"kernel": item.device_cores or 1}
    used = sorted(item.device_cpu.items(), key=lambda pair: -pair[1])
    return [name for name, value in used if value >= BUSY * cores.get(name, 1)]


def _used(part: str) -> Column[Line]:
    def cell(line: Line) -> Content:
        value = line.item.device_cpu.get(part)
        if value is None:
            return NONE
        return element("strong", f"{value:.2f}") if part in busy_parts(line.item) else f"{value:.2f}"

    return Column(part, cell, "", "CPU cores' worth")


def limits(item: Measurement) -> str | None:
    """Which of several parts limits a rate, in words; None with one part, or no rate, or one that isn't the DUT's."""
    found = performance(item)
    if not BY_NAME[item.procedure].facts.finds or len(item.device_cpu) < 2 or found is None:
        return None
    if all(one.limited_by not in (None, "dut") for one in item.repetitions):
        return None
    used = sorted(item.device_cpu.items(), key=lambda pair: -pair[1])
    listed = ", ".join(f"{name} {value:.2f}" for name, value in used)
    where = (
        f"{full_name(item).capitalize()} at {words.sizes(item.frame_size)} bytes"
        f"{words.with_mix(item)}{place(item)}, {words.DIRECTIONS[item.direction]}, {whole(found.median)} per second"
    )
    if item.device_idle:
        listed += "; idle: " + ", ".join(f"{core} {100 * share:.0f} %" for core, share in item.device_idle.items())
    busy = busy_parts(item)
    full = [core for core, share in item.device_idle.items() if share <= 1 - BUSY]
    if not busy and full:
        return f"{where}: no time is left on {' and '.join(full)} ({listed})."
    if not busy:
        return f"{where}: no part is busy all the time ({listed}), so something else limits: the kernel, or the Tester."
    if len(busy) == 1:
        return f"{where}: {busy[0]} limits ({listed})."
    return f"{where}: {' and '.join(busy)} have no time left ({listed})."
