"""A campaign over the number of subscribers: who is simulated, handover, results and tables (R8219-10.2.1)."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tests.simulated_campaign import campaign
from tests.simulated_frames import MS, FramesTester
from xlatperf.commands.report import write_report
from xlatperf.config.load import parse_bench
from xlatperf.config.request import configure_message, open_message
from xlatperf.engine.client import Engine
from xlatperf.engine.message import DirectionName
from xlatperf.engine.messages import Describe
from xlatperf.engine.trial_answer import TrialAnswer
from xlatperf.procedures.trial_request import TrialRequest
from xlatperf.report.series import performance
from xlatperf.run.runs import Run, runs
from xlatperf.run.tester import EngineTester

COMMON = "frame_sizes = [104]\nduration_s = 0.5\nsettle_s = 0\nlearning_wait_s = 0\nsubscribers = [1, 100, 8192]\n"
BENCH = f"""
technology.name = "map-e"
[[measure]]
procedure = "throughput"
minimum_fps = 100
maximum_fps = 8000
stop_width_percent = 2
repetitions = 1
{COMMON}
[[measure]]
procedure = "latency"
shares = [0.5]
repetitions = 1
tester_alone_s = 0
{COMMON}
"""
LIMITS = {1: 4000, 100: 2000, 8192: 1000}


class SlowerWithMore(FramesTester):
    """A DUT whose capacity depends on the number of subscribers."""

    limit_fps = 0

    def __init__(self) -> None:
        super().__init__(self._fate)

    def _fate(self, request: TrialRequest, _: DirectionName, number: int, due_s: float) -> float | None:
        return None if request.rate_fps > self.limit_fps else MS

    def trial(self, run: Run, request: TrialRequest, frame_tag: int) -> TrialAnswer:
        self.limit_fps = LIMITS[run.cell.series.subscribers or 0]
        return super().trial(run, request, frame_tag)


def test_handover_and_tables(tmp_path: Path) -> None:
    """Latency is measured at the throughput for as many subscribers; the table has the degradation of RFC 8219."""
    results = campaign(tmp_path / "c", SlowerWithMore(), BENCH)
    throughput = {one.subscribers: one for one in results.measurements if one.procedure == "throughput"}
    latency = {one.subscribers: one for one in results.measurements if one.procedure == "latency"}
    assert list(throughput) == list(latency) == list(LIMITS)
    for count, limit in LIMITS.items():
        summary = performance(throughput[count])
        assert summary is not None
        assert 0.98 * limit <= summary.median <= limit
        assert latency[count].throughput_fps == summary.median
    write_report(results, tmp_path / "c")
    report = (tmp_path / "c" / "report.html").read_text(encoding="utf-8")
    assert "Performance against the number of subscribers" in report
    assert "8,192 subscribers" in report
    table = (tmp_path / "c" / "scalability.csv").read_text(encoding="utf-8")
    assert "num. subscribers,,1,100,8192" in table


def test_the_engine_is_told(fake_engine: None) -> None:
    """Each number has its addresses, the same in all trials: they are set up once for all trials one after another."""
    bench = parse_bench(BENCH, "b")
    asked: list[Mapping[str, Any]] = []

    class Asked(Engine):
        def configure(self, message: Mapping[str, Any]) -> Describe:
            asked.append(message)
            return super().configure(message)

    with Asked() as engine:
        engine.configure(configure_message(bench, (1, 1)))
        engine.open(open_message(bench, "net_ring0", "net_ring1"))
        tester = EngineTester(engine, bench, lambda _: None)
        for run in runs(bench)[:3]:
            for tag in (1, 2):
                tester.trial(run, TrialRequest(104, "ipv6", 100.0, 0.1), tag)
    assert [one["technology"]["domains"][0]["ces"] for one in asked] == [1000, 1, 100, 8192]
