"""Writes the tables of docs/conformance.md from what `check --all --output` wrote: python -m docs.conformance."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from docs.marked import Marked
from xlatperf.conformance.record import ConformanceRecord, RuleRecord
from xlatperf.conformance.rule import Verdict

_PAGE = Path(__file__).with_name("conformance.md")
RECORDS = Path(__file__).with_name("conformance")


@dataclass(frozen=True)
class Table:
    """`devices`: what each is called, and the name of its record. `usual`: the standard that isn't named in each row.

    `alike`: the devices are of several technologies, whose RFCs say the same each in sections of their own.
    """

    name: str
    devices: Mapping[str, str]
    usual: str = ""
    alike: bool = False

    @property
    def part(self) -> Marked:
        """Of the page."""
        marks = (f"the table of {self.name} is written by docs/conformance.py", f"end of {self.name}")
        return Marked(_PAGE, *(f"<!-- {one} -->" for one in marks))

    def read(self) -> Mapping[str, ConformanceRecord]:
        """What was found on each."""
        return {title: read(name) for title, name in self.devices.items()}

    def text(self) -> str:
        """Markdown."""
        return "\n".join(self._lines())

    def _lines(self) -> Iterator[str]:
        found = self.read()
        yield f"| Rule | | {' | '.join(found)} |"
        yield f"|---|---|{'---|' * len(found)}"
        of = [{self._key(one): one for one in record.rules} for record in found.values()]
        for key in _in_order(of):
            own = [one[key] for one in of if key in one]
            where = dict.fromkeys(one.section.removeprefix(self.usual) for one in own)
            levels = dict.fromkeys(one.level for one in own)
            cells = (_cell(one.get(key)) for one in of)
            yield f"| {', '.join(where)} {own[0].says} | {', '.join(levels)} | {' | '.join(cells)} |"
        counts = [
            f"{sum(one.verdict is Verdict.NOT_KEPT for one in record.rules)} of {len(record.rules)}"
            for record in found.values()
        ]
        yield f"| not kept | | {' | '.join(counts)} |"

    def _key(self, rule: RuleRecord) -> str:
        return rule.says if self.alike else rule.finding.rule.name


TABLES = (
    Table(
        "siit",
        {
            "Jool 4.1.9.0": "jool-siit",
            "TAYGA 0.9.2": "tayga-siit",
            "reference device 0.1.0": "reference-siit",
        },
        "RFC 7915 ",
    ),
    Table(
        "nat44",
        {"NAT44 by Linux 6.1": "vm-nat44", "464XLAT by Jool 4.1.9.0": "jool-464xlat"},
        alike=True,
    ),
    Table("nat64", {"Jool 4.1.9.0": "jool-nat64", "the kernel's NAT44 behind TAYGA 0.9.2": "tayga-nat64"}, "RFC 6146 "),
    Table(
        "MAP-T",
        {
            "BR by TAYGA 0.9.2": "tayga-map-t",
            "CE by TAYGA 0.9.2": "tayga-map-t-ce",
            "reference device, BR": "reference-map-t",
        },
        alike=True,
    ),
    Table(
        "tunnels",
        {
            "BR (MAP-E)": "ip6tnl-br-map-e",
            "lwAFTR (Lw4o6)": "ip6tnl-lwaftr-lw4o6",
            "AFTR (DS-Lite)": "ip6tnl-aftr-dslite",
            "CE (MAP-E)": "ip6tnl-ce-map-e-ce",
            "lwB4 (Lw4o6)": "ip6tnl-lwb4-lw4o6-b4",
            "B4 (DS-Lite)": "ip6tnl-b4-dslite-b4",
            "reference device, BR": "reference-map-e",
        },
        alike=True,
    ),
)


def read(name: str) -> ConformanceRecord:
    """What was found on a device."""
    return ConformanceRecord.model_validate_json((RECORDS / f"{name}.json").read_text(encoding="utf-8"))


def _in_order(of: Sequence[Mapping[str, RuleRecord]]) -> list[str]:
    """Each rule once, near those that it stands beside where it is."""
    places = {key: at / len(one) for one in reversed(of) for at, key in enumerate(one)}
    return sorted(places, key=lambda key: places[key])


def _cell(rule: RuleRecord | None) -> str:
    if rule is None:
        return ""
    if rule.verdict is Verdict.KEPT:
        return "kept"
    verdict = f"**{rule.verdict}**" if rule.verdict is Verdict.NOT_KEPT else str(rule.verdict)
    return f"{verdict}: {rule.came}"


if __name__ == "__main__":
    for table in TABLES:
        table.part.write(table.text())
