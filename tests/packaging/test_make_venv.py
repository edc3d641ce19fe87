"""`make` after one that was interrupted: the next one has a Python environment that works, whatever was left."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
BACKEND = """
import zipfile
def build_editable(folder, config_settings=None, metadata_directory=None):
    name = "nothing-1-py3-none-any.whl"
    with zipfile.ZipFile(f"{folder}/{name}", "w") as wheel:
        wheel.writestr("nothing.py", "")
        wheel.writestr("nothing-1.dist-info/METADATA", "Metadata-Version: 2.1\\nName: nothing\\nVersion: 1\\n")
        wheel.writestr("nothing-1.dist-info/WHEEL", "Wheel-Version: 1.0\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n")
        wheel.writestr("nothing-1.dist-info/RECORD", "")
    return name
"""
PROJECT = """
[build-system]
requires = []
build-backend = "backend"
backend-path = ["."]
[project]
name = "nothing"
version = "1"
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """One that needs nothing from anywhere, with our script."""
    (tmp_path / "scripts").mkdir()
    for name in ("make-venv.sh", "quietly.sh"):
        shutil.copy(ROOT / "scripts" / name, tmp_path / "scripts" / name)
    (tmp_path / "backend.py").write_text(BACKEND)
    (tmp_path / "pyproject.toml").write_text(PROJECT)
    return tmp_path


def make(project: Path) -> None:
    run = subprocess.run([project / "scripts/make-venv.sh", "."], capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stdout + run.stderr
    python = project / ".venv/bin/python"
    assert subprocess.run([python, "-c", "import nothing, pip"], check=False).returncode == 0
    assert not (project / ".venv/.changing").exists()


def test_what_an_interruption_leaves(project: Path) -> None:
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", project / ".venv"], check=True)
    make(project)  # killed while Python copied pip: "No module named pip", for ever

    kept = project / ".venv/kept"
    kept.touch()
    make(project)
    assert kept.exists(), "one that works isn't made anew"

    (project / ".venv/.changing").touch()
    next((project / ".venv/lib").glob("python*/site-packages/pip/__init__.py")).write_text("killed while pip wrote")
    make(project)
    assert not kept.exists()
