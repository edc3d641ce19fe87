"""How far the Tester can be trusted: its own limits and delays, its clock, its invalid trials."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from xlatperf.engine.direction_answer import Direction
from xlatperf.keys.in_words import plural
from xlatperf.procedures.trial import Trial
from xlatperf.report.evidence import Evidence
from xlatperf.report.markup import Content, bullets, element, folded, paragraph, render
from xlatperf.report.numerals import NONE, milli, percent, rate, seconds, whole
from xlatperf.report.section import Section
from xlatperf.report.sections.self_test import self_test
from xlatperf.report.table import Column, facts, table, text
from xlatperf.results.statistics import median

_LISTED = 40


def section(evidence: Evidence) -> Section:
    """Always there: that nothing is known is worth knowing as well."""
    return Section(
        "trust",
        "How far the Tester can be trusted",
        render(
            [
                element("h3", "Self-test: the Tester alone"),
                *self_test(evidence),
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


def _departures(evidence: Evidence) -> Content:
    directions = [
        item
        for trial in evidence.results.trials
        for phase in trial.phases
        if phase.valid
        for item in phase.directions.values()
    ]
    sent = sum(item.sent for item in directions)
    if not sent:
        return paragraph("No valid trial has sent frames.", class_="muted")
    only = sum(trial.only_after_stalls for trial in evidence.results.trials)
    late = sum(item.departure.late_frames for item in directions)
    longest = (item.departure.longest_stall_ns for item in directions)
    stalls = [stall_ns for stall_ns in longest if stall_ns is not None]
    late_us = evidence.asked("tester", "schedule").get("late_us")
    limit = f" (more than {late_us / 1000:g} ms after its time)" if isinstance(late_us, int | float) else ""
    return facts(
        [
            ("Frames sent in valid trials", whole(sent)),
            (f"Of these left late{limit}", f"{late:,}, {percent(100 * late / sent, 4)} %"),
            ("Longest stall of a sender in a valid trial", f"{milli(max(stalls))} ms" if stalls else NONE),
            ("Median of the trials' longest stalls", f"{milli(median(stalls))} ms" if stalls else NONE),
            (
                "Stalls of 100 µs or more in which frames were due",
                whole(sum(item.departure.stalls for item in directions)),
            ),
            (
                "Frames lost right after such a stall",
                whole(sum(item.departure.lost_after_stall for item in directions)),
            ),
            ("Trials that lost frames only there (repeated, as far as retries allow)", whole(only)),
            *_dropped(directions),
        ]
    )


def _dropped(directions: Sequence[Direction]) -> Iterator[tuple[str, str]]:
    """Where a port doesn't count what its ring has no room for."""
    if count := sum(item.dropped_at_most for item in directions):
        yield "Lost frames that the Tester's own receive rings may have dropped, in valid trials", f"≤ {count:,}"


def _invalid(evidence: Evidence) -> Content:
    invalid = [trial for trial in evidence.results.trials if trial.says_nothing]
    followed = sum(not trial.valid for trial in evidence.results.trials) - len(invalid)
    with_links = f" Of {plural(followed, 'reset')} the Tester's port went down with the device's." if followed else ""
    if not invalid:
        return paragraph(f"None.{with_links}" if evidence.results.trials else "No trial has run.", class_="muted")
    of = plural(len(evidence.results.trials), "trial")
    said = f"{len(invalid):,} of {of}. They say nothing about what the device can do.{with_links}"
    codes = dict.fromkeys(reason.code for trial in invalid for reason in trial.reasons)
    by_code: list[Column[_Code]] = [
        text("Code", lambda one: element("code", one.code)),
        Column("Trials", lambda one: whole(len(one.trials))),
        Column("Lowest rate", lambda one: rate(one.lowest.request.rate_fps), "frames/s"),
        text("There", lambda one: one.there, class_="wide"),
    ]
    one_by_one: list[Column[Trial]] = [
        Column("Trial", lambda trial: str(trial.number)),
        Column("Rate", lambda trial: rate(trial.request.rate_fps), "frames/s"),
        text("Why", lambda trial: trial.why, class_="wide"),
    ]
    more = len(invalid) - _LISTED
    return [
        paragraph(said),
        table(by_code, [_Code(code, [trial for trial in invalid if _has(trial, code)]) for code in codes]),
        folded(
            "The invalid trials one by one",
            table(one_by_one, invalid[:_LISTED]),
            paragraph(f"{more:,} more are in the list of all trials.", class_="muted") if more > 0 else None,
        ),
    ]


class _Code(NamedTuple):
    """Why trials are invalid, with those trials."""

    code: str
    trials: list[Trial]

    @property
    def lowest(self) -> Trial:
        """The one at the lowest rate."""
        return min(self.trials, key=lambda trial: trial.request.rate_fps)

    @property
    def there(self) -> str:
        """What that one says."""
        return "; ".join(reason.text for reason in self.lowest.reasons if reason.code == self.code)


def _has(trial: Trial, code: str) -> bool:
    return any(reason.code == code for reason in trial.reasons)


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
            ("Senders and receivers", _roles(evidence)),
            ("Nice value of the workers", _nice(evidence)),
        ]
    )


def _roles(evidence: Evidence) -> str:
    """Which core does what."""
    known = [
        f"core {one.get('core')}: {', '.join(map(str, does))}"
        for one in evidence.parts("engine", "roles")
        if isinstance(does := one.get("does"), list) and does
    ]
    return "; ".join(known) or "unknown"


def _nice(evidence: Evidence) -> str:
    engine, wanted = evidence.part("engine"), evidence.asked("tester").get("nice")
    got = engine.get("nice")
    if got is None:
        return "unknown"
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
    columns: list[Column[tuple[str, dict[str, Any]]]] = [
        text("Side", lambda one: one[0]),
        text("Driver", lambda one: str(one[1].get("driver", NONE))),
        text("Port", lambda one: element("code", str(one[1].get("port", NONE)))),
        Column("Speed", lambda one: whole(one[1]["speed_mbps"]) if one[1].get("speed_mbps") else "unknown", "Mbit/s"),
        text("Promiscuous", lambda one: _yes(one[1].get("promiscuous"))),
        text("Own receive drops known", lambda one: _yes(one[1].get("receive_drops_known"))),
        text("Hardware time stamps", lambda one: _yes(one[1].get("rx_timestamp"))),
    ]
    unknown = (
        "Where a port's own receive drops are not known, frames that may have found its ring full while the Tester was "
        "away count as dropped by the Tester, at most so many; a trial of which they are a hundredth of the loss is "
        "invalid."
    )
    promiscuous = (
        "A promiscuous port takes frames to any MAC address: one that the DUT sends to another than the Tester's is "
        "counted as wrong (wrong_mac), where a host would not see it."
    )
    return [
        table(columns, ports),
        paragraph(promiscuous, class_="muted") if any(port.get("promiscuous") for _, port in ports) else None,
        None if all(port.get("receive_drops_known") for _, port in ports) else paragraph(unknown, class_="muted"),
    ]


def _yes(value: object) -> str:
    return "unknown" if value is None else "yes" if value else "no"
