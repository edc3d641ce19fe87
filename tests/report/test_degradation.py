"""Degradation with the number of flows: rates in the tables of scalability, all else in a table of its own."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.report import times_campaign
from tests.report.test_scalability import evidence, subscribed, values
from tests.simulated_campaign import campaign
from tests.simulated_frames import MS, FramesTester
from xlatperf.commands.report import write_report
from xlatperf.engine.message import DirectionName
from xlatperf.engine.trial_answer import TrialAnswer
from xlatperf.procedures.quantity import LimitedBy
from xlatperf.procedures.trial_request import TrialRequest
from xlatperf.report.degradation import degraded
from xlatperf.report.scalability.tables import tables
from xlatperf.results.results import Measurement
from xlatperf.run.runs import Run

SHORT = "frame_sizes = [84]\nduration_s = 1\nrepetitions = 3"
BENCH = f"""
technology.name = "siit"
device.driver = "tayga"
[[measure]]
procedure = "pdv"
rate_fps = 1000
columns = [{{ networks = 1 }}, {{ networks = 16 }}]
tester_alone_s = 0
{SHORT}
[[measure]]
procedure = "pdv"
name = "with many only"
rate_fps = 1000
columns = [{{ networks = 16 }}, {{ networks = 32 }}]
tester_alone_s = 0
{SHORT}
"""


class Later(FramesTester):
    """Every hundredth frame is late: by 1 ms with one network on each side, by 1.5 ms with more."""

    def __init__(self) -> None:
        super().__init__(self._fate)
        self.late_ns = 0.0

    def _fate(self, _: TrialRequest, __: DirectionName, number: int, ___: float) -> float | None:
        return MS + (self.late_ns if number % 100 == 99 else 0.0)

    def trial(self, run: Run, request: TrialRequest, frame_tag: int) -> TrialAnswer:
        self.late_ns = MS if run.cell.series.networks == 1 else 1.5 * MS
        return super().trial(run, request, frame_tag)


def test_delays_are_better_if_lower(tmp_path: Path) -> None:
    """R8219-10.2.1: (Xn - X1) / X1, where there is an X1."""
    results = campaign(tmp_path / "c", Later(), BENCH)
    found = degraded(results.measurements)
    assert [(one.line.item.networks, one.quantity, one.line.direction, one.line.item.series) for one in found] == [
        (16, "PDV", "forward", "pdv"),
        (16, "PDV", "reverse", "pdv"),
    ]
    assert all(one.percent == pytest.approx(50, rel=0.02) for one in found)
    write_report(results, tmp_path / "c")
    page = (tmp_path / "c" / "report.html").read_text(encoding="utf-8")
    assert "Degradation with the number of flows" in page


def test_rates_over_networks() -> None:
    """R8219-10.2.1: as over subscribers, a row of the table of scalability, and better if higher."""
    items = [
        subscribed(count, (rate,), "forward", subscribers=None, networks=count)
        for count, rate in ((1, 80_000.0), (256, 60_000.0))
    ]
    (table,) = tables(evidence(*items))
    assert values(table)["tp degradation"][1] == pytest.approx(25)
    assert degraded(items) == []


def test_of_a_bound_there_is_none() -> None:
    """More than the longest burst that the Tester can send may be in the buffer: X1 is a bound, so Xpd isn't known."""
    burst = times_campaign.measured("back_to_back")

    def with_networks(count: int, limited_by: LimitedBy) -> Measurement:
        repetitions = tuple(one.model_copy(update={"limited_by": limited_by}) for one in burst.repetitions)
        return burst.model_copy(update={"networks": count, "repetitions": repetitions})

    exact = degraded([with_networks(1, "dut"), with_networks(9, "dut")])
    bound = degraded([with_networks(1, "tester"), with_networks(9, "dut")])
    assert [(one.quantity, one.percent) for one in exact] == [("back-to-back frames", 0)]
    assert [(one.quantity, one.one.bound, one.percent) for one in bound] == [("back-to-back frames", ">=", None)]
