"""`xlatperf import`: its files, its words and its exit codes."""

from __future__ import annotations

from pathlib import Path

import pytest

from xlatperf.commands.app import run_app

FOLDER = Path(__file__).parents[1] / "imports" / "files"


def test_a_bench_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """And none is overwritten."""
    output = tmp_path / "b.toml"
    assert run_app(["import", str(FOLDER / "siitperf.conf"), "-o", str(output)]) == 0
    text = output.read_text()
    assert 'name = "siit"' in text
    assert f"{output}: SIIT" in capsys.readouterr().err
    assert run_app(["import", str(FOLDER / "maptperf.conf"), "-o", str(output)]) == 2
    assert output.read_text() == text
    assert capsys.readouterr().err == f"{output}: exists already; it is left as it is\n"


def test_on_standard_output(capsys: pytest.CaptureFixture[str]) -> None:
    assert run_app(["import", str(FOLDER / "maptperf.conf")]) == 0
    said = capsys.readouterr()
    assert 'dmr = "64:ff9b::/64"' in said.out
    assert "not taken over: line 14: bg-dport-min, line 15" in said.err


def test_a_binding_table_beside_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run_app(["import", str(FOLDER / "lwaftr.conf")]) == 2
    assert "becomes a file beside the bench file: name that with -o" in capsys.readouterr().err
    assert run_app(["import", str(FOLDER / "lwaftr.conf"), "-o", str(tmp_path / "b.toml")]) == 0
    assert 'table = "b.softwires.csv"' in (tmp_path / "b.toml").read_text()
    assert len((tmp_path / "b.softwires.csv").read_text().splitlines()) == 5
    (tmp_path / "b.toml").unlink()
    assert run_app(["import", str(FOLDER / "lwaftr.conf"), "-o", str(tmp_path / "b.toml")]) == 2
    assert not (tmp_path / "b.toml").exists(), "one file without the other"


def test_what_matters_is_told_by_the_exit_code(tmp_path: Path) -> None:
    assert run_app(["import", str(FOLDER / "eamt.csv"), "-o", str(tmp_path / "b.toml")]) == 1
    assert run_app(["import", str(FOLDER / "lwaftr-psid-map.conf"), "-o", str(tmp_path / "c.toml")]) == 1


def test_what_is_no_bench_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The hosts' own contradiction: written, told, and the exit code says it."""
    text = (FOLDER / "siitperf.conf").read_text().replace("IPv6-L-Real 2001:2:0:0::2", "IPv6-L-Real 2001:2:0:6464::2")
    (tmp_path / "s.conf").write_text(text.replace("IPv4-L-Virt 198.18.0.2", "IPv4-L-Virt 198.19.0.2"))
    assert run_app(["import", str(tmp_path / "s.conf"), "-o", str(tmp_path / "b.toml")]) == 1
    assert f"{tmp_path}/b.toml: technology.eam[1].ipv4: 198.19.0.2/32 is not allowed" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "want"),
    [
        (["missing.conf"], "missing.conf: can't be read: No such file or directory\n"),
        ([str(FOLDER)], f"{FOLDER}: can't be read: Invalid argument\n"),
        ([str(FOLDER / "eamt.csv"), "--format", "snabb"], f"{FOLDER}/eamt.csv: line 4: softwires: missing"),
    ],
)
def test_faults(arguments: list[str], want: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run_app(["import", *arguments]) == 2
    assert want[:40] in capsys.readouterr().err
