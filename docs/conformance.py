"""Writes the table of docs/conformance.md from what `check --all --output` wrote: python -m docs.conformance."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from docs.marked import Marked
from xlatperf.conformance.record import ConformanceRecord, RuleRecord
from xlatperf.conformance.rule import Verdict

PAGE = Marked(
    Path(__file__).with_name("conformance.md"),
    "<!-- The table is written by docs/conformance.py from docs/conformance/; measure again instead. -->",
    "<!-- end of the table -->",
)
RECORDS = Path(__file__).with_name("conformance")
DEVICES = {"Jool": "jool", "TAYGA": "tayga", "reference device": "reference"}
"""How a device is called, and its file; its version is under the same name."""


def read(name: str) -> ConformanceRecord:
    """What was found on one of them."""
    return ConformanceRecord.model_validate_json((RECORDS / f"{name}.json").read_text(encoding="utf-8"))


def _cell(rule: RuleRecord) -> str:
    if rule.verdict is Verdict.KEPT:
        return "kept"
    verdict = f"**{rule.verdict}**" if rule.verdict is Verdict.NOT_KEPT else str(rule.verdict)
    return f"{verdict}: {rule.came}"


def _lines() -> Iterator[str]:
    found = {f"{title} {read(name).device[name]}": read(name) for title, name in DEVICES.items()}
    yield f"| Rule | | {' | '.join(found)} |"
    yield f"|---|---|{'---|' * len(found)}"
    for rules in zip(*(one.rules for one in found.values()), strict=True):
        first = rules[0]
        section = first.section.removeprefix("RFC 7915 ")
        yield f"| {section} {first.says} | {first.level} | {' | '.join(_cell(one) for one in rules)} |"
    counts = [sum(one.verdict is Verdict.NOT_KEPT for one in record.rules) for record in found.values()]
    yield f"| not kept, of {len(next(iter(found.values())).rules)} | | {' | '.join(map(str, counts))} |"


def table() -> str:
    """Markdown."""
    return "\n".join(_lines())


if __name__ == "__main__":
    PAGE.write(table())
