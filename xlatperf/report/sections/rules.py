"""Each rule of the technology's RFCs as `check --all` found it: what isn't kept, and what the device decided."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from xlatperf.conformance.record import RULES_FILE, ConformanceRecord, RuleRecord
from xlatperf.conformance.rule import Level, Verdict
from xlatperf.keys.in_words import plural
from xlatperf.report.evidence import Evidence
from xlatperf.report.markup import Content, Markup, badge, element, folded, paragraph, render
from xlatperf.report.section import Section
from xlatperf.report.table import Column, table, text

TONES = {Verdict.KEPT: "good", Verdict.NOT_KEPT: "bad", Verdict.DECIDED: "plain", Verdict.NOT_TRIED: "warn"}
_TOLD = (Verdict.NOT_KEPT, Verdict.DECIDED, Verdict.NOT_TRIED)
"""In this order; the others are kept."""


def _of_this_device(evidence: Evidence, record: ConformanceRecord) -> bool:
    return (record.technology, record.driver) == (evidence.results.technology.get("name"), evidence.driver)


def section(evidence: Evidence) -> Section | None:
    """None where the folder has no such file."""
    record = evidence.rules
    if record is None:
        return None
    title = "Rule by rule"
    if not _of_this_device(evidence, record):
        other = f"{RULES_FILE} in the campaign's folder is of {record.driver}, {record.technology}: it isn't shown."
        return Section("rules", title, render([paragraph(other)]))
    lead = (
        f"Each rule of the standards was tried by itself, with single packets that no measurement has "
        f"(xlatperf check --all), on {record.called or record.driver}. Decided: the standard leaves it to the device. "
        "What isn't kept was tried three times."
    )
    told = [one for verdict in _TOLD for one in record.rules if one.verdict is verdict]
    kept = [one for one in record.rules if one.verdict is Verdict.KEPT]
    content: list[Content] = [paragraph(lead, class_="lead")]
    if told:
        content.append(_table(told))
    if kept:
        content.append(folded(f"{plural(len(kept), 'rule')} that it keeps", _table(kept)))
    return Section("rules", title, render(content))


def _table(rules: Sequence[RuleRecord]) -> Markup:
    columns: list[Column[RuleRecord]] = [
        text("Rule", lambda one: f"{one.section}: {one.says}", class_="wide"),
        text("Level", lambda one: str(one.level)),
        text("Verdict", lambda one: badge(str(one.verdict), TONES[one.verdict])),
        text("What came", lambda one: one.came, class_="wrap"),
    ]
    return table(columns, rules)


def sentences(evidence: Evidence) -> list[Content]:
    """What stands beside the rate."""
    record = evidence.rules
    if record is None or not record.rules or not _of_this_device(evidence, record):
        return []
    broken = Counter(one.level for one in record.rules if one.verdict is Verdict.NOT_KEPT)
    tried = sum(one.verdict is not Verdict.NOT_TRIED for one in record.rules)
    if not broken:
        return [f"{evidence.device} keeps all of {plural(tried, 'rule')} of the standards that were tried one by one."]
    levels = ", ".join(f"{broken[level]} {level}" for level in Level if broken[level])
    lead = element("strong", f"{evidence.device} doesn't keep {broken.total()} of {plural(tried, 'rule')}")
    return [[lead, f" of the standards that were tried one by one ({levels})."]]
