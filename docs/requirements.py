"""Writes docs/requirements.md from docs/requirements.toml and the tests: python -m docs.requirements."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from pathlib import Path

from docs.marked import Marked

PAGE = Marked(
    Path(__file__).with_name("requirements.md"),
    "<!-- The table is written by docs/requirements.py from docs/requirements.toml and the tests. -->",
    "<!-- end of the table -->",
)
LIST = Path(__file__).with_name("requirements.toml")
TESTS = Path(__file__).parents[1] / "tests"
SUFFIXES = (".py", ".cpp", ".h")
NAME = re.compile(r"\bR\d{4}-[A-Z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?")


@dataclass(frozen=True)
class Requirement:
    """`id`: R, the RFC's number, its section, and where it has several a number. `open`: why no test shows it."""

    id: str
    text: str
    open: str = ""


def requirements() -> list[Requirement]:
    """As docs/requirements.toml has them."""
    return [Requirement(**one) for one in tomllib.loads(LIST.read_text(encoding="utf-8"))["requirement"]]


def named() -> dict[str, list[str]]:
    """Requirements with the tests' files that name them."""
    found: dict[str, list[str]] = {}
    for path in sorted(path for path in TESTS.rglob("*") if path.suffix in SUFFIXES):
        for name in set(NAME.findall(path.read_text(encoding="utf-8"))):
            found.setdefault(name, []).append(path.relative_to(TESTS).as_posix())
    return found


def table() -> str:
    """In Markdown."""
    tests = named()
    lines = ["| Requirement | What | Shown by |", "|---|---|---|"]
    for one in requirements():
        files = ", ".join(f"`{name}`" for name in tests.get(one.id, []))
        lines.append(f"| {one.id} | {one.text} | {files or f'**open**: {one.open}'} |")
    return "\n".join(lines)


if __name__ == "__main__":
    PAGE.write(table())
