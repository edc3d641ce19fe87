"""A campaign says where a loss counts although the Tester itself was held up right before it (R1242-3.4)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.simulated_campaign import campaign
from tests.simulated_frames import MS, FramesTester
from xlatperf.commands.report import write_report
from xlatperf.engine.message import DirectionName
from xlatperf.procedures.trial_request import TrialRequest
from xlatperf.results.results import Results
from xlatperf.run.runs import Run

COMMON = "frame_sizes = [84]\nduration_s = 0.5\nsettle_s = 0\nrepetitions = 1\nretries = 2\n"
BENCH = f"""
technology.name = "siit"
device.driver = "tayga"
[[measure]]
procedure = "throughput"
maximum_fps = 4000
stop_width_percent = 10
{COMMON}
[[measure]]
procedure = "frame_loss"
maximum_fps = 4000
rates_fps = [2000, 1000, 500]
{COMMON}
[[measure]]
procedure = "pdv"
rate_fps = 2000
{COMMON}
"""
CAPACITY_FPS = 1500


def fate(request: TrialRequest, name: DirectionName, number: int, due_s: float) -> float | None:
    return None if request.rate_fps > CAPACITY_FPS and number % 50 == 0 else MS


class StalledTester(FramesTester):
    """Whatever is lost was lost right after a stall."""

    def written(self, run: Run, request: TrialRequest, frame_tag: int) -> dict[str, Any]:
        answer = super().written(run, request, frame_tag)
        for name in request.directions:
            answer[name]["departure"] = {"stalls": 7, "lost_after_stall": answer[name]["foreground"]["lost"]}
        return answer


def run(path: Path, tester: FramesTester) -> Results:
    results = campaign(path, tester, BENCH)
    write_report(results, path)
    return results


def test_it_counts_and_is_said(tmp_path: Path) -> None:
    stalled = run(tmp_path / "stalled", StalledTester(fate))
    plain = run(tmp_path / "plain", FramesTester(fate))
    for one, other in zip(stalled.measurements, plain.measurements, strict=True):
        assert [series.summary for series in one.values] == [series.summary for series in other.values]
        assert not other.remarks
        assert one.remarks
    (remark,) = stalled.measurements[2].remarks
    assert remark.endswith(
        "at 2,000 fps lost frames only right after the Tester itself was held up, as in 2 before it: what the Tester "
        "then sent too fast counts as the DUT's loss"
    )
    lossy = [trial for trial in plain.trials if trial.forward is not None and trial.forward.loss]
    repeated = [trial for trial in stalled.trials if trial.only_after_stalls]
    assert len(repeated) == 3 * len(lossy)
    page = (tmp_path / "stalled" / "report.html").read_text(encoding="utf-8")
    assert page.count("counts as the DUT&#x27;s loss") == len(lossy)
    assert f"(repeated, as far as retries allow)</dt><dd>{len(repeated)}</dd>" in page
