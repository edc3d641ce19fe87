"""R9693-4.4-1: a DUT that forgets connections before phase 2 is found, however long the gap between the phases was."""

from __future__ import annotations

from typing import Any

import pytest

from tests.simulated_dut import answer
from tests.trials import trial_of
from xlatperf.config.load import parse_bench
from xlatperf.procedures.trial import MeasurementFailed, Trial
from xlatperf.procedures.trial_request import TrialRequest
from xlatperf.run.runs import cells
from xlatperf.run.timeouts import Timeouts

BENCH = """
technology.name = "nat44"
[[measure]]
procedure = "throughput"
frame_sizes = [64]
connections = [300]
establish_fps = 1000
duration_s = 0.9
timeout_s = 0.2
"""


class Forgetful:
    """In a replay's place: a DUT that forgets connections after a second."""

    def __init__(self, longest_gap_s: float) -> None:
        self.longest_gap_s = longest_gap_s
        self.waited: list[float] = []

    def measure(self, _: Any) -> Any:
        def measure(request: TrialRequest) -> Trial:
            assert request.connections is not None
            waited_s = request.connections.wait_s or 0.0
            self.waited.append(waited_s)
            kept = waited_s < 1
            document = answer(request, lambda asked, _: round(asked.rate_fps * asked.duration_s) if kept else 0)
            return trial_of(len(self.waited), request, document)

        return measure


@pytest.mark.parametrize("gap_s", [0.0, 0.0104, 0.0105, 0.0106, 0.01149])
def test_forgets(gap_s: float) -> None:
    """It is waited for what is needed, then not at all, and for what is needed once more."""
    bench = parse_bench(BENCH, "b")
    replay = Forgetful(gap_s)
    timeouts = Timeouts(bench, replay)
    for _ in range(2):
        with pytest.raises(MeasurementFailed, match="the DUT forgets connections"):
            timeouts.check(cells(bench)[0], 1000.0, {})
    needed_s = pytest.approx(1.4 + gap_s, abs=0.0006)
    assert replay.waited == [needed_s, 0.0, needed_s]
    assert [found.verdict for found in timeouts.checks] == ["forgets"]
