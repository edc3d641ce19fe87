"""The folder of two devices in a row, of which each has a campaign: told from others, whatever there is of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from xlatperf.commands.app import run_app

TWO = "[[device]]\n[[device]]\n"


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def row(*names: str) -> None:
    """A folder with such campaigns of which nothing has been measured."""
    for name in names:
        made = "two devices in a row"
        text = (
            "[[device]]\n[[device]]\n"
            if name == "both"
            else f"# The X alone: made by xlatperf from the bench file of {made}.\n"
        )
        Path("c", name).mkdir(parents=True)
        Path("c", name, "bench.toml").write_text(text)


@pytest.mark.parametrize("names", [("both",), ("br",), ("both", "ce")])
def test_of_a_row_nothing_is_measured_yet(names: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    """The folder that goes on is that of all three."""
    row(*names)
    goes_on = "xlatperf run with its bench file and --folder c goes on\n"
    for folder in ("c", f"c/{names[0]}"):
        assert run_app(["report", folder]) == 2
        assert capsys.readouterr().err == f"{folder}: nothing of this campaign has been measured yet; {goes_on}"


def test_a_campaign_that_is_called_like_one_of_a_row(capsys: pytest.CaptureFixture[str]) -> None:
    Path("campaigns/ce").mkdir(parents=True)
    Path("campaigns/ce/bench.toml").write_text('technology.name = "siit"\n')
    assert run_app(["report", "campaigns"]) == 2
    assert capsys.readouterr().err == "campaigns: not a campaign's folder: results.json is missing\n"
    assert run_app(["report", "campaigns/ce"]) == 2
    assert capsys.readouterr().err.endswith("--folder campaigns/ce goes on\n")
