from __future__ import annotations

import os
from pathlib import Path

import pytest

from xlatperf.lab.error import LabError
from xlatperf.lab.runtime_folder import OWNER_FILE, RuntimeFolder, owner


@pytest.fixture(autouse=True)
def base(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XLATPERF_RUNTIME", str(tmp_path / "runtime"))
    return tmp_path / "runtime"


def test_each_has_its_own(base: Path) -> None:
    one, other = RuntimeFolder(), RuntimeFolder()
    assert one.path != other.path
    assert one.path.parent == other.path.parent == base
    assert one.path.stat().st_mode & 0o777 == 0o700


def test_knows_its_owner() -> None:
    identity = owner(RuntimeFolder().path)
    assert identity is not None
    assert identity.pid == os.getpid()


def test_owner_by_name_while_the_file_is_not_written() -> None:
    folder = RuntimeFolder()
    (folder.path / OWNER_FILE).unlink()
    identity = owner(folder.path)
    assert identity is not None
    assert identity.pid == os.getpid()


def test_remove_twice(base: Path) -> None:
    folder = RuntimeFolder()
    (folder.path / "log").write_text("x")
    folder.remove()
    folder.remove()
    assert not base.exists()


def test_impossible_place(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("XLATPERF_RUNTIME", str(tmp_path / "file"))
    with pytest.raises(LabError, match="can't make a folder"):
        RuntimeFolder()


def test_another_run_ends_meanwhile(base: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It removes the place of all folders where its own was the last one."""
    mkdir, times = Path.mkdir, [3]

    def late(path: Path, mode: int = 0o777, parents: bool = False, exist_ok: bool = False) -> None:
        if path.parent == base and times[0] > 0:
            times[0] -= 1
            base.rmdir()
        mkdir(path, mode, parents, exist_ok)

    monkeypatch.setattr(Path, "mkdir", late)
    folder = RuntimeFolder()
    assert folder.path.is_dir()
    assert times == [0]
    folder.remove()


def test_a_file_in_its_place(base: Path) -> None:
    base.write_text("")
    with pytest.raises(LabError, match="can't make a folder for sockets and logs under"):
        RuntimeFolder()
