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
    """The page's file, of the one CE, lwB4 or B4 that its picture is about."""
    text = page.read_text(encoding="utf-8")
    blocks = re.findall(r"```(?:toml)?\n(.*?)```", text, re.DOTALL)
    table = next(block for block in blocks if block.startswith("[technology]"))
    shown = next(block for block in blocks if block.startswith("$ xlatperf show"))
    one = re.sub(r"^ces = 1000.*$", "ces = 1\nea = 0x254", table, flags=re.MULTILINE)
    only = "count = 1" if "[technology.b4s]" in table else "number = 0x254"
    one = re.sub(r"^count = 1000.*$", only, one, flags=re.MULTILINE)
    for content, wanted in ((table, ""), (one, shown.partition("\n")[2].rstrip())):
        (tmp_path / "bench.toml").write_text(content, encoding="utf-8")
        ended = xlatperf("show", "bench.toml", "--count", "1", folder=tmp_path)
        assert ended.code == 0, ended.output
        without_bytes = re.sub(r"^ +[0-9a-f]{60,}\n", "", ended.output, flags=re.MULTILINE)
        assert wanted in without_bytes
    checked = next(block for block in blocks if block.startswith("$ xlatperf check"))
    content = f'device.driver = "reference"\n{RELAXED}\n{table}'
    (tmp_path / "bench.toml").write_text(content, encoding="utf-8")
    ended = xlatperf("check", "bench.toml", "--duration", "0.1", "--timeout", "0.2", "--hold", "0.3", folder=tmp_path)
    said = [line for line in ended.output.splitlines() if line.startswith(("learnt: ", "frames "))]
    assert said == checked.splitlines()[1:]
    picture = text.partition("```\n")[2].partition("```")[0]
    addresses = re.findall(r"2001:[0-9a-f:]+|198\.1[89]\.[0-9.]+|port \d+", picture)
    assert len(addresses) > 4
    for address in addresses:
        assert address.removeprefix("port ").rstrip(".:") in wanted
