"""The Tester alone: its own limits and delays beside those with the DUT."""

from __future__ import annotations

from xlatperf.report import words
from xlatperf.report.evidence import Evidence
from xlatperf.report.markup import Content, bullets, element, paragraph
from xlatperf.report.numerals import NONE, micro, percent, rate, whole
from xlatperf.report.sections.delays import delay_cells, delay_columns
from xlatperf.report.series import alpha_of, performance
from xlatperf.report.table import Column, Row, table, text
from xlatperf.report.values import passed
from xlatperf.results.results import Measurement, SelfTestEntry
from xlatperf.results.statistics import median


def self_test(evidence: Evidence) -> list[Content]:
    """Limits, then delays; also when there is no self-test."""
    return [_limits(evidence), _delays(evidence)]


def _beside(evidence: Evidence, entry: SelfTestEntry) -> Measurement | None:
    """The throughput at the same size and direction, preferably without background; of several series the fastest.

    Beside the Tester's phase 1 the connection establishment rate, without validation.
    """
    if entry.phase == "establish":
        rates = [
            item
            for item in evidence.measurements("establishment")
            if item.frame_size_named == entry.frame_size_named and alpha_of(item) is None and performance(item)
        ]
        return max(rates, key=_median, default=None)
    same = [
        item
        for item in evidence.measurements("throughput")
        if (item.frame_size_named, item.direction) == (entry.frame_size_named, entry.direction)
        and performance(item) is not None
        and item.frame_timeout_ms is None
    ]
    if entry.phase is not None:
        return max(same, key=_median, default=None)
    return next((item for item in same if words.standard_mix(item)), same[0] if same else None)


def _median(item: Measurement) -> float:
    found = performance(item)
    return found.median if found is not None else 0.0


def _phase(entry: SelfTestEntry) -> str:
    """What the Tester alone did."""
    if entry.phase == "establish":
        return "phase 1: new connections"
    return f"phase 2: {entry.connections or 0:,} connections" if entry.phase == "steady" else NONE


def _limits(evidence: Evidence) -> Content:
    if not evidence.results.selftest:
        return paragraph(
            element("strong", "No self-test. "),
            "The Tester's own limit and delay are not known: a result may be the "
            "Tester's rather than the device's. `xlatperf selftest` measures them.",
            class_="note warn",
        )
    phases = any(entry.phase is not None for entry in evidence.results.selftest)
    columns = [
        text("Over"),
        Column("left", "B", "Frame size"),
        Column("right", "B", "Frame size"),
        text("Direction"),
        *([text("Phase")] if phases else []),
        Column("Tester's limit", "frames/s"),
        text("What failed above it", class_="wide"),
        Column("DUT's median", "frames/s"),
        Column("DUT is", "% of limit"),
    ]
    rows = []
    for entry in evidence.results.selftest:
        found = _beside(evidence, entry)
        dut = None if found is None else _median(found)
        share = None if dut is None or not entry.limit_fps else 100 * dut / entry.limit_fps
        why = "nothing: the test stopped here" if entry.ceiling_fps is not None else entry.reason or NONE
        rows.append(
            Row(
                [
                    _over(entry),
                    whole(entry.frame_size.left),
                    whole(entry.frame_size.right),
                    words.ARROWS[entry.direction],
                    *([_phase(entry)] if phases else []),
                    ["≥ " if entry.ceiling_fps is not None else "", rate(entry.limit_fps)],
                    why,
                    rate(dut),
                    percent(share, 1),
                ]
            )
        )
    return [
        paragraph(
            "The same engine, cores and frames without the device: the highest rate that was sent, received and "
            "verified without fault. No search goes above it. ",
            "Over the ports in use, joined to each other, and beside that in memory, without any driver."
            if any(entry.over == "ports" for entry in evidence.results.selftest)
            else "In memory only, without NIC and driver.",
            class_="lead",
        ),
        table(columns, rows),
        _cabled(evidence),
        _ports_unknown(evidence),
    ]


