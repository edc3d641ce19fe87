"""How far the Tester can be trusted: its own limits and delays, its clock, its invalid trials."""

from __future__ import annotations

from xlatperf.campaign.results import Measurement, SelfTestEntry, TrialRecord
from xlatperf.report import words
from xlatperf.report.evidence import Evidence
from xlatperf.report.markup import Content, bullets, element, folded, paragraph, render
from xlatperf.report.numerals import NONE, micro, milli, percent, plural, rate, seconds, whole
from xlatperf.report.phases import phases
from xlatperf.report.section import Section
from xlatperf.report.sections.delays import delay_cells, delay_columns
from xlatperf.report.series import alpha_of, performance
from xlatperf.report.statistics import median
from xlatperf.report.table import Column, Row, facts, table, text

_LISTED = 40


def section(evidence: Evidence) -> Section:
    """Always there: that nothing is known is worth knowing as well."""
    return Section(
        "trust",
        "How far the Tester can be trusted",
        render(
            [
                element("h3", "Self-test: the Tester alone"),
                _limits(evidence),
                _delays(evidence),
                element("h3", "Schedule"),
                _departures(evidence),
                element("h3", "Invalid trials"),
                _invalid(evidence),
                element("h3", "Clock and ports"),
                _clock(evidence),
                _ports(evidence),
                element("h3", "What this Tester can't do or can't know") if evidence.results.tester_limits else None,
                bullets(evidence.results.tester_limits),
            ]
        ),
    )


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
        and item.summary is not None
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
        _ports_unknown(evidence),
    ]


