"""Writes the tables of docs/conformance.md from what `check --all --output` wrote: python -m docs.conformance."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from docs.marked import Marked
from xlatperf.conformance.record import ConformanceRecord, RuleRecord
from xlatperf.conformance.rule import Verdict

_PAGE = Path(__file__).with_name("conformance.md")
RECORDS = Path(__file__).with_name("conformance")


@dataclass(frozen=True)
class Table:
    """`devices`: how each is called, and its driver's name, which with the technology's is its record's."""

    technology: str
    standard: str
    devices: Mapping[str, str]

    @property
    def part(self) -> Marked:
        """Of the page."""
        marks = (f"the table of {self.technology} is written by docs/conformance.py", f"end of {self.technology}")
        return Marked(_PAGE, *(f"<!-- {one} -->" for one in marks))

    def read(self, name: str) -> ConformanceRecord:
        """What was found on one of them."""
        path = RECORDS / f"{name}-{self.technology}.json"
        return ConformanceRecord.model_validate_json(path.read_text(encoding="utf-8"))

    def text(self) -> str:
        """Markdown."""
        return "\n".join(self._lines())

    def _lines(self) -> Iterator[str]:
        found = {f"{title} {self.read(name).device[name]}": self.read(name) for title, name in self.devices.items()}
        yield f"| Rule | | {' | '.join(found)} |"
        yield f"|---|---|{'---|' * len(found)}"
        for rules in zip(*(one.rules for one in found.values()), strict=True):
            first = rules[0]
            section = first.section.removeprefix(f"{self.standard} ")
            yield f"| {section} {first.says} | {first.level} | {' | '.join(_cell(one) for one in rules)} |"
        counts = [sum(one.verdict is Verdict.NOT_KEPT for one in record.rules) for record in found.values()]
        yield f"| not kept, of {len(next(iter(found.values())).rules)} | | {' | '.join(map(str, counts))} |"


TABLES = (
    Table("siit", "RFC 7915", {"Jool": "jool", "TAYGA": "tayga", "reference device": "reference"}),
    Table("nat64", "RFC 6146", {"Jool": "jool", "the kernel's NAT44 behind TAYGA": "tayga"}),
)


def _cell(rule: RuleRecord) -> str:
    if rule.verdict is Verdict.KEPT:
        return "kept"
    verdict = f"**{rule.verdict}**" if rule.verdict is Verdict.NOT_KEPT else str(rule.verdict)
    return f"{verdict}: {rule.came}"


if __name__ == "__main__":
    for table in TABLES:
        table.part.write(table.text())
