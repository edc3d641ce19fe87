"""Host, versions, DUT: all that environment.json has, as it is."""

from __future__ import annotations

from typing import Any

from xlatperf.report.evidence import Evidence
from xlatperf.report.markup import Content, bullets, element, paragraph, render
from xlatperf.report.section import Section
from xlatperf.report.table import facts

_ORDER = ("device", "host", "engine", "software")
_NAMES = {"device": "Device under test"}


def section(evidence: Evidence) -> Section:
    """Always there."""
    if not evidence.environment:
        return Section("environment", "Environment", render(paragraph("Not recorded.", class_="muted")), folded=True)
    changes = [f"{item.get('started')}: {change}" for item in evidence.sessions for change in item.get("changed") or []]
    plain = {
        key: value for key, value in evidence.environment.items() if not isinstance(value, dict) and key != "sessions"
    }
    parts: list[Content] = [facts(_flat(plain))] if plain else []
    if changes:
        parts += [
            paragraph("The campaign was interrupted, and this changed before it went on:", class_="note warn"),
            bullets(changes),
        ]
    for name in sorted(evidence.environment, key=lambda name: _ORDER.index(name) if name in _ORDER else len(_ORDER)):
        value = evidence.environment[name]
        if isinstance(value, dict) and value:
            parts += [element("h3", _NAMES.get(name, name.replace("_", " ").capitalize())), facts(_flat(value))]
    if evidence.sessions:
        parts += [element("h3", "Started"), bullets(str(item.get("started")) for item in evidence.sessions)]
    return Section("environment", "Environment", render(parts), folded=True)


def _flat(table: dict[str, Any], before: str = "") -> list[tuple[Content, Content]]:
    """Names with dots for tables in tables."""
    pairs: list[tuple[Content, Content]] = []
    for name, value in table.items():
        place = f"{before}.{name}" if before else str(name)
        if isinstance(value, dict):
            pairs += _flat(value, place)
        elif isinstance(value, list) and any(isinstance(item, dict) for item in value):
            for index, item in enumerate(value):
                pairs += _flat(item if isinstance(item, dict) else {"": item}, f"{place}[{index}]")
        else:
            pairs.append((element("code", place), _value(value)))
    return pairs


def _value(value: Any) -> Content:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if value is None:
        return "unknown"
    if isinstance(value, list):
        return ", ".join(str(item) for item in value) or "none"
    text = str(value)
    return element("pre", text.strip("\n")) if "\n" in text else text
