"""What the device must refuse, and whether it does."""

from __future__ import annotations

from xlatperf.keys.in_words import plural
from xlatperf.meaning.refusals import FATES, fates, what
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
        *([text("Of", lambda one: one.test.of or NONE)] if any(one.test.of for one in tests) else []),
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


def _fates(one: NegativeOutcome) -> str:
    return fates(one) if one.untried is None else f"not tried: {one.untried}"


def _verdict(one: NegativeOutcome) -> Markup:
    if one.untried is not None:
        return badge("not tried", "plain")
    if one.refused:
        return badge("refused", "good")
    return badge(" and ".join(FATES[fate] for fate in one.wrongly), "bad" if one.test.must else "warn")


def _not_refused(evidence: Evidence) -> list[NegativeOutcome]:
    return [one for one in evidence.results.negative_tests if one.wrongly]


def sentences(evidence: Evidence) -> list[Content]:
    """What stands beside the rate."""
    tests = evidence.results.negative_tests
    if not tests:
        return []
    missing = dict.fromkeys(
        (f" of {one.test.of}" if one.test.of else "", words.ARROWS[one.test.direction], one.untried)
        for one in tests
        if one.right_missing
    )
    if missing:
        named = "; ".join(f"{direction}{of}: {why}" for of, direction, why in missing)
        lead = "Not all right frames came back as they must before anything was measured: "
        return [[element("strong", lead), named, "."], *_refusals(evidence)]
    return _refusals(evidence)


def _refusals(evidence: Evidence) -> list[Content]:
    tests, forwarded = evidence.results.negative_tests, _not_refused(evidence)
    untried = sum(one.untried is not None for one in tests)
    said: list[Content] = [f" {plural(untried, 'kind')} could not be tried."] if untried else []
    if forwarded:
        named = "; ".join(
            f"{what(one.test)} ({one.test.basis}{', MUST' if one.test.must else ''})" for one in forwarded
        )
        head = element("strong", f"{evidence.device} forwarded frames that it must not")
        more = f", {len(forwarded)} of {plural(len(tests), 'kind')}: {named}. A device that checks less is faster."
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
    refused, tried = sum(one.refused for one in tests), sum(one.untried is None for one in tests)
    tone = "bad" if any(one.violated for one in tests) else "good" if refused == tried else "warn"
    if not tried:
        return []
    return [card(f"{refused}", f"of {tried} refused", "kinds of frames that it must not forward", tone)]
