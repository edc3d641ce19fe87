"""What the device must refuse, and whether it does."""

from __future__ import annotations

from xlatperf.campaign.negative import NegativeTestRecord, fates
from xlatperf.report import words
from xlatperf.report.card import card
from xlatperf.report.evidence import Evidence
from xlatperf.report.markup import Content, Markup, badge, element, paragraph, render
from xlatperf.report.numerals import NONE, plural, whole
from xlatperf.report.section import Section
from xlatperf.report.table import Column, Row, table, text


def section(evidence: Evidence) -> Section | None:
    """None where the technology has no such tests."""
    tests = evidence.results.negative_tests
    if not tests:
        return None
    parts = len({test.part for test in tests}) > 1
    columns = [
        text("Frames", class_="wide"),
        text("Direction"),
        *([Column("Domain")] if parts else []),
        text("Forbidden by"),
        Column("Sent"),
        Column("Came through"),
        text("What became of them", class_="wrap"),
        text("Verdict"),
    ]
    rows = [
        Row(
            [
                element("span", test.what),
                words.ARROWS[test.direction],
                *([NONE if test.part is None else whole(test.part + 1)] if parts else []),
                f"{test.basis}, MUST" if test.must else test.basis,
                whole(test.sent),
                whole(test.passed) if test.untried is None else NONE,
                fates(test) if test.untried is None else f"not tried: {test.untried}",
                _verdict(test),
            ]
        )
        for test in tests
    ]
    lead = (
        "Right frames that were changed in one thing, with checksums that fit, before anything was measured. A device "
        "that doesn't look is faster than one that does: a rate stands for the checks that were made. Where no section "
        "says MUST, the frames belong to nobody by the section that is named."
    )
    return Section(
        "negative", "What the device must refuse", render([paragraph(lead, class_="lead"), table(columns, rows)])
    )


def _verdict(test: NegativeTestRecord) -> Markup:
    if test.untried is not None:
        return badge("not tried", "plain")
    if test.refused:
        return badge("refused", "good")
    return badge("came through", "bad" if test.must else "warn")


def _passed(evidence: Evidence) -> list[NegativeTestRecord]:
    return [test for test in evidence.results.negative_tests if test.passed]


def sentences(evidence: Evidence) -> list[Content]:
    """What stands beside the rate."""
    tests = [test for test in evidence.results.negative_tests if test.untried is None]
    if not tests:
        return []
    passed = _passed(evidence)
    if not passed:
        return [f"{evidence.device} refused all {plural(len(tests), 'kind')} of frames that it must not forward."]
    named = "; ".join(f"{test.what} ({test.basis}{', MUST' if test.must else ''})" for test in passed)
    return [
        [
            element("strong", f"{evidence.device} forwarded frames that it must not"),
            f", {len(passed)} of {plural(len(tests), 'kind')}: {named}. A device that checks less is faster.",
        ]
    ]


def cards(evidence: Evidence) -> list[Markup]:
    """None or one."""
    tests = evidence.results.negative_tests
    if not tests:
        return []
    refused = sum(test.refused for test in tests)
    passed = _passed(evidence)
    tone = "bad" if any(test.must for test in passed) else "good" if refused == len(tests) else "warn"
    return [card(f"{refused}", f"of {len(tests)} refused", "kinds of frames that it must not forward", tone)]
