"""Imports point one way: which room may use which (the picture is in docs/contributing.md)."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import xlatperf

ROOT = Path(xlatperf.__file__).parent
BELOW: dict[str, tuple[str, ...]] = {
    "keys": (),
    "engine": (),
    "search": (),
    "lab": (),
    "procedures": ("engine", "keys", "search"),
    "technologies": ("engine", "keys", "procedures"),
    "devices": ("keys", "lab", "technologies"),
    "config": ("devices", "engine", "keys", "procedures", "technologies"),
    "probe": ("config", "devices", "engine", "lab"),
    "results": ("engine", "keys", "procedures"),
    "meaning": ("config", "engine", "procedures", "results"),
    "run": ("config", "devices", "engine", "keys", "meaning", "procedures", "results", "search"),
    "report": ("devices", "engine", "keys", "procedures", "results", "technologies"),
    "commands": (
        *("config", "devices", "engine", "keys", "meaning", "probe"),
        *("procedures", "report", "results", "run", "technologies"),
    ),
}
"""Each room, lowest first, and those that it uses."""


def used(room: str) -> Iterator[tuple[str, str]]:
    """Each import of another room: the file, and that room."""
    for path in sorted((ROOT / room).rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            modules = [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            modules += [one.name for one in node.names] if isinstance(node, ast.Import) else []
            for module in modules:
                top, _, rest = module.partition(".")
                if top == "xlatperf" and rest and rest.split(".")[0] != room:
                    yield str(path.relative_to(ROOT)), rest.split(".")[0]


def test_all_rooms_are_known() -> None:
    assert {path.parent.name for path in ROOT.glob("*/__init__.py")} == set(BELOW)


def test_no_room_is_below_itself() -> None:
    order = list(BELOW)
    for room, below in BELOW.items():
        assert all(order.index(one) < order.index(room) for one in below), room


@pytest.mark.parametrize("room", BELOW)
def test_imports_point_downwards(room: str) -> None:
    found = list(used(room))
    assert [f"{path} uses {other}" for path, other in found if other not in BELOW[room]] == []
    assert {other for _, other in found} == set(BELOW[room]), "what is allowed is needed"
