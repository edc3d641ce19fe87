"""464XLAT, its PLAT alone and its CLAT alone: three campaigns as the examples have them, compared."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from tests.system.campaigns import campaign
from tests.system.command import xlatperf
from tests.system.requirements import needs_nft, needs_root, needs_tayga
from tests.system.shortened import shortened

pytestmark = [needs_root, needs_tayga, needs_nft]
CAMPAIGNS = ("464xlat", "464xlat-plat", "464xlat-clat")


@pytest.mark.timeout(400)
def test_which_device_limits(tmp_path: Path) -> None:
    """R8219-4.2-1, R8219-4.2-2: The report shows the processor time of CLAT and PLAT, and says which one is the
    narrower, or that it's open.
    """
    for name in CAMPAIGNS:
        fewer = {} if name == "464xlat-clat" else {"connections": "[1000]"}
        text = shortened(name, maximum_fps="8000", stop_width_percent="50", repetitions="1", **fewer)
        (tmp_path / name).mkdir()
        campaign(tmp_path / name, text)
    ended = xlatperf("compare", *(f"{name}/c" for name in CAMPAIGNS), "--output", "c.html", folder=tmp_path)
    assert ended.code == 0, ended.output
    page = (tmp_path / "c.html").read_text(encoding="utf-8")
    for words in ("Which device limits", "CPU use CLAT 0.", "and PLAT 0.", "CLAT alone", "PLAT alone", "core 0"):
        assert words in page, words
    with (tmp_path / "c.csv").open(encoding="utf-8", newline="") as file:
        lines = list(csv.DictReader(file))
    through = [line for line in lines if line["procedure"] == "throughput"]
    assert [line["connections"] for line in through] == ["1000"] * 3
    parts = [{part.partition("=")[0] for part in line["device_cpu"].split()} for line in through[:3]]
    assert parts == [{"clat", "plat"}, {"tayga"}, {"tayga"}]
    cores = [{core.partition(" core")[0] for core in line["device_idle"].split("; ")} for line in through]
    assert cores == parts, "of both devices of the dual DUT"
