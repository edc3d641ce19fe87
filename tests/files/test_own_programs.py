from __future__ import annotations

from pathlib import Path

import pytest

from xlatperf.files import own_programs
from xlatperf.files.own_programs import OwnProgram

PROGRAM = OwnProgram("xlatperf-something", "XLATPERF_SOMETHING", "some")


def make(path: Path) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("#!/bin/sh\n")
    path.chmod(0o755)
    return path


def test_the_nearest_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The variable's, that of the sources, that of an installation, that of PATH."""
    monkeypatch.setattr(own_programs, "_CHECKOUT", tmp_path / "checkout")
    monkeypatch.setattr(own_programs, "INSTALLED", tmp_path / "installed")
    environment = {"PATH": str(tmp_path / "bin")}
    with pytest.raises(ValueError, match="xlatperf-something isn't there: `make build`, or set XLATPERF_SOMETHING"):
        PROGRAM.find(environment)
    for where in ("bin", "installed", "checkout/build/some"):
        path = make(tmp_path / where / PROGRAM.name)
        assert PROGRAM.find(environment) == path
    named = make(tmp_path / "named")
    assert PROGRAM.find({**environment, "XLATPERF_SOMETHING": str(named)}) == named


@pytest.mark.parametrize("named", ["no/such", "."])
def test_a_variable_that_names_no_program(named: str) -> None:
    with pytest.raises(ValueError, match=f"XLATPERF_SOMETHING: {named} is not a program"):
        PROGRAM.find({"XLATPERF_SOMETHING": named})
