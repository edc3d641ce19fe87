"""No file of xlatperf needs one that needs it, also not for types alone: what two share is a third one's."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

ROOT = Path(__file__).parents[1]
FILES = {".".join(path.relative_to(ROOT).with_suffix("").parts): path for path in (ROOT / "xlatperf").rglob("*.py")}


def imported(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module is not None:
            yield from (f"{node.module}.{one.name}" for one in node.names)
            yield node.module


def test_no_circle() -> None:
    needs = {name: {one for one in imported(path) if one in FILES} for name, path in FILES.items()}
    try:
        TopologicalSorter(needs).prepare()
    except CycleError as error:
        raise AssertionError(" <- ".join(error.args[1])) from None
