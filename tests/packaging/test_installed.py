"""What `make install` puts in place, called as a user would: build/stage, which `make test` makes before."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

import xlatperf

ROOT = Path(__file__).parents[2]
STAGE = ROOT / "build" / "stage"
COMPLETIONS = (
    "bash-completion/completions/xlatperf",
    "zsh/site-functions/_xlatperf",
    "fish/vendor_completions.d/xlatperf.fish",
)

pytestmark = pytest.mark.skipif(not STAGE.is_dir(), reason="build/stage isn't there: make stage")


@pytest.fixture(scope="module")
def prefix(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    folder = tmp_path_factory.mktemp("installed") / "usr"
    subprocess.run([ROOT / "scripts/install.sh", folder], check=True)
    yield folder
    subprocess.run([ROOT / "scripts/uninstall.sh", folder], check=True)
    assert not folder.exists(), "also nothing that Python wrote while it ran"


def call(prefix: Path, name: str, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
    """With nothing in the environment that would lead it to the sources."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("XLATPERF", "PYTHON"))}
    program = prefix / "bin" / name
    return subprocess.run(
        [program, *arguments], cwd=prefix, env=environment, capture_output=True, text=True, check=False
    )


def test_its_own_engine_and_reference_device(prefix: Path, tmp_path: Path) -> None:
    assert call(prefix, "xlatperf", "--version").stdout == f"xlatperf {xlatperf.__version__}\n"
    bench = prefix / "share/doc/xlatperf/examples/reference-siit.toml"
    check = call(prefix, "xlatperf", "check", bench)
    assert check.returncode == 0, check.stdout + check.stderr
    assert "All frames came back as they must." in check.stdout


def test_programs_in_siitperfs_place(prefix: Path) -> None:
    assert call(prefix, "siitperf-tp").stdout.startswith("Input Error: ")


def test_what_shells_and_man_read(prefix: Path) -> None:
    assert (prefix / "share/man/man1/xlatperf.1.gz").is_file()
    for name in COMPLETIONS:
        text = (prefix / "share" / name).read_text()
        assert "_XLATPERF_COMPLETE" in text
    assert text.startswith("complete")
    assert (prefix / "share" / COMPLETIONS[1]).read_text().startswith("#compdef xlatperf\n")


def test_a_python_of_another_version(prefix: Path) -> None:
    """Debian's next release has one: the packages beside it were compiled for that of before."""
    program = prefix / "bin/xlatperf"
    told = program.read_text()
    program.write_text(told.replace("sys.version_info[:2] != (3, ", "sys.version_info[:2] != (3, 1"))
    try:
        run = call(prefix, "xlatperf", "--version")
    finally:
        program.write_text(told)
    assert run.returncode == 3
    assert run.stderr.endswith("is another version by now: install xlatperf again\n")
