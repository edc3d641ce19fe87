"""A campaign of all procedures on times, through a simulated DUT with delays and losses that can be reckoned with."""

from __future__ import annotations

import shutil
import tempfile
from functools import cache
from pathlib import Path
from typing import Any

from tests.simulated_campaign import campaign
from tests.simulated_frames import MS, FramesTester
from xlatperf.engine.message import DirectionName
from xlatperf.engine.trial_answer import TrialAnswer
from xlatperf.procedures.trial_request import TrialRequest
from xlatperf.results.results import Measurement, Results
from xlatperf.run.runs import Run

_COMMON = "frame_sizes = [84]\nduration_s = 1\nsettle_s = 0\n"
BENCH = f"""
technology.name = "siit"
device.driver = "tayga"
[[measure]]
procedure = "throughput"
maximum_fps = 1000
repetitions = 1
{_COMMON}
[[measure]]
procedure = "latency"
tags = 500
repetitions = 3
tester_alone_s = 0.1
{_COMMON}
[[measure]]
procedure = "pdv"
repetitions = 3
tester_alone_s = 0.1
{_COMMON}
[[measure]]
procedure = "ipdv"
repetitions = 3
tester_alone_s = 0.1
{_COMMON}
[[measure]]
procedure = "back_to_back"
maximum_fps = 4000
step_percent = 1
maximum_repeats = 0
repetitions = 3
{_COMMON}
[[measure]]
procedure = "back_to_back"
maximum_fps = 1000
repetitions = 1
{_COMMON}
[[measure]]
procedure = "system_recovery"
maximum_fps = 4000
reduced_s = 0.5
repetitions = 2
{_COMMON}
[[measure]]
procedure = "reset"
event_at_s = 0.1
repetitions = 2
{_COMMON}
"""


class Device(FramesTester):
    """1,000 frames/s behind a buffer; slower with each repetition, one frame in particular; another is lost in one."""

    def __init__(self) -> None:
        super().__init__(self.fate_of)
        self.repetition = 1

    def trial(self, run: Run, request: TrialRequest, frame_tag: int) -> TrialAnswer:
        self.repetition = run.repetition
        return super().trial(run, request, frame_tag)

    def fate_of(self, request: TrialRequest, name: DirectionName, number: int, due_s: float) -> float | None:
        """Forward, in ms: 10 + repetition; 10 of the first frame, 5 more of frame 800. Reverse 10 % more."""
        if request.event is not None and 0.15 - 1e-9 <= due_s < 0.25 + 0.1 * self.repetition - 1e-9:
            return None
        if request.then and due_s >= request.duration_s:  # at the reduced rate
            return None if due_s < request.duration_s + 0.01 * self.repetition - 1e-9 else MS
        if number * (1 - 1000 / request.rate_fps) > 20 + self.repetition:
            return None
        if request.rate_fps == 1000 and (number, self.repetition) == (700, 2):
            return None
        delay = 10 if number == 0 else 10 + self.repetition + (5 if number == 800 else 0)
        return delay * MS * (1.1 if name == "reverse" else 1)


@cache
def _run() -> tuple[tempfile.TemporaryDirectory[str], Results]:
    folder = tempfile.TemporaryDirectory(prefix="xlatperf-test-")
    return folder, campaign(Path(folder.name), Device(), BENCH)


def results() -> Results:
    """The whole campaign."""
    return _run()[1]


def with_histograms(folder: Path) -> Path:
    """A copy of its folder, to write into."""
    return Path(shutil.copytree(_run()[0].name, folder / "campaign"))


def measured(procedure: str, **changes: Any) -> Measurement:
    """The first measurement of a procedure."""
    return next(one for one in results().measurements if one.procedure == procedure).model_copy(update=changes)


def not_applicable() -> Measurement:
    """RFC 9004 §6.1: the throughput reaches the highest rate."""
    return next(one for one in results().measurements if one.no_result is not None)


def everything() -> tuple[Measurement, ...]:
    """All but the throughput."""
    return tuple(one for one in results().measurements if one.procedure != "throughput")
