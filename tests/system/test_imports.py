"""Imported bench files on the reference device: `show` and `check` as they are."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.system.command import xlatperf
from tests.system.trials import RELAXED

FOLDER = Path(__file__).parents[1] / "imports" / "files"
CHECK = ("--rate", "1000", "--duration", "0.1", "--timeout", "0.3", "--hold", "0")
NOT_ALL = {"eamt.csv", "lwaftr-psid-map.conf"}
"""Those with something in them that matters and can't be taken over."""


@pytest.mark.parametrize("source", sorted(FOLDER.iterdir()), ids=lambda path: path.name)
def test_import_show_check(source: Path, tmp_path: Path) -> None:
    ended = xlatperf("import", str(source), "-o", "b.toml", folder=tmp_path)
    assert ended.code == (source.name in NOT_ALL), ended.output
    with (tmp_path / "b.toml").open("a") as file:
        file.write(RELAXED)
    ended = xlatperf("show", "b.toml", folder=tmp_path)
    assert ended.code == 0, ended.output
    ended = xlatperf("check", "b.toml", *CHECK, folder=tmp_path)
    assert ended.code == 0, ended.output
    assert "All frames came back as they must." in ended.output


def test_what_the_other_commands_would_refuse(tmp_path: Path) -> None:
    """Rules that overlap, as in a list in public: the result is written, and what is wrong with it is said at once."""
    rules = ("2001:db8:f::/36,203.0.112.0/20,20,4", "2001:db8:f:a000::/52,203.0.112.0/20,12,4")
    (tmp_path / "rules.csv").write_text("".join(f"{one},2001:db8:ffff::1\n" for one in rules))
    ended = xlatperf("import", "rules.csv", "-o", "b.toml", folder=tmp_path)
    assert ended.code == 1, ended.output
    assert "b.toml: " in ended.output
    assert "technology.domains[1]" in ended.output
    assert (tmp_path / "b.toml").exists()
