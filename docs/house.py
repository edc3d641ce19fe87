"""Draws the house from the code's own imports and includes, for docs/contributing.md: python -m docs.house."""

from __future__ import annotations

import ast
import re
import textwrap
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from html import escape
from itertools import pairwise
from pathlib import Path

ROOT = Path(__file__).parents[1]
PICTURE = ROOT / "docs" / "house.svg"

_WIDTH, _BOX, _NARROW, _HEIGHT, _GAP, _FLOOR = 1180, 268, 8, 66, 22, 104
_TEXT = "font-family='Inter, Segoe UI, Roboto, Helvetica, Arial, sans-serif'"
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


def floors(rooms: list[Room]) -> list[list[Room]]:
    """The ground first: a room stands above all that it uses. Raises ValueError if that can't be."""
    height: dict[str, int] = {}
    left = list(rooms)
    while left:
        ready = [room for room in left if all(name in height for name in room.uses)]
        if not ready:
            raise ValueError(f"a circle among {', '.join(room.path for room in left)}")
        for room in ready:
            height[room.path] = 1 + max((height[name] for name in room.uses), default=-1)
        left = [room for room in left if room.path not in height]
    found: list[list[Room]] = [[] for _ in range(1 + max(height.values()))]
    for room in rooms:
        found[height[room.path]].append(room)
    return found


def direct(rooms: list[Room]) -> list[tuple[str, str]]:
    """Who uses whom, without what follows from others: an arrow is left out where a longer way leads there too."""
    below: dict[str, set[str]] = {}
    for floor in floors(rooms):
        for room in floor:
            below[room.path] = set(room.uses).union(*(below[name] for name in room.uses))
    return [
        (room.path, name)
        for room in rooms
        for name in sorted(room.uses)
        if not any(name in below[other] for other in room.uses if other != name)
    ]


def draw() -> str:
    """The picture, as SVG."""
    python, engine = python_rooms(), engine_rooms()
    known = {room.path: room for room in (*python, *engine)}
    rows = [[room.path for room in row] for row in (*reversed(floors(python)), *reversed(floors(engine)))]
    arrows = [*direct(python), *direct(engine), _PROCESSES]
    ways = [_way(rows, source, target) for source, target in arrows]
    place = _arranged(rows, [pair for way in ways for pair in pairwise(way)], known)
    height = _FLOOR * len(rows) + 8
    drawn = [
        f"<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {_WIDTH} {height}' {_TEXT}>",
        "<defs><marker id='to' viewBox='0 0 8 8' refX='7' refY='4' markerWidth='7' markerHeight='7' orient='auto'>"
        "<path d='M0 0L8 4L0 8z' fill='#6b7684'/></marker></defs>",
        f"<rect width='{_WIDTH}' height='{height}' fill='#fff'/>",
        *(_arrow([place[one] for one in way], dashed=(way[0], way[-1]) == _PROCESSES) for way in ways),
        *(_box(known[path], *place[path]) for row in rows for path in row if path in known),
        "</svg>",
    ]
    return "\n".join(drawn) + "\n"


def _way(rows: list[list[str]], source: str, target: str) -> list[str]:
    """From one to the other; in each row between there is a narrow place for the arrow, which is added to it."""
    at = {path: number for number, row in enumerate(rows) for path in row}
    between = [(number, f"{source} > {target} {number}") for number in range(at[source] + 1, at[target])]
    for number, name in between:
        rows[number].append(name)
    return [source, *(name for _, name in between), target]


def _arranged(
    rows: list[list[str]], ties: list[tuple[str, str]], known: Mapping[str, Room]
) -> dict[str, tuple[float, float]]:
    """Where each thing's upper middle is: what is tied stands near, as far as rows allow."""
    place: dict[str, tuple[float, float]] = {}

    def put() -> None:
        for number, row in enumerate(rows):
            widths = [_BOX if path in known else _NARROW for path in row]
            left = (_WIDTH - sum(widths) - (len(row) - 1) * _GAP) / 2
            for path, width in zip(row, widths, strict=True):
                place[path] = (left + width / 2, 8 + number * _FLOOR)
                left += width + _GAP

    def wanted(path: str) -> float:
        others = [place[b if a == path else a][0] for a, b in ties if path in (a, b)]
        return sum(others) / len(others) if others else 0.0

    put()
    for _ in range(12):
        for row in rows:
            row.sort(key=wanted)
            put()
    return place


def _arrow(way: list[tuple[float, float]], *, dashed: bool) -> str:
    """Down from box to box; straight through the places between."""
    x, y = way[0][0], way[0][1] + _HEIGHT
    path = f"M{x:.0f} {y:.0f}"
    for number, (to_x, to_y) in enumerate(way[1:], 1):
        bend = (to_y - y) / 2
        path += f"C{x:.0f} {y + bend:.0f} {to_x:.0f} {to_y - bend:.0f} {to_x:.0f} {to_y:.0f}"
        if number < len(way) - 1:
            path += f"V{to_y + _HEIGHT:.0f}"
        x, y = to_x, to_y + _HEIGHT
    more = " stroke-dasharray='5 4'" if dashed else ""
    return f"<path d='{path}' fill='none' stroke='#6b7684' stroke-width='1.3' marker-end='url(#to)'{more}/>"


def _box(room: Room, middle: float, y: float) -> str:
    x = middle - _BOX / 2
    python = room.path.startswith("xlatperf/")
    fill, edge = ("#eaf3fa", "#0072B2") if python else ("#fdf1e7", "#D55E00")
    said = textwrap.wrap(room.what, 46)
    shown = said if len(said) <= 2 else [said[0], f"{said[1][:44]} …"]
    words = "".join(
        f"<text x='{x + 10:.0f}' y='{y + 38 + 14 * at:.0f}' font-size='10.5' fill='#3c4854'>{escape(line)}</text>"
        for at, line in enumerate(shown)
    )
    return (
        f"<rect x='{x:.0f}' y='{y:.0f}' width='{_BOX}' height='{_HEIGHT}' rx='5' fill='{fill}' stroke='{edge}'/>"
        f"<text x='{x + 10:.0f}' y='{y + 20:.0f}' font-size='14' font-weight='600' fill='#1c2733'>{room.path}/</text>"
        f"{words}"
    )


if __name__ == "__main__":
    PICTURE.write_text(draw(), encoding="utf-8")
