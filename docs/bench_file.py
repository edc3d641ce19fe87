"""Writes the tables of docs/bench-file.md from the bench file's models: python -m docs.bench_file."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from docs.marked import Marked
from xlatperf.config.describe import KeyDescription, describe_keys
from xlatperf.devices.in_a_row import InARowDriver
from xlatperf.devices.registry import DRIVERS
from xlatperf.keys.toml_text import toml_value

PAGE = Marked(
    Path(__file__).with_name("bench-file.md"),
    "<!-- The tables are written by docs/bench_file.py; change the models instead. -->",
    "<!-- end of the tables -->",
)
DRIVERS_PART = Marked(
    PAGE.path,
    "<!-- The table is written by docs/bench_file.py; change the drivers instead. -->",
    "<!-- end of the drivers -->",
)
_MIRRORED = (("tester.right", "tester.left"), ("traffic.right", "traffic.left"), ("traffic.reverse", "traffic.forward"))
"""Tables with the same keys: the right side's defaults are in the text."""


_COLUMNS = "measure[].columns[]."
"""The same keys as `[[column]]` has."""


def tables() -> str:
    """One table in Markdown for each table of the bench file."""
    groups: dict[str, list[KeyDescription]] = {}
    for key in describe_keys():
        if key.allowed == "a table" or is_made(key):
            continue
        if any(key.place.startswith(f"{right}.") for right, _ in _MIRRORED) or key.place.startswith(_COLUMNS):
            continue
        groups.setdefault(_heading(key.place), []).append(key)
    return "\n\n".join(f"### {heading}\n\n{_table(_merged(keys), heading)}" for heading, keys in groups.items())


def is_made(key: KeyDescription) -> bool:
    """Whether nobody writes it: of `[[device]]` twice one driver is made."""
    return key.when.endswith(f" = {InARowDriver.named()}") or key.place.startswith("device.devices")


def drivers() -> str:
    """What each driver makes, and how often that decrements TTL and hop limit."""
    lines = [
        "| Driver | Technology | What the DUT is | `traffic.hops` | `traffic.background_hops` |",
        "|---|---|---|---|---|",
    ]
    for model in DRIVERS:
        hops = model.decrements or ("", "")
        cells = (
            f"`{model.named()}`",
            model.does() or "any",
            model.what,
            *map(str, hops),
        )
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines)


def _heading(place: str) -> str:
    table, _, name = place.rpartition(".")
    if place in ("technology", "measure"):
        table = ""
    elif not table:
        return "At the top"
    if table == "column[]":
        return "`[[column]]` and `columns` of a measure"
    shown = table.replace("measure[]", "[measure]").replace("[]", "")
    for right, left in _MIRRORED:
        if shown == left or shown.startswith(f"{left}."):
            return f"`[{shown}]` and `[{shown.replace(left, right)}]`"
    return f"`[{shown}]`" if table and name else "At the top"


def _merged(keys: Iterable[KeyDescription]) -> list[tuple[KeyDescription, set[str]]]:
    """Keys that several kinds of a table have are there once, with the kinds."""
    found: dict[tuple[str, str, str], tuple[KeyDescription, set[str]]] = {}
    for key in keys:
        kind = key.when.rpartition(" = ")[2]
        known = found.setdefault((key.place, key.description, str(key.default)), (key, set()))
        known[1].add(kind)
    return list(found.values())


def _table(rows: list[tuple[KeyDescription, set[str]]], heading: str) -> str:
    kinds = set().union(*(kinds for _, kinds in rows)) - {""}
    several = len(kinds) > 1
    lines = [
        "| Key |" + (" Only with |" if several else "") + " What | Default | Allowed | Source |",
        "|---" * (6 if several else 5) + "|",
    ]
    for key, only in rows:
        allowed = (
            " or ".join(sorted(only)) if only == kinds and len(kinds) > 1 and key.allowed in kinds else key.allowed
        )
        name = key.place.rpartition(".")[2] if heading != "At the top" else key.place
        cells = [
            f"`{name}`",
            *([", ".join(sorted(only)) if only != kinds else ""] if several else []),
            key.description,
            _default(key),
            allowed,
            key.source,
        ]
        lines.append("| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |")
    return "\n".join(lines)


def _default(key: KeyDescription) -> str:
    if key.required:
        return "required"
    return "" if key.default is None else f"`{toml_value(key.default)}`"


if __name__ == "__main__":
    PAGE.write(tables())
    DRIVERS_PART.write(drivers())
