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
