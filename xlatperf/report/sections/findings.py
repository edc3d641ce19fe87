"""What was wrong with which frames: each reason in words, with counts and a sample."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from xlatperf.engine.trial_answer import Sample
from xlatperf.keys.in_words import plural
from xlatperf.procedures.first_look import TRAFFIC_CLASS
from xlatperf.procedures.timeout_check import TimeoutFound
from xlatperf.report import words
from xlatperf.report.evidence import Evidence
from xlatperf.report.frame_bytes import compare
from xlatperf.report.markup import Content, Markup, badge, element, folded, paragraph, render
from xlatperf.report.numerals import NONE, whole
from xlatperf.report.section import Section
from xlatperf.report.table import Column, table, text
from xlatperf.results.results import Finding

_KINDS = {"error": ("wrong", "bad"), "icmp": ("ICMP error", "warn"), "remark": ("remark", "plain")}
_ORDER = {"error": 0, "icmp": 1, "remark": 2}


def section(evidence: Evidence) -> Section:
    """Findings about the DUT; those about the Tester are in another section."""
    findings = sorted(
        (item for item in evidence.results.findings if item.kind != "tester"),
        key=lambda item: (_ORDER[item.kind], -item.count),
    )
    first = _of_first_look(evidence)
    forgotten = [check for check in evidence.results.timeout_checks if check.verdict == "forgets"]
    if not findings and not forgotten:
        body: Content = (
            paragraph("Nothing. Every frame that came back was exactly as the standards say.", class_="note good")
            if evidence.results.trials
            else paragraph("No trial has run.", class_="muted")
        )
        return Section("findings", "What was wrong with which frames", render([body, *first]))
    lines = [*[_forgets(check) for check in forgotten], *[_found(item) for item in findings]]
    parts: list[Content] = [
        paragraph(
            "All trials together, valid or not. A frame counts in one reason only; remarks are on frames that are "
            "otherwise "
            "as expected. Frames that were merely lost are not listed here, unless all of a class were.",
            class_="lead",
        ),
        table(_COLUMNS, lines),
        *_samples(findings),
        *first,
    ]
    return Section("findings", "What was wrong with which frames", render(parts))


def _samples(findings: Sequence[Finding]) -> list[Content]:
    samples = [_sample(item, item.example) for item in findings if item.example is not None]
    if not samples:
        return []
    legend = paragraph(
        element("mark", "marked"),
        " bytes differ between received and expected; ",
        element("mark", "outlined", class_="free"),
        " ones may: the DUT's own MAC address, the IPv4 identification and DF that it "
        "chooses, and the header checksum that follows from them.",
        class_="muted",
    )
    return [element("h3", "Sample frames"), legend, samples]


def _of_first_look(evidence: Evidence) -> list[Content]:
    """What `check` finds and the measures may not: who is lost, and that a traffic class other than 0 isn't copied."""
    looked, sent = evidence.results.first_look, f"traffic class 0x{TRAFFIC_CLASS:02x}"
    if looked is None or not evidence.results.trials:
        return []
    head = element("h3", "The first frames")
    findings = [item for item in evidence.results.first_look_findings if item.kind != "tester"]
    if looked.untried is not None:
        lead = paragraph(f"What becomes of {sent} isn't fully known: {looked.untried}.", class_="muted")
    elif findings:
        why = "so that a field that isn't copied shows"
        lead = paragraph(f"Before anything was measured, a few were sent with {sent}, {why}.")
    else:
        lost, of = _lost_at_first(evidence)
        nothing = f"none came back wrong, but {lost:,} of {of:,} were lost" if lost else "nothing was wrong"
        lead = paragraph(f"Before anything was measured, a few were sent with {sent}: {nothing}.")
    if not findings:
        return [head, lead]
    return [head, lead, table(_COLUMNS, [_found(item) for item in findings]), *_samples(findings)]


def _lost_at_first(evidence: Evidence) -> tuple[int, int]:
    """In all of these trials together, of so many."""
    trials = [phase for trial in evidence.results.first_look_trials for phase in trial.phases if phase.valid]
    return sum(one.lost for one in trials), sum(one.sent for one in trials)


class _Found(NamedTuple):
    """A finding, or a timeout that is too short, as the table has both."""

    kind: Markup
    reason: str
    direction: str
    frames: str
    counted: str
    trials: int
    first_trial: str
    meaning: str


_COLUMNS: list[Column[_Found]] = [
    text("Kind", lambda one: one.kind),
    text("Reason", lambda one: element("code", one.reason)),
    text("Direction", lambda one: one.direction),
    text("Class", lambda one: one.frames),
    Column("Frames", lambda one: one.counted),
    Column("In trials", lambda one: whole(one.trials)),
    Column("First trial", lambda one: one.first_trial),
    text("What it means", lambda one: one.meaning, class_="wide"),
]


def _found(item: Finding) -> _Found:
    return _Found(
        badge(*_KINDS[item.kind]),
        item.reason,
        NONE if item.direction is None else words.ARROWS[item.direction],
        item.traffic_class or NONE,
        _count(item),
        item.trials,
        str(item.first_trial),
        item.meaning,
    )


def _count(item: Finding) -> str:
    """Frames, but for what is counted in connections or times."""
    if item.reason == "shared_mapping":
        return plural(item.count, "connection")
    return plural(item.count, "time") if item.reason == "collapsed" else whole(item.count)


def _forgets(check: TimeoutFound) -> _Found:
    """A DUT whose timeout is shorter than the phases (RFC 9693 §4.4): its lost frames are no loss of frames."""
    return _Found(
        badge("forgets", "bad"),
        "timeout",
        words.ARROWS["reverse"],
        NONE,
        plural(check.lost, "connection"),
        len(check.trials),
        str(check.trials[0]) if check.trials else NONE,
        check.text,
    )


def _sample(item: Finding, sample: Sample) -> Markup:
    facts = [f"arrived on the {sample.side} side"]
    if sample.direction is not None:
        facts.append(words.ARROWS[sample.direction])
    if sample.number is not None:
        facts.append(f"frame number {sample.number:,}")
    if sample.traffic_class is not None:
        facts.append(sample.traffic_class)
    title = [element("code", item.reason), element("span", f" one of {plural(item.count, 'frame')} | {sample.text}")]
    return folded(
        title,
        paragraph(", ".join(facts), class_="muted"),
        compare(sample.received, sample.expected),
        open_=item.kind == "error",
        class_="sample",
    )