def _over(entry: SelfTestEntry) -> str:
    return f"{entry.driver}, the ports in use" if entry.over == "ports" else "memory"


def _cabled(evidence: Evidence) -> Content:
    """Where the ports' limit is from, if it wasn't measured by this campaign."""
    cabled = evidence.results.cabled
    if cabled is None:
        return None
    first, *others = cabled.in_words()
    return [
        paragraph(f"{first[0].upper()}{first[1:]}.", class_="note warn" if cabled.why_not else "note"),
        bullets(others),
    ]


def _ports_unknown(evidence: Evidence) -> Content:
    """Where the ports could not be joined: what they are known to carry."""
    if any(entry.over == "ports" for entry in evidence.results.selftest):
        return None
    carried = [
        trial.request.rate_fps
        for trial in evidence.results.trials
        if trial.valid and (trial.forward is not None or trial.reverse is not None)
    ]
    known = (
        f" In this campaign they took up to {max(carried):,.0f} frames/s per direction in time, so it is not lower."
        if carried
        else ""
    )
    return paragraph(
        element("strong", "The limit of the ports in use is not known: "),
        f"they were not joined to each other without the device.{known}",
        class_="note warn",
    )


def _delays(evidence: Evidence) -> Content:
    columns = [
        Column("left", "B", "Frame size"),
        Column("right", "B", "Frame size"),
        text("What"),
        Column("Rate", "frames/s"),
        text("Direction"),
        *delay_columns(),
    ]
    rows = []
    for entry in evidence.results.selftest:
        sizes = [whole(entry.frame_size.left), whole(entry.frame_size.right)]
        for delays in entry.delays:
            for name, delay in (("forward", delays.forward), ("reverse", delays.reverse)):
                if delay is not None and delay.count:
                    rows.append(
                        Row(
                            [
                                *sizes,
                                f"Tester alone over {entry.driver}, {delays.percent_of_limit:g} % of its limit",
                                rate(delays.rate_fps),
                                words.ARROWS[name],
                                *delay_cells(delay),
                            ]
                        )
                    )
        nearest = entry.over == "ports" or all(other.over == "memory" for other in evidence.results.selftest)
        found = _beside(evidence, entry) if entry.delays and nearest and entry.phase != "establish" else None
        summary = performance(found) if found is not None else None
        if found is not None and summary is not None:
            rows += [
                Row(
                    [
                        *sizes,
                        f"with the DUT, {'one search' if count == 1 else f'median of {count} searches'}",
                        rate(summary.median),
                        words.ARROWS[name],
                        *cells,
                    ],
                    tone="dut",
                )
                for name, count, cells in _dut_delays(evidence, found)
            ]
    if not rows:
        return None
    return [
        element("h4", "Delays: the Tester's own beside those with the DUT"),
        table(columns, rows),
        paragraph(
            "Of all frames. RFC 8219 calls the median of the tagged frames TL, their P99.9 WCL (§7.2), and "
            "P99.9 - minimum of all frames PDV (§7.3.1).",
            class_="muted",
        ),
    ]


def _dut_delays(evidence: Evidence, item: Measurement) -> list[tuple[str, int, list[Content]]]:
    """Per direction the median over the repetitions of each delay figure, of all frames."""
    found: list[tuple[str, int, list[Content]]] = []
    trials = [trial for _, trial in passed(item, evidence.trials)]
    for name in ("forward", "reverse"):
        delays = [
            direction.all_frames.delay
            for trial in trials
            if (direction := trial.forward if name == "forward" else trial.reverse) is not None
        ]
        cells: list[Content] = []
        for figure in ("min_ns", "median_ns", "p99_ns", "p999_ns", "max_ns"):
            values = [value for delay in delays if (value := getattr(delay, figure)) is not None]
            cells.append(micro(median(values)) if values else NONE)
        variations = [
            delay.p999_ns - delay.min_ns for delay in delays if delay.p999_ns is not None and delay.min_ns is not None
        ]
        cells.append(micro(median(variations)) if variations else NONE)
        if any(delay.count for delay in delays):
            found.append((name, len(delays), cells))
    return found
