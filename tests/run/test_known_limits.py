"""What the campaign's own trials did is no limit of the Tester."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from tests.report.frames_campaign import selftest as entry
from tests.simulated_dut import answer, capacity
from xlatperf.config.load import parse_bench
from xlatperf.engine.trial_answer import TrialAnswer
from xlatperf.procedures.trial import Trial
from xlatperf.procedures.trial_request import TrialRequest
from xlatperf.results.selftest_records import SelfTest
from xlatperf.run.known_limits import KnownLimits
from xlatperf.run.runs import Run, runs

BENCH = """
technology.name = "siit"
[[measure]]
procedure = "latency"
frame_sizes = [84]
rate_fps = 90000
"""
REQUEST = TrialRequest(84, "ipv6", 90_000.0, 1.0)


def run_of(bench: str = BENCH) -> Run:
    return runs(parse_bench(bench, "b"))[0]


def outcome(request: TrialRequest, dut_fps: float = 1e9, *reasons: str) -> Trial:
    made = TrialAnswer.model_validate(answer(request, capacity(dut_fps), reasons))
    directions: dict[str, Any] = {
        name: direction.model_copy(update={"offered_fps": request.rate_fps})
        for name, direction in made.directions.items()
    }
    return Trial.of(7, "run", request, made.model_copy(update=directions))


def test_corrected_and_said() -> None:
    said: list[str] = []
    spoilt = [entry(84, 46_937.0).model_copy(update={"over": "ports", "driver": "net_memif"}), entry(84), entry(256)]
    limits = KnownLimits(SelfTest(entries=tuple(spoilt)), said.append)
    run = run_of()
    assert limits.of(run.cell) == 46_937
    limits.saw(run, REQUEST, outcome(REQUEST))
    assert limits.of(run.cell) == 90_000
    assert said == ["  the self-test over net_memif found 46,937 fps, but this trial did 90,000: that is the limit now"]
    ports, memory, other = limits.selftest.entries
    assert (ports.limit_fps, ports.found_fps) == (90_000, 46_937)
    assert ports.reason == "the self-test found 46,937 fps; trial 7 of the campaign did more"
    assert [memory, other] == spoilt[1:]
    faster = replace(REQUEST, rate_fps=95_000.0)
    limits.saw(run, faster, outcome(faster))
    assert limits.selftest.entries[0].found_fps == 46_937, "what the self-test found stays known"
    assert limits.of(run.cell) == 95_000


@pytest.mark.parametrize(
    ("request_", "seen"),
    [
        (REQUEST, None),
        (REQUEST, outcome(REQUEST, 1e9, "sent_less")),
        (REQUEST, outcome(REQUEST, 80_000.0)),  # what was lost nobody has received and verified
        (replace(REQUEST, tester_alone=True), outcome(REQUEST)),
        (REQUEST, outcome(replace(REQUEST, directions=("forward",)))),  # both are wanted
        (replace(REQUEST, rate_fps=40_000.0), outcome(replace(REQUEST, rate_fps=40_000.0))),
    ],
)
def test_not_by_what_shows_nothing(request_: TrialRequest, seen: Trial | None) -> None:
    limits = KnownLimits(SelfTest(entries=(entry(84, 46_937.0),)))
    limits.saw(run_of(), request_, seen)
    assert limits.of(run_of().cell) == 46_937
