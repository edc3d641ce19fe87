"""What the first frames told of the device, and was then required of all others."""

from __future__ import annotations

from xlatperf.meaning.learnt import NOT_DECREMENTED, untold
from xlatperf.procedures.learning import Learnt
from xlatperf.report import words
from xlatperf.report.evidence import Evidence
from xlatperf.report.markup import Content, badge, paragraph, render
from xlatperf.report.numerals import NONE, whole
from xlatperf.report.section import Section
from xlatperf.report.table import Column, table, text


def section(evidence: Evidence) -> Section | None:
    """None where the bench file says all."""
    found = evidence.results.learnt
    if not found:
        return None
    columns: list[Column[Learnt]] = [
        text("Direction", lambda one: words.ARROWS[one.direction]),
        text("Frames", lambda one: one.traffic_class),
        Column("Hops", lambda one: _told(one, one.hops)),
        Column("Outer hop limit", lambda one: _told(one, one.outer_hop_limit)),
        text("Verdict", _verdict, class_="wrap"),
    ]
    lead = (
        "How often the device decrements hop limit or TTL, and which hop limit it writes into outer headers, is its "
        "own choice (RFC 2473 §3.1, §6.3). It was learnt from the first frames, then every frame had to have it."
    )
    content = render([paragraph(lead, class_="lead"), table(columns, found)])
    return Section("learnt", "What the first frames told", content)


def _told(one: Learnt, value: int | None) -> Content:
    return NONE if one.untold is not None else whole(value)


def _verdict(one: Learnt) -> Content:
    if one.untold is not None:
        return [badge("not learnt", "warn"), f" {untold(one)}"]
    if one.hops == 0:
        return [badge("not decremented", "bad"), f" {NOT_DECREMENTED}"]
    return badge("learnt", "good")
