"""Draws the house from the code's own imports and includes, for docs/contributing.md: python -m docs.house."""

from __future__ import annotations

import ast
import re
import textwrap
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from graphlib import TopologicalSorter
from pathlib import Path

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "contributing.md"

_MARKS = ("<!-- The picture is drawn by docs/house.py from the imports. -->", "<!-- end of the picture -->")
_INCLUDE = re.compile(r'^#include "([a-z0-9_/]+)/[^/"]+"', re.MULTILINE)
_SOURCES = "*.[ch]*"
_PROCESSES = ("xlatperf/engine", "engine/control")
"""One talks to the other over a pipe."""
_WHAT = {
    "engine/control": "JSON lines in, JSON lines out",
    "engine/trial": "streams and roles of a trial, run by workers; whether it's valid",
    "engine/trial/schedule": "what is asked of a trial, and when each frame is due",
    "engine/trial/send": "frames leave when they are due",
    "engine/trial/receive": "what arrives, verified and judged",
    "engine/trial/tally": "what was counted, delays, intervals",
    "engine/frame": "writing, verifying and classifying frames",
    "engine/flow": "which flow a frame belongs to, by its number",
    "engine/technology": "what is sent, and what must come back",
    "engine/counter": "all that is counted in a trial, a row each",
    "engine/state": "the Responder's table of connections",
    "engine/port": "DPDK ports, ARP and Neighbor Discovery",
    "engine/message": "rows of a request: read, checked, documented",
    "engine/eal": "DPDK, started and left",
    "engine/wire": "headers, addresses, checksums: bytes only",
    "reference": "the reference device: the standards once more, with faults to order",
}
"""Of rooms in C++; those in Python say it themselves."""


_Uses = Callable[[str], Iterator[str]]
"""The names of rooms that a file's text uses."""


@dataclass(frozen=True)
class Room:
    """`path` from the repository; `uses`: the other rooms of its house, by path, with the files that use each."""

    path: str
    uses: Mapping[str, tuple[str, ...]]

    @cached_property
    def what(self) -> str:
        """In a few words."""
        own = ROOT / self.path / "__init__.py"
        said = ast.get_docstring(ast.parse(own.read_text(encoding="utf-8"))) if own.is_file() else _WHAT[self.path]
        return (said or "").split("\n\n")[0].replace("\n", " ").replace("`", "").rstrip(".")


def python_rooms() -> list[Room]:
    """The folders of xlatperf/."""
    names = {file.parent.name: f"xlatperf/{file.parent.name}" for file in (ROOT / "xlatperf").glob("*/__init__.py")}
    return [_room(path, (ROOT / path).rglob("*.py"), names, _imports) for path in sorted(names.values())]


def engine_rooms() -> list[Room]:
    """The folders of engine/, also those in others, and reference/ as one."""
    folders = {path.parent for path in (ROOT / "engine").rglob("*.h")}
    names = {str(one.relative_to(ROOT / "engine")): str(one.relative_to(ROOT)) for one in folders}
    rooms = [_room(path, (ROOT / path).glob(_SOURCES), names, _includes) for path in sorted(names.values())]
    own = {path.name for path in (ROOT / "reference").iterdir() if path.is_dir()}
    shared = {name: path for name, path in names.items() if name not in own}
    return [*rooms, _room("reference", (ROOT / "reference").rglob(_SOURCES), shared, _includes)]


def _room(path: str, files: Iterable[Path], names: Mapping[str, str], uses: _Uses) -> Room:
    used: dict[str, list[str]] = {}
    for file in sorted(files):
        text = file.read_text(encoding="utf-8")
        for name in dict.fromkeys(uses(text)):
            if name in names and names[name] != path:
                used.setdefault(names[name], []).append(str(file.relative_to(ROOT)))
    return Room(path, {name: tuple(by) for name, by in used.items()})


def _imports(text: str) -> Iterator[str]:
    for node in ast.walk(ast.parse(text)):
        modules = [node.module or ""] if isinstance(node, ast.ImportFrom) else []
        modules += [one.name for one in node.names] if isinstance(node, ast.Import) else []
        for module in modules:
            top, _, rest = module.partition(".")
            if top == "xlatperf" and rest:
                yield rest.split(".")[0]


def _includes(text: str) -> Iterator[str]:
    yield from _INCLUDE.findall(text)


def direct(rooms: list[Room]) -> list[tuple[str, str]]:
    """Who uses whom, without what follows from others: an arrow is left out where a longer way leads there too.

    Raises graphlib.CycleError for a circle.
    """
    uses = {room.path: room.uses for room in rooms}
    below: dict[str, set[str]] = {}
    for path in TopologicalSorter(uses).static_order():
        below[path] = set(uses[path]).union(*(below[name] for name in uses[path]))
    return [
        (path, name)
        for path, used in uses.items()
        for name in sorted(used)
        if not any(name in below[other] for other in used if other != name)
    ]


def draw() -> str:
    """The picture, for Mermaid."""
    python, engine = python_rooms(), engine_rooms()
    ids = {room.path: room.path.replace("/", "_") for room in (*python, *engine)}
    return "\n".join(
        [
            "```mermaid",
            "flowchart TD",
            "  classDef python fill:#eaf3fa,stroke:#0072B2,color:#1c2733",
            "  classDef cpp fill:#fdf1e7,stroke:#D55E00,color:#1c2733",
            *(f"  {ids[one.path]}{_box(one)}:::python" for one in python),
            *(f"  {ids[one.path]}{_box(one)}:::cpp" for one in engine),
            *(f"  {ids[one]} --> {ids[other]}" for one, other in (*direct(python), *direct(engine))),
            f"  {ids[_PROCESSES[0]]} -.-> {ids[_PROCESSES[1]]}",
            "```",
        ]
    )


def _box(room: Room) -> str:
    said = "<br>".join(textwrap.wrap(room.what.replace("->", "→"), 40))
    return f'["<b>{room.path}/</b><br>{said}"]'


def page(text: str) -> str:
    """The page with the picture between its marks."""
    before, after = (text.index(mark) for mark in _MARKS)
    return f"{text[:before]}{_MARKS[0]}\n{draw()}\n{text[after:]}"


if __name__ == "__main__":
    PAGE.write_text(page(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
