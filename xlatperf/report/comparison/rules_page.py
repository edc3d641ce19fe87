"""Rules of the standards on several devices, side by side: a page that opens offline, and a CSV beside it."""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence
from functools import partial
from itertools import groupby
from pathlib import Path
from string import ascii_uppercase

import xlatperf
from xlatperf.conformance.record import ConformanceRecord, RuleRecord
from xlatperf.conformance.rule import Rule, Verdict
from xlatperf.files.spreadsheet import harmless
from xlatperf.files.writing import whole, write_whole
from xlatperf.report.html import document
from xlatperf.report.markup import Content, Markup, badge, element, paragraph
from xlatperf.report.section import Section
from xlatperf.report.sections.rules import TONES
from xlatperf.report.table import Column, table, text

_THEN, _THERE = "no such rule then", "no rule of {}"
"""Of a file that was written before the rule was; of a device of another technology."""


class _Rules:
    """Whose they are, and its findings by their rules."""

    def __init__(self, letter: str, path: Path, record: ConformanceRecord) -> None:
        self.letter = letter
        self.name = f"{letter} · {path.name}"
        self.record = record
        self.lacks = _THEN
        self.of: Mapping[Rule, RuleRecord] = {one.finding.rule: one for one in record.rules}

    @property
    def what(self) -> str:
        return f"{self.record.called or self.record.driver}, {self.record.technology}"


def write(found: Sequence[tuple[Path, ConformanceRecord]], path: Path) -> list[Path]:
    """Writes the page, and beside it the CSV with the same name; their paths. Raises OSError."""
    devices = [_Rules(letter, *one) for letter, one in zip(ascii_uppercase, found, strict=False)]
    if len({one.record.technology for one in devices}) > 1:
        for one in devices:
            one.lacks = _THERE.format(one.record.technology)
    rules = list(dict.fromkeys(rule for one in devices for rule in one.of))
    beside = path.with_suffix(".csv")
    write_whole(path, _page(devices, rules))
    with whole(beside, newline="") as file:
        lines = csv.writer(file)
        lines.writerow(["section", "level", "rule", *(harmless(f"{one.name}: {one.what}") for one in devices)])
        for rule in rules:
            cells = [_in_words(one, rule) for one in devices]
            lines.writerow([rule.section, rule.level, *map(harmless, (rule.says, *cells))])
    return [path, beside]


def _in_words(device: _Rules, rule: Rule) -> str:
    found = device.of.get(rule)
    if found is None:
        return device.lacks
    return f"{found.verdict}: {found.came}" if found.came else str(found.verdict)


def _page(devices: Sequence[_Rules], rules: Sequence[Rule]) -> str:
    title = f"{len(devices)} devices, rule by rule"
    head = element(
        "header",
        element("div", "xlatperf compare", class_="kicker"),
        element("h1", title),
        element(
            "dl", [element("div", element("dt", one.name), element("dd", one.what)) for one in devices], class_="chips"
        ),
    )
    sections = [Section("counts", "How many are kept", _counts(devices))]
    differ = [rule for rule in rules if len({_verdict(one, rule) for one in devices}) > 1]
    if differ:
        sections.append(Section("differ", "Where they differ", _table(devices, differ)))
    by_section = groupby(sorted(rules, key=lambda rule: _order(rule.section)), key=lambda rule: rule.section)
    for number, (section, own) in enumerate(by_section, 1):
        sections.append(Section(f"rules-{number}", section, _table(devices, list(own)), folded=True))
    footer = f"Made by xlatperf {xlatperf.__version__} of what xlatperf check --all found."
    return document(title, head, sections, footer)


def _order(section: str) -> list[int]:
    """Of "RFC 7915 §5.1.1"."""
    return [int(number) for number in section.replace("§", "").replace(".", " ").split()[1:] if number.isdigit()]


def _verdict(device: _Rules, rule: Rule) -> Verdict | None:
    found = device.of.get(rule)
    return None if found is None else found.verdict


def _counts(devices: Sequence[_Rules]) -> Markup:
    columns: list[Column[_Rules]] = [text("", lambda one: one.name), text("device", lambda one: one.what)]
    columns += [Column(str(verdict), partial(_count, verdict)) for verdict in Verdict]
    explained = paragraph(
        "Each rule was tried by itself, with single packets. Decided: the standard leaves it to the device. ",
        "Not kept: what came instead stands there; it was so three times.",
    )
    return Markup(explained + table(columns, devices))


def _count(verdict: Verdict, device: _Rules) -> str:
    return str(sum(one.verdict is verdict for one in device.record.rules))


def _table(devices: Sequence[_Rules], rules: Sequence[Rule]) -> Markup:
    columns: list[Column[Rule]] = [
        text("rule", lambda rule: f"{rule.section.partition('§')[2]} {rule.says}", class_="rest"),
        text("level", lambda rule: str(rule.level)),
    ]
    columns += [text(one.name, partial(_cell, one), class_="rest") for one in devices]
    return table(columns, rules)


def _cell(device: _Rules, rule: Rule) -> Content:
    found = device.of.get(rule)
    if found is None:
        return device.lacks
    return [badge(str(found.verdict), TONES[found.verdict]), f" {found.came}" if found.came else ""]
