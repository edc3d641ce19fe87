"""docs/deviations.md has all that the code can emit (R8219-4-2, R2544-C.2.2, R9693-4.2-2, R9693-4.7-1, R9693-4.10)."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path
from types import FrameType, ModuleType
from typing import Any

import pytest

from docs import deviations as script
from xlatperf.meaning import deviations
from xlatperf.procedures.deviation import Deviation
from xlatperf.procedures.registry import PROCEDURES

TEXT = script.PAGE.text()
NAME = Deviation.__name__


def test_up_to_date() -> None:
    assert script.PAGE.with_part(script.table()) == TEXT, "run: python -m docs.deviations"


def emitted(module: ModuleType) -> Iterator[int]:
    """Lines where one is yielded."""
    assert module.__file__ is not None
    for node in ast.walk(ast.parse(Path(module.__file__).read_text(encoding="utf-8"))):
        if isinstance(node, ast.Yield) and isinstance(node.value, ast.Call) and ast.unparse(node.value.func) == NAME:
            yield node.lineno


FILES = {sys.modules[one.__module__] for model in PROCEDURES for one in model.__mro__ if "xlatperf" in one.__module__}
MODULES = (deviations, *sorted(FILES, key=lambda module: module.__name__))


def test_they_are_found() -> None:
    assert sum(bool(list(emitted(one))) for one in MODULES) > len(PROCEDURES)


@pytest.mark.parametrize("module", [one for one in MODULES if list(emitted(one))])
def test_the_examples_reach_each(module: ModuleType) -> None:
    """A new deviation needs an example, or it would be missing on the page."""
    reached: set[int] = set()

    def trace(frame: FrameType, event: str, _: Any) -> Any:
        if frame.f_code.co_filename != module.__file__:
            return None
        reached.add(frame.f_lineno)
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        found = list(script.found())
    finally:
        sys.settrace(before)
    lines = list(emitted(module))
    assert lines
    assert [line for line in lines if line not in reached] == []
    assert all(one.section in TEXT and one.standard in TEXT for one, _ in found)
