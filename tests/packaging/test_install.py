"""`make install` and `make uninstall`, on a stage that is small: scripts/install.sh and uninstall.sh."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FILES = (
    "bin/xlatperf",
    "lib/xlatperf/xlatperf/__init__.py",
    "share/man/man1/xlatperf.1.gz",
    "share/doc/xlatperf/README.md",
)


@pytest.fixture
def sources(tmp_path: Path) -> Path:
    folder = tmp_path / "sources"
    (folder / "scripts").mkdir(parents=True)
    for name in ("install.sh", "uninstall.sh"):
        shutil.copy(ROOT / "scripts" / name, folder / "scripts" / name)
    for name in FILES:
        path = folder / "build/stage" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(name)
    return folder


def call(sources: Path, script: str, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sources / "scripts" / script, *arguments], capture_output=True, text=True, check=False, cwd="/"
    )


def below(folder: Path) -> set[str]:
    return {str(path.relative_to(folder)) for path in folder.rglob("*")}


@pytest.mark.parametrize("destination", ["", "root"])
def test_installed_and_removed_without_a_trace(sources: Path, tmp_path: Path, destination: str) -> None:
    prefix = str(tmp_path / "usr" if not destination else Path("/usr/local"))
    where = tmp_path / "usr" if not destination else tmp_path / "root/usr/local"
    others = where / "share/man/man1/others.1.gz"
    others.parent.mkdir(parents=True)
    others.touch()
    before = below(where)
    whole = str(tmp_path / destination) if destination else ""

    run = call(sources, "install.sh", prefix, whole)
    assert (run.returncode, run.stdout.splitlines()[0]) == (0, f"Installed: {where}/bin/xlatperf"), run.stderr
    assert {name for name in FILES if (where / name).read_text() == name} == set(FILES)

    assert call(sources, "uninstall.sh", prefix, whole).returncode == 0
    assert below(where) == before

    again = call(sources, "uninstall.sh", prefix, whole)
    assert (again.returncode, again.stdout) == (
        1,
        f"xlatperf isn't installed below {where}: there is no {where}/lib/xlatperf/installed\n",
    )


def test_over_another_version_and_over_half_of_one(sources: Path, tmp_path: Path) -> None:
    prefix = tmp_path / "usr"
    old = sources / "build/stage/share/doc/xlatperf/OLD.md"
    old.touch()
    call(sources, "install.sh", prefix)
    old.unlink()
    call(sources, "install.sh", prefix)
    assert not (prefix / "share/doc/xlatperf/OLD.md").exists()

    shutil.rmtree(prefix)
    half = prefix / "lib/xlatperf/xlatperf/old.py"
    half.parent.mkdir(parents=True)
    half.touch()
    call(sources, "install.sh", prefix)
    assert not half.exists()
    assert call(sources, "uninstall.sh", prefix).returncode == 0
    assert not (prefix / "bin").exists()
