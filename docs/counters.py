"""Writes what the engine counts, by its own table, as a Python module and into pages: python -m docs.counters."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from docs.marked import Marked
from xlatperf.engine.binary import find_engine

ROOT = Path(__file__).parents[1]
MODULE = ROOT / "xlatperf" / "engine" / "counters.py"

_HEAD = '''\
"""What the engine counts in a trial. Written by `python -m docs.counters` from engine/counter/counters.inc."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from xlatperf.engine.message import Message


class Counter(NamedTuple):
    """`text`: what it counts, of frames behind "the frame ..."; `section`: of the standards, where there is one."""

    section: str
    text: str
'''
_TABLES = {
    "reasons": ("REASONS", "Of the frames of a class that arrived: each has exactly one."),
    "remarks": ("REMARKS", "Of frames that are as expected."),
    "strays": ("STRAYS", "Frames that belong to no class, by the side where they arrived."),
    "ports": ("PORTS", "What the port of a side counts itself."),
    "sending": ("SENDING", "How the frames of a direction left the Tester."),
    "invalid": ("INVALID", "Why a trial says nothing about the DUT."),
}
_MODELS = {
    "SideCounters": (
        ("strays", "ports"),
        "Frames that arrived on a side and belong to no class, and its port's counters.",
    ),
    "SendingCounters": (("sending",), "How the frames of a direction left the Tester."),
}
_APART = {"icmp_error"}
"""Told as a list of its own."""
_TYPES = {"frames": "int = 0", "times": "int = 0", "ns": "float | None = None"}


class Row(NamedTuple):
    """As the engine tells it."""

    name: str
    unit: str
    section: str
    text: str

    def cells(self) -> str:
        """As a line of a table."""
        section = f" ({self.section})" if self.section else ""
        return f"| `{self.name}` | {self.text}{section} |"


def rows() -> Mapping[str, Sequence[Row]]:
    """By kind. Needs the engine to be built."""
    asked = subprocess.run(
        [find_engine()], input='{"request": "counters"}\n', capture_output=True, text=True, check=True, timeout=30
    )
    answer = json.loads(asked.stdout)
    return {kind: [Row(**row) for row in answer[kind]] for kind in _TABLES}


def module(kinds: Mapping[str, Sequence[Row]]) -> str:
    """xlatperf/engine/counters.py, before it is formatted."""
    return "\n".join((_HEAD, *_dictionaries(kinds), *_models(kinds)))


def _dictionaries(kinds: Mapping[str, Sequence[Row]]) -> Iterator[str]:
    for kind, (name, says) in _TABLES.items():
        lines = [
            f"    {json.dumps(row.name)}: Counter({_quoted(row.section)}, {_quoted(row.text)})," for row in kinds[kind]
        ]
        yield "\n".join((f"{name}: Mapping[str, Counter] = {{", *lines, "}", f'"""{says}"""', ""))


def _quoted(text: str) -> str:
    """In pieces that fit a line."""
    pieces = [""]
    for word in text.split(" "):
        if len(pieces[-1]) + len(word) > _PIECE:
            pieces.append("")
        pieces[-1] += f"{word} "
    pieces[-1] = pieces[-1][:-1]
    return " ".join(json.dumps(piece, ensure_ascii=False) for piece in pieces)


_PIECE = 90


def _models(kinds: Mapping[str, Sequence[Row]]) -> Iterator[str]:
    for name, (of, says) in _MODELS.items():
        fields = [f"    {row.name}: {_TYPES[row.unit]}" for kind in of for row in kinds[kind] if row.name not in _APART]
        yield "\n".join((f"\nclass {name}(Message):", f'    """{says}"""', "", *fields, ""))


def formatted(code: str) -> str:
    """As `make format` leaves it."""
    done = subprocess.run(
        [sys.executable, "-m", "ruff", "format", "--stdin-filename", str(MODULE), "-"],
        input=code,
        capture_output=True,
        text=True,
        check=True,
        timeout=30,
    )
    return done.stdout


def _page(name: str, kind: str) -> Marked:
    return Marked(
        ROOT / "docs" / name,
        f"<!-- {kind}: written by docs/counters.py from engine/counter/counters.inc -->",
        f"<!-- end of {kind} -->",
    )


PAGES = {
    **{kind: _page("verification.md", kind) for kind in ("invalid", "reasons", "remarks", "strays")},
    **{kind: _page("protocol.md", kind) for kind in ("ports", "sending")},
}
_HEADS = {
    "invalid": "| Reason | |",
    "reasons": "| Counter | The frame |",
    "remarks": "| Remark | The frame |",
    "strays": "| Counter | |",
    "ports": "| Counter of a side's port | |",
    "sending": "| In `departure` | |",
}


def table(kind: str, of: Sequence[Row]) -> str:
    """As Markdown."""
    return "\n".join((_HEADS[kind], "|---|---|", *(row.cells() for row in of)))


if __name__ == "__main__":
    found = rows()
    MODULE.write_text(formatted(module(found)), encoding="utf-8")
    for kind, page in PAGES.items():
        page.write(table(kind, found[kind]))
