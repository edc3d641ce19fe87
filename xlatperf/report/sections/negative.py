"""What the device must refuse, and whether it does."""

from __future__ import annotations

from xlatperf.keys.in_words import plural
from xlatperf.meaning.refusals import fates
from xlatperf.procedures.negative import NegativeOutcome
from xlatperf.report import words
from xlatperf.report.card import card
from xlatperf.report.evidence import Evidence
from xlatperf.report.markup import Content, Markup, badge, element, paragraph, render
from xlatperf.report.numerals import NONE, whole
from xlatperf.report.section import Section
from xlatperf.report.table import Column, table, text


def section(evidence: Evidence) -> Section | None:
    """None where the technology has no such tests."""
    tests = evidence.results.negative_tests
    if not tests:
        return None
    columns: list[Column[NegativeOutcome]] = [
        text("Frames", lambda one: element("span", one.test.what), class_="wide"),
        text("Direction", lambda one: words.ARROWS[one.test.direction]),
        *([Column("Domain", _domain)] if any(one.test.part != tests[0].test.part for one in tests) else []),
        text("Forbidden by", lambda one: f"{one.test.basis}, MUST" if one.test.must else one.test.basis),
        Column("Sent", lambda one: whole(one.sent)),
        Column("Came through", lambda one: whole(one.passed) if one.untried is None else NONE),
        text("What became of them", _fates, class_="wrap"),
        text("Verdict", _verdict),
    ]
    lead = (
        "Right frames that were changed in one thing, with checksums that fit, before anything was measured. A device "
        "that doesn't look is faster than one that does: a rate stands for the checks that were made. Where no section "
        "says MUST, the frames belong to nobody by the section that is named."
    )
    return Section(
        "negative", "What the device must refuse", render([paragraph(lead, class_="lead"), table(columns, tests)])
    )


def _domain(one: NegativeOutcome) -> str:
    return NONE if one.test.part is None else whole(one.test.part + 1)


def _fates(one: NegativeOutcome) -> str:
    return fates(one) if one.untried is None else f"not tried: {one.untried}"


def _verdict(one: NegativeOutcome) -> Markup:
    if one.untried is not None:
        return badge("not tried", "plain")
    if one.refused:
        return badge("refused", "good")
    return badge("came through", "bad" if one.test.must else "warn")


def _passed(evidence: Evidence) -> list[NegativeOutcome]:
    return [one for one in evidence.results.negative_tests if one.passed]


def sentences(evidence: Evidence) -> list[Content]:
    """What stands beside the rate."""
    tests, passed = evidence.results.negative_tests, _passed(evidence)
    if not tests:
        return []
    untried = sum(one.untried is not None for one in tests)
    said: list[Content] = [f" {plural(untried, 'kind')} could not be tried."] if untried else []
    if passed:
        named = "; ".join(f"{one.test.what} ({one.test.basis}{', MUST' if one.test.must else ''})" for one in passed)
        head = element("strong", f"{evidence.device} forwarded frames that it must not")
        more = f", {len(passed)} of {plural(len(tests), 'kind')}: {named}. A device that checks less is faster."
        return [[head, more, *said]]
    if untried == len(tests):
        return ["Whether the device refuses what it must not forward is unknown: none of it could be tried."]
    kinds = plural(len(tests) - untried, "kind")
    if not untried:
        kinds = "the one kind" if len(tests) == 1 else f"all {kinds}"
    return [[f"{evidence.device} refused {kinds} of frames that it must not forward.", *said]]


def cards(evidence: Evidence) -> list[Markup]:
    """None or one."""
    tests = evidence.results.negative_tests
    if not tests:
        return []
    refused = sum(one.refused for one in tests)
    tone = "bad" if any(one.violated for one in tests) else "good" if refused == len(tests) else "warn"
    return [card(f"{refused}", f"of {len(tests)} refused", "kinds of frames that it must not forward", tone)]