def _over(entry: SelfTestEntry) -> str:
    return f"{entry.driver}, the ports in use" if entry.over == "ports" else "memory"


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
        found = _beside(evidence, entry) if entry.delays and nearest else None
        if found is not None and found.summary is not None:
            rows += [
                Row(
                    [
                        *sizes,
                        f"with the DUT, {'one search' if count == 1 else f'median of {count} searches'}",
                        rate(found.summary.median),
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
    """Per direction the median over the repetitions of each delay figure, of the foreground."""
    found: list[tuple[str, int, list[Content]]] = []
    trials = [
        evidence.trials[one.final_trial]
        for one in item.repetitions
        if one.rate_fps and one.final_trial is not None and one.final_trial in evidence.trials
    ]
    for name in ("forward", "reverse"):
        delays = [
            direction.foreground.delay
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


def _departures(evidence: Evidence) -> Content:
    directions = [
        item
        for trial in evidence.results.trials
        for phase in phases(trial)
        if phase.valid
        for item in (phase.forward, phase.reverse)
        if item is not None
    ]
    sent = sum(item.sent for item in directions)
    if not sent:
        return paragraph("No valid trial has sent frames.", class_="muted")
    late = sum(item.late_frames for item in directions)
    stalls = [item.longest_stall_ns for item in directions if item.longest_stall_ns is not None]
    schedule = evidence.results.bench.get("tester", {}).get("schedule", {})
    limit = f" (more than {schedule['late_us'] / 1000:g} ms after its time)" if "late_us" in schedule else ""
    return facts(
        [
            ("Frames sent in valid trials", whole(sent)),
            (f"Of these left late{limit}", f"{late:,}, {percent(100 * late / sent, 4)} %"),
            ("Longest stall of a sender in a valid trial", f"{milli(max(stalls))} ms" if stalls else NONE),
            ("Median of the trials' longest stalls", f"{milli(median(stalls))} ms" if stalls else NONE),
        ]
    )


def _invalid(evidence: Evidence) -> Content:
    invalid = [trial for trial in evidence.results.trials if not trial.valid]
    if not invalid:
        return paragraph("None." if evidence.results.trials else "No trial has run.", class_="muted")
    said = f"{len(invalid):,} of {plural(len(evidence.results.trials), 'trial')}. They say nothing about the device."
    codes = dict.fromkeys(reason.code for trial in invalid for reason in trial.reasons)
    columns = [text("Code"), Column("Trials"), Column("Lowest rate", "frames/s"), text("There", class_="wide")]
    more = len(invalid) - _LISTED
    return [
        paragraph(said),
        table(columns, [_of_code(code, invalid) for code in codes]),
        folded(
            "The invalid trials one by one",
            table(
                [Column("Trial"), Column("Rate", "frames/s"), text("Why", class_="wide")],
                [Row([str(trial.number), rate(trial.request.rate_fps), _why(trial)]) for trial in invalid[:_LISTED]],
            ),
            paragraph(f"{more:,} more are in the list of all trials.", class_="muted") if more > 0 else None,
        ),
    ]


def _of_code(code: str, invalid: list[TrialRecord]) -> Row:
    """A code with its trials, and what the one at the lowest rate says."""
    having = [trial for trial in invalid if any(reason.code == code for reason in trial.reasons)]
    lowest = min(having, key=lambda trial: trial.request.rate_fps)
    there = "; ".join(reason.text for reason in lowest.reasons if reason.code == code)
    return Row([element("code", code), whole(len(having)), rate(lowest.request.rate_fps), there])


def _why(trial: TrialRecord) -> str:
    return "; ".join(reason.text for reason in trial.reasons)


def _clock(evidence: Evidence) -> Content:
    clock = evidence.part("engine", "clock")
    if not clock:
        return paragraph("The clock is not recorded.", class_="muted")
    hertz, uncertainty = clock.get("hz"), clock.get("uncertainty_ppm")
    return facts(
        [
            ("Clock", str(clock.get("source", "unknown"))),
            ("Frequency", f"{hertz:,.1f} Hz" if hertz else NONE),
            ("Resolution", f"{seconds(1e9 / hertz)} ns" if hertz else NONE),
            ("Uncertainty of the frequency", "unknown" if uncertainty is None else f"{uncertainty:g} ppm"),
            ("Runs at a constant rate", _yes(clock.get("invariant"))),
            ("Agreement of the cores used", _agreement(evidence)),
            ("Nice value of the workers", _nice(evidence)),
        ]
    )


def _nice(evidence: Evidence) -> str:
    engine, wanted = evidence.part("engine"), evidence.results.bench["tester"].get("nice")
    values = [value for value in (engine.get("nice"), engine.get("group_nice")) if value is not None]
    if not values:
        return "unknown"
    got = max(values)
    if wanted is None or got == wanted:
        return str(got)
    return f"{got}: this user may not set {wanted}, as tester.nice says, so other programs can hold the Tester up more"


def _agreement(evidence: Evidence) -> str:
    """Offsets of the workers' counters, each between its bounds."""
    counters = evidence.parts("engine", "counters")
    if len(counters) == 1:
        return "one core reads all times"
    known = [one for one in counters if one.get("offset_ns") is not None]
    if not known:
        return "unknown"
    return ", ".join(
        f"core {one['core']}: {one['offset_ns']:+,.0f} ± {one['uncertainty_ns']:,.0f} ns against the main thread"
        for one in known
    )


def _ports(evidence: Evidence) -> Content:
    ports = [(side, port) for side in ("left", "right") if (port := evidence.part("engine", side))]
    if not ports:
        return None
    columns = [
        text("Side"),
        text("Driver"),
        text("Port"),
        Column("Speed", "Mbit/s"),
        text("Own receive drops known"),
        text("Hardware time stamps"),
    ]
    rows = [
        Row(
            [
                side,
                str(port.get("driver", NONE)),
                element("code", str(port.get("port", NONE))),
                whole(port["speed_mbps"]) if port.get("speed_mbps") else "unknown",
                _yes(port.get("receive_drops_known")),
                _yes(port.get("rx_timestamp")),
            ]
        )
        for side, port in ports
    ]
    unknown = "Where a port's own receive drops are not known, what the Tester loses itself counts as lost by the DUT."
    return [
        table(columns, rows),
        None if all(port.get("receive_drops_known") for _, port in ports) else paragraph(unknown, class_="muted"),
    ]


def _yes(value: object) -> str:
    return "unknown" if value is None else "yes" if value else "no"
