"""How many packets each thread of the device took at once: the load of one that polls, and is always busy."""

from __future__ import annotations

from xlatperf.report.by_measurement import by_measurement
from xlatperf.report.evidence import Evidence
from xlatperf.report.line import Line
from xlatperf.report.markup import Content, paragraph, render
from xlatperf.report.numerals import NONE
from xlatperf.report.section import Section
from xlatperf.report.table import Column


def section(evidence: Evidence) -> Section | None:
    """None of a device that doesn't take vectors of packets."""
    measurements = [item for item in evidence.results.measurements if item.device_vectors]
    if not measurements:
        return None
    threads = list(dict.fromkeys(thread for item in measurements for thread in item.device_vectors))
    body: list[Content] = [
        paragraph(
            "Packets that a node of each thread got per call while frames were sent, medians of the trials that "
            "determined the results. The device polls, so that its processor is always busy: the more there is to do, "
            "the more packets are taken at once, up to 256 in VPP, where a thread has no time left.",
            class_="lead",
        ),
        by_measurement(evidence, measurements, [_at_once(thread) for thread in threads]),
    ]
    return Section("vectors", "How full the device's vectors were", render(body))


def _at_once(thread: str) -> Column[Line]:
    def cell(line: Line) -> Content:
        packets = line.item.device_vectors.get(thread)
        return NONE if packets is None else f"{packets:.1f}"

    return Column(thread, cell, "packets", "Packets per call")
