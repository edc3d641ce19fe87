"""The report of a soak test, from a campaign through a simulated DUT."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from tests.procedures.test_soak import fate
from tests.report.test_html import Page, written
from tests.simulated_campaign import campaign
from tests.simulated_frames import FramesTester
from xlatperf.engine.delays import Delay
from xlatperf.engine.direction_answer import Interval
from xlatperf.engine.trial_answer import TrialAnswer
from xlatperf.procedures.trial_request import TrialRequest
from xlatperf.report.plots.soak import losses_by_reason
from xlatperf.results.results import Results
from xlatperf.run.runs import Run

BENCH = """
technology.name = "siit"
device.driver = "tayga"
[[measure]]
procedure = "soak"
rate_fps = 100
duration_s = 10
interval_s = 1
settle_s = 0
"""


class LinkGoesDown(FramesTester):
    """In each long trial."""

    def trial(self, run: Run, request: TrialRequest, frame_tag: int) -> TrialAnswer:
        if request.interval_s is None:
            return super().trial(run, request, frame_tag)
        reasons = [{"code": "link_down", "text": "left: the link is down"}]
        return TrialAnswer.model_validate(self.written(run, request, frame_tag) | {"valid": False, "reasons": reasons})


def reported(tester: FramesTester, folder: Path, bench: str = BENCH) -> tuple[Results, Page]:
    results = campaign(folder / "c", tester, bench)
    return results, written(results, folder)


def drawn(folder: Path) -> list[list[dict[str, Any]]]:
    """The lines and bars of each figure over time."""
    text = (folder / "report.html").read_text(encoding="utf-8")
    found = re.findall(r'Plotly\.newPlot\(\s*"plot-soak-\d+",\s*(\[.*?\]),\s*\{"', text, re.DOTALL)
    return [json.loads(one) for one in found]


def test_loss_and_delays_over_time(tmp_path: Path) -> None:
    results, page = reported(FramesTester(fate), tmp_path)
    (trial,) = results.trials
    assert trial.forward is not None
    assert [one.not_expected for one in trial.forward.intervals] == [0, 0, 0, 30, 1, 0, 0, 0, 0, 0]
    # sizes, direction, rate, N, sent, loss, worst, with loss, median, D99.9, worst, drift in µs, lost
    row = "84 64 forward → 100 1 10 3.10 30.00 20.00 6,000.0 10,000.0 10,000.0 9,000.0 31 (3.10 %)"
    assert row in page.visible
    assert "3.10 % loss, at worst 30.00 % in an interval , D99.9 at worst 10.0 ms left to right" in page.visible
    assert "no loss , D99.9 at worst 1.00 ms right to left" in page.visible
    forward, reverse = drawn(tmp_path)
    assert [one["name"] for one in forward] == ["lost", "maximum", "D99.9", "D99", "median", "minimum"]
    assert [one["name"] for one in reverse] == ["maximum", "D99.9", "D99", "median", "minimum"]
    assert forward[0]["y"] == pytest.approx([0, 0, 0, 30, 1, 0, 0, 0, 0, 0])
    assert forward[0]["x"] == pytest.approx([at + 0.5 for at in range(10)])
    assert forward[4]["y"] == pytest.approx([1000.0 * (1 + at) for at in range(10)])
    assert "Every interval (10)" in page.visible


def test_late_frames_are_lost_ones(tmp_path: Path) -> None:
    """From the sixth second on frames take longer than 5.5 ms."""
    results, page = reported(FramesTester(fate), tmp_path, BENCH + "frame_timeout_ms = 5.5")
    (item,) = results.measurements
    assert "with a timeout of 5.5 ms for each frame" in item.standard
    losses = [one.values[0].value for one in item.values if one.quantity == "loss"]
    assert losses == pytest.approx([53.1, 0])
    assert [one["name"] for one in drawn(tmp_path)[0]][:2] == ["lost", "late"]
    assert "100 late" in page.visible


def test_what_was_counted_before_is_no_loss() -> None:
    """A duplicate and what came beyond the window: its number had come, or is lost already."""
    wrong = {"duplicate": 5, "beyond_window": 2, "payload": 3}
    told = Interval(sent=100, expected=90, lost=7, wrong=wrong, delay=Delay(count=0))
    assert losses_by_reason([told]) == {"lost": [7.0], "payload": [3.0]}
    assert told.not_expected == 10


def test_an_invalid_trial_is_shown_and_marked(tmp_path: Path) -> None:
    results, page = reported(LinkGoesDown(fate), tmp_path)
    (item,) = results.measurements
    assert item.no_result is not None
    assert all(one.summary is None for one in item.values)
    assert "not valid trial 3: link_down: left: the link is down" in page.visible
    assert "not valid The trial says nothing about the device: left: the link is down." in page.visible
    assert len(drawn(tmp_path)) == 2
