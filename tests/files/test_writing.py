"""What is written is there as a whole or not at all, in its own place."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from xlatperf.files.writing import own_folder, remove_unfinished, whole, write_whole


def test_as_a_whole(tmp_path: Path) -> None:
    path = tmp_path / "a"
    write_whole(path, "one\n")
    with pytest.raises(ZeroDivisionError), whole(path) as file:
        file.write("two")
        file.flush()
        raise ZeroDivisionError
    assert path.read_text() == "one\n"
    assert os.listdir(tmp_path) == ["a"]
    umask = os.umask(0o022)
    os.umask(umask)
    assert path.stat().st_mode & 0o777 == 0o666 & ~umask


def test_no_link_leads_elsewhere(tmp_path: Path) -> None:
    """Also not one with the name of what isn't finished yet: nobody can know that."""
    victim = tmp_path / "victim"
    victim.write_text("mine")
    (tmp_path / "folder").mkdir()
    for name in ("report.html", "report.html.part", ".report.html.new"):
        (tmp_path / "folder" / name).symlink_to(victim)
    write_whole(tmp_path / "folder" / "report.html", "page")
    assert victim.read_text() == "mine"
    assert not (tmp_path / "folder" / "report.html").is_symlink()
    assert (tmp_path / "folder" / "report.html").read_text() == "page"


def test_a_pipe_in_its_place(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "a")
    write_whole(tmp_path / "a", "text")
    assert (tmp_path / "a").read_text() == "text"


def test_errors_name_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for path in (tmp_path / "none" / "a", tmp_path / ("a" * 250)):
        with pytest.raises(OSError, match=r"^\[Errno \d+\] .*") as failed:
            write_whole(path, "text")
        assert failed.value.filename == str(path)
    (tmp_path / "folder" / "a").mkdir(parents=True)
    with pytest.raises(IsADirectoryError) as failed:
        write_whole(tmp_path / "folder" / "a", "text")
    assert failed.value.filename == str(tmp_path / "folder" / "a")

    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space left on device") as failed:
        write_whole(tmp_path / "b", "text")
    assert failed.value.filename == str(tmp_path / "b")
    assert sorted(os.listdir(tmp_path)) == ["folder"]


def test_what_killed_processes_left(tmp_path: Path) -> None:
    for name in (".results.json.0123abcd.new", ".lock", "results.json"):
        (tmp_path / name).touch()
    remove_unfinished(tmp_path)
    assert sorted(os.listdir(tmp_path)) == [".lock", "results.json"]


def test_a_folder_of_its_own(tmp_path: Path) -> None:
    assert own_folder(own_folder(tmp_path / "a")) == tmp_path / "a"
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "link").symlink_to("elsewhere")
    (tmp_path / "file").touch()
    for name in ("link", "file"):
        with pytest.raises(NotADirectoryError, match="something else than a folder is in its place") as failed:
            own_folder(tmp_path / name)
        assert failed.value.filename == str(tmp_path / name)
