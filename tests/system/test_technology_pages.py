"""docs/technologies: the bench files that stand there, and what `show` and `check` say, are as the pages have it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.system.command import REPOSITORY, xlatperf
from tests.system.trials import RELAXED

PAGES = sorted((REPOSITORY / "docs" / "technologies").glob("*.md"))


@pytest.mark.parametrize("page", PAGES, ids=lambda path: path.stem)
def test_the_page_shows_what_is(tmp_path: Path, page: Path) -> None:
    """Each picture with its bench file; of many CEs, lwB4s or B4s the one that it is about."""
    blocks = re.findall(r"```(?:toml)?\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL)
    pictures = [block for block in blocks if "Tester, left" in block]
    tables = [block for block in blocks if block.startswith("[technology]")]
    shown = [block for block in blocks if block.startswith("$ xlatperf show")]
    checked = [block for block in blocks if block.startswith("$ xlatperf check")]
    assert len(shown) == len(checked) > 0
    for table, show, check, picture in zip(tables, shown, checked, pictures, strict=False):
        _shows(tmp_path, table, show.partition("\n")[2].rstrip())
        _checks(tmp_path, table, check.splitlines()[1:])
        named = re.findall(r"2001:[0-9a-f:]+|198\.1[89]\.[0-9.]+|10\.0\.0\.\d+|port \d+", picture)
        assert len(named) > 4
        for name in named:
            assert name.removeprefix("port ").rstrip(".:") in show


def _shows(folder: Path, table: str, wanted: str) -> None:
    one = re.sub(r"^ces = 1000.*$", "ces = 1\nea = 0x254", table, flags=re.MULTILINE)
    only = "count = 1" if "[technology.b4s]" in table else "number = 0x254"
    one = re.sub(r"^count = 1000.*$", only, one, flags=re.MULTILINE)
    for content, seen in ((table, ""), (one, wanted)):
        (folder / "bench.toml").write_text(content, encoding="utf-8")
        ended = xlatperf("show", "bench.toml", "--count", "1", folder=folder)
        assert ended.code == 0, ended.output
        without_bytes = re.sub(r"^ +[0-9a-f]{60,}\n", "", ended.output, flags=re.MULTILINE)
        assert seen in without_bytes


def _checks(folder: Path, table: str, wanted: list[str]) -> None:
    (folder / "bench.toml").write_text(f'device.driver = "reference"\n{RELAXED}\n{table}', encoding="utf-8")
    ended = xlatperf("check", "bench.toml", "--duration", "0.1", "--timeout", "1", "--hold", "0.3", folder=folder)
    assert [line for line in ended.output.splitlines() if line.startswith(("learnt: ", "frames "))] == wanted
