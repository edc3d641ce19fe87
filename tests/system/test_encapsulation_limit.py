"""RFC 2473 §4.1.1: an encapsulation limit in the frames sent, which each tunnel's exit must bear."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.system.campaigns import campaign
from tests.system.command import xlatperf
from tests.system.trials import RELAXED

CHECK = ("--rate", "1000", "--duration", "0.1", "--timeout", "0.3", "--hold", "0")
REFERENCE = 'device.driver = "reference"\n'
LIMIT = "technology.tunnel.encapsulation_limit = 4\n"


@pytest.mark.parametrize("technology", ["map-e", "map-e-ce", "lw4o6", "lw4o6-b4", "dslite", "dslite-b4"])
def test_it_makes_no_difference(technology: str, tmp_path: Path) -> None:
    (tmp_path / "b.toml").write_text(LIMIT + f'technology.name = "{technology}"\n' + REFERENCE + RELAXED)
    ended = xlatperf("check", "b.toml", *CHECK, folder=tmp_path)
    assert ended.code == 0, ended.output
    assert "│ 112 > 64 " in ended.output


@pytest.mark.parametrize(("technology", "left", "right"), [("map-e", 112, 64), ("dslite-b4", 64, 112)])
def test_it_counts_in_the_theoretical_maximum(technology: str, left: int, right: int, tmp_path: Path) -> None:
    """RFC 8219 §5.1: of the longest frame on any segment, whichever direction has it."""
    measure = '[[measure]]\nprocedure = "frame_loss"\nframe_sizes = [104]\nmedia_mbps = 1000\nmaximum_fps = 1000\n'
    procedure = "rates_fps = [500]\nduration_s = 0.2\ntimeout_s = 0.2\nsettle_s = 0.1\nlearning_wait_s = 0\n"
    text = LIMIT + f'technology.name = "{technology}"\n' + REFERENCE + RELAXED + measure + procedure
    results = campaign(tmp_path, text).results
    found = results["measurements"]
    assert {(one["frame_size"]["left"], one["frame_size"]["right"]) for one in found} == {(left, right)}
    assert all(one["theoretical_maximum_fps"] == pytest.approx(1e9 / (8 * (112 + 20))) for one in found)
    assert any("8 bytes that count in no frame size" in one["here"] for one in results["deviations"])
