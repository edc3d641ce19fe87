"""R2473-3.1: a campaign learns hops from its first frames, requires them of all others, and says so."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from tests.simulated_campaign import campaign
from tests.simulated_dut import Killed, SimulatedTester
from xlatperf.procedures.trial_request import TrialRequest
from xlatperf.report import html
from xlatperf.report.evidence import Evidence
from xlatperf.results.file import read_results
from xlatperf.results.results import Results
from xlatperf.run.runs import Run

BENCH = """
technology.name = "map-e"
[[measure]]
procedure = "throughput"
frame_sizes = [104]
maximum_fps = 10000
repetitions = 1
duration_s = 1
"""
RUN = "1-throughput/mix=1of1/size=104/bidirectional/learning"


def whole(request: TrialRequest, _: str) -> int:
    return 0 if request.alter else max(1, round(request.rate_fps * request.duration_s))


class TunnelTester(SimulatedTester):
    """Its DUT decrements twice behind the tunnel, not in front of it, and writes `outer`."""

    outer = 63

    def written(self, run: Run, request: TrialRequest, frame_tag: int) -> dict[str, Any]:
        document = super().written(run, request, frame_tag)
        hops = {"forward": 2, "reverse": 0}
        for direction in request.directions:
            counters = document[direction]["foreground"]
            wanted = self.required.traffic.hops_of(direction, "foreground") if self.required is not None else 1
            outer = self.required.technology.dut_hop_limit if self.required is not None else 64
            tunnel = {"seen_outer_hop_limit": [self.outer] * 2} if direction == "reverse" else {}
            if wanted != hops[direction] or (tunnel and outer != self.outer):
                seen = {"seen_hop_limit": [10 - hops[direction]] * 2, **tunnel}
                counters.update(expected=0, hop_limit=counters["expected"], **seen)
        return document


def start(path: Path, tester: SimulatedTester, text: str = BENCH, say: Console | None = None) -> Results:
    return campaign(path, tester, text, say=say)


def test_first_of_all(tmp_path: Path) -> None:
    """One trial, whose wrong frames are no finding; then all frames are as they must be."""
    results = start(tmp_path / "c", TunnelTester(whole))
    found = {one.direction: (one.hops, one.outer_hop_limit, one.untold) for one in results.learnt}
    assert found == {"forward": (2, None, None), "reverse": (0, 63, None)}
    assert [(trial.number, trial.run) for trial in results.learning_trials] == [(0, RUN)]
    assert all(one.refused for one in results.negative_tests)
    assert results.trials[0].number == 2 + len(results.negative_trials)
    assert results.findings == ()
    (repetition,) = results.measurements[0].repetitions
    assert (repetition.limited_by, repetition.search and repetition.search.lower_fps) == ("maximum", 10000)
    assert results.bench["traffic"]["hops"] == "learn"
    assert read_results((tmp_path / "c" / "results.json").read_text()) == results


@pytest.mark.parametrize("die_at", [0, 1, 2, 10])
def test_killed_and_resumed(tmp_path: Path, die_at: int) -> None:
    start(tmp_path / "whole", TunnelTester(whole))
    with pytest.raises(Killed):
        start(tmp_path / "c", TunnelTester(whole, die_at))
    start(tmp_path / "c", TunnelTester(whole))
    first, again = (json.loads((tmp_path / name / "results.json").read_text()) for name in ("whole", "c"))
    assert first == again


def test_only_directions_that_are_used(tmp_path: Path) -> None:
    """MAP's negative tests go in both, whatever is measured."""
    forward = BENCH + 'direction = "forward"'
    results = start(tmp_path / "map", TunnelTester(whole), forward)
    learnt = [(one.direction, one.hops, one.outer_hop_limit) for one in results.learnt]
    assert learnt == [("forward", 2, None), ("reverse", 0, 63)]
    assert {one.untried for one in results.negative_tests} == {None}
    siit = forward.replace('"map-e"', '"siit"\ntraffic.hops = "learn"')
    results = start(tmp_path / "siit", TunnelTester(whole), siit)
    assert [(one.direction, one.hops) for one in results.learnt] == [("forward", 2)]


def test_nothing_where_all_is_said(tmp_path: Path) -> None:
    text = "technology.tunnel.dut_hop_limit = 64\ntraffic.hops = 1\n" + BENCH
    tester = SimulatedTester(whole)
    results = start(tmp_path / "c", tester, text)
    assert (results.learnt, results.learning_trials, tester.required) == ((), (), None)
    assert "What the first frames told" not in html.page(Evidence.read(results, tmp_path / "c"))


def test_untold(tmp_path: Path) -> None:
    """What can't be learnt stays as it is supposed; there was no background either."""
    dead = SimulatedTester(lambda request, _: 0 if request.purpose == "learning" else whole(request, _))
    results = start(tmp_path / "c", dead, "traffic.mix = [[1, 2]]\n" + BENCH)
    assert [(one.traffic_class, one.untold) for one in results.learnt] == [
        ("foreground", "none of 40 frames came back right"),
        ("background", "there was none"),
    ] * 2
    assert dead.required is not None
    assert dead.required.traffic.hops_of("reverse", "foreground") == 1
    page = html.page(Evidence.read(results, tmp_path / "c"))
    assert "none of 40 frames came back right; 1 hop and outer hop limit 64 are required, as the bench" in page


def test_on_the_screen_and_in_the_report(tmp_path: Path) -> None:
    console = Console(record=True, width=200, file=(tmp_path / "out").open("w"))
    results = start(tmp_path / "c", TunnelTester(whole), say=console)
    said = console.export_text()
    assert "  forward, foreground: hop limit or TTL is decremented by 2\n" in said
    assert (
        "  reverse, foreground: hop limit or TTL is decremented by 0, the outer hop limit is 63: the DUT does not "
        "decrement it, as each hop must" in said
    )
    page = html.page(Evidence.read(results, tmp_path / "c"))
    assert page.index("What the first frames told") < page.index("What the device must refuse")
    assert "not decremented" in page
