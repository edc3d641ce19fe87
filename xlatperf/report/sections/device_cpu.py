"""What the parts of the device used of the processor: which of them limits."""

from __future__ import annotations

from collections.abc import Sequence

from xlatperf.report import words
from xlatperf.report.evidence import Evidence
from xlatperf.report.markup import Content, badge, bullets, element, paragraph, render
from xlatperf.report.measured import Identity
from xlatperf.report.numerals import NONE, rate, whole
from xlatperf.report.section import Section
from xlatperf.report.series import full_name, performance, place
from xlatperf.report.table import Column, Row, table, text
from xlatperf.results.results import Measurement

BUSY = 0.9
"""A part with one thread that uses as much of a core has next to no time left."""
_SENTENCES = 8
_RATES = frozenset({"throughput", "establishment"})


def section(evidence: Evidence) -> Section | None:
    """None if nothing is known of any part."""
    measurements = [item for item in evidence.results.measurements if item.device_cpu]
    if not measurements:
        return None
    identity = Identity(measurements, evidence.families, rates=False, named=False)
    parts = list(dict.fromkeys(name for item in measurements for name in item.device_cpu))
    shown: list[Content] = [
        paragraph(
            "Processor time that each part of the device used while frames were sent, in CPU cores' worth: 1 is one "
            "core all the time. Medians of the trials that determined the results; of an experiment with two phases "
            "it is that of the last one. The part that is busy at the rate found is what limits it.",
            class_="lead",
        ),
        bullets([said for item in measurements if (said := limits(item))][:_SENTENCES]),
        table(
            [
                text("Measurement"),
                *identity.columns(),
                Column("Rate", "per second"),
                *[Column(name, "", "CPU cores' worth") for name in parts],
                text("Busiest"),
            ],
            [_row(item, identity, parts) for item in measurements],
        ),
        paragraph(
            f"Busy: {BUSY:g} of a core and more, for a part that uses one core at a time (a process with one thread); "
            "of the kernel as much of all cores that it was given. Work of the kernel on cores of the Tester is not "
            "counted.",
            class_="muted",
        ),
    ]
    return Section("device-cpu", "The device's CPU use", render(shown))


def _row(item: Measurement, identity: Identity, parts: Sequence[str]) -> Row:
    found, busy = performance(item), busy_parts(item)
    busiest: Content = max(item.device_cpu, key=lambda name: item.device_cpu[name])
    if busy:
        busiest = [f"{', '.join(busy)} ", badge("busy", "warn")]
    return Row(
        [
            full_name(item),
            *identity.cells(item),
            rate(found.median if found is not None else item.rate_fps),
            *[_used(item.device_cpu.get(part), busy=part in busy) for part in parts],
            busiest,
        ]
    )


def busy_parts(item: Measurement) -> list[str]:
    """Those without time left, busiest first. The kernel works on all cores that it was given."""
    cores = {"kernel": item.device_cores or 1}
    used = sorted(item.device_cpu.items(), key=lambda pair: -pair[1])
    return [name for name, value in used if value >= BUSY * cores.get(name, 1)]


def _used(value: float | None, *, busy: bool) -> Content:
    if value is None:
        return NONE
    shown = f"{value:.2f}"
    return element("strong", shown) if busy else shown


def limits(item: Measurement) -> str | None:
    """Which of several parts limits a rate, in words; None with one part, or no rate."""
    found = performance(item)
    if item.procedure not in _RATES or len(item.device_cpu) < 2 or found is None:
        return None
    used = sorted(item.device_cpu.items(), key=lambda pair: -pair[1])
    listed = ", ".join(f"{name} {value:.2f}" for name, value in used)
    where = (
        f"{full_name(item).capitalize()} at {words.sizes(item.frame_size)} bytes"
        f"{words.with_mix(item)}{place(item)}, {words.DIRECTIONS[item.direction]}, {whole(found.median)} per second"
    )
    busy = busy_parts(item)
    if not busy:
        return f"{where}: no part is busy all the time ({listed}), so something else limits: the kernel, or the Tester."
    if len(busy) == 1:
        return f"{where}: {busy[0]} limits ({listed})."
    return f"{where}: {' and '.join(busy)} have no time left ({listed})."
