"""R7915-V: a campaign's first frames, sent with a traffic class that shows whether it is copied."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any, cast

from rich.console import Console

from tests.simulated_campaign import campaign
from tests.simulated_dut import SimulatedTester, capacity
from xlatperf.config.load import parse_bench
from xlatperf.engine.trial_answer import InvalidReason, TrialAnswer
from xlatperf.meaning.meanings import WRONG
from xlatperf.procedures.trial_request import FIRST_LOOK, TrialRequest
from xlatperf.report import html
from xlatperf.report.evidence import Evidence
from xlatperf.results.results import Results
from xlatperf.run.first_look import OLDER, look_first
from xlatperf.run.runs import Run, runs

BENCH = """
technology.name = "siit"
traffic.mix = [[1, 2]]
measure = [{ procedure = "frame_loss", frame_sizes = [84], maximum_fps = 10000, rates_fps = [1000], duration_s = 1 }]
"""


class SpoilsTheTrafficClass(SimulatedTester):
    """Only one that isn't 0: what the measures send comes back right."""

    def trial(self, run: Run, request: TrialRequest, frame_tag: int) -> TrialAnswer:
        document = self.written(run, request, frame_tag)
        if request.purpose == FIRST_LOOK:
            sent = document["forward"]["foreground"]["sent"]
            document["forward"]["foreground"] |= {"accepted": sent, "accepted_traffic_class": sent}
            text = "traffic class 0x18, expected 0xb8 (RFC 7915 §4.1)"
            document["samples"] = [
                {"side": "right", "direction": "forward", "reason": "accepted_traffic_class", "number": 0}
            ]
            document["samples"][0] |= {"class": "foreground", "text": text}
        return TrialAnswer.model_validate(document)


def start(path: Path, tester: SimulatedTester, text: str = BENCH) -> Results:
    return campaign(path, tester, text)


def page(results: Results, path: Path) -> str:
    return html.page(Evidence.read(results, path))


def test_what_only_they_show(tmp_path: Path) -> None:
    results = start(tmp_path / "c", SpoilsTheTrafficClass(capacity(1e9)))
    (trial,) = results.first_look_trials
    assert (trial.number, trial.request.purpose, trial.request.directions) == (0, FIRST_LOOK, ("forward", "reverse"))
    assert round(trial.request.rate_fps * trial.request.duration_s) == 40, "20 of each class"
    assert trial not in results.trials
    assert results.findings == ()
    (found,) = results.first_look_findings
    assert (found.kind, found.reason, found.direction, found.count) == ("error", "traffic_class", "forward", 40)
    assert found.meaning == WRONG["traffic_class"]
    assert found.example is not None
    shown = page(results, tmp_path / "c")
    assert "The first frames, sent with traffic class 0xb8, show what those of the measures don&#x27;t" in shown
    assert "traffic class 0x18, expected 0xb8" in shown


def test_what_is_accepted_is_a_remark(tmp_path: Path) -> None:
    text = 'traffic.accept = ["traffic_class"]\n' + BENCH
    results = start(tmp_path / "c", SpoilsTheTrafficClass(capacity(1e9)), text)
    assert [(one.kind, one.reason) for one in results.first_look_findings] == [("remark", "accepted_traffic_class")]
    assert "show what those of the measures" not in page(results, tmp_path / "c")


def test_nothing_is_wrong(tmp_path: Path) -> None:
    results = start(tmp_path / "c", SimulatedTester(capacity(1e9)))
    assert results.first_look_findings == ()
    assert "a few were sent with traffic class 0xb8: nothing was wrong" in page(results, tmp_path / "c")


def test_an_older_campaign_goes_on_without(tmp_path: Path) -> None:
    """Its journal begins with other trials, which are not asked for again."""
    results = start(tmp_path / "c", SimulatedTester(capacity(1e9)))
    bench = parse_bench(BENCH, "b")
    nobody = cast("Any", None)
    assert look_first(bench, runs(bench), results.trials, nobody, nobody).untried == OLDER
    assert look_first(bench, (), (), nobody, nobody).untried == "the bench file names no measure"


class Invalid(SimulatedTester):
    """Whose first look never is a trial."""

    def trial(self, run: Run, request: TrialRequest, frame_tag: int) -> TrialAnswer:
        answer = super().trial(run, request, frame_tag)
        if request.purpose != FIRST_LOOK:
            return answer
        reasons = (InvalidReason(code="clock", text="it went back"),)
        return answer.model_copy(update={"valid": False, "reasons": reasons})


def test_unknown_where_it_can_t_be_known(tmp_path: Path) -> None:
    screen = Console(file=io.StringIO(), width=300)
    results = campaign(tmp_path / "c", Invalid(capacity(1e9)), BENCH, say=screen)
    assert results.first_look is not None
    assert "no valid trial at 1000 fps" in str(results.first_look.untried)
    assert isinstance(screen.file, io.StringIO)
    assert (
        "with a traffic class other than the bench file's isn't fully known: no valid trial" in screen.file.getvalue()
    )
    assert "What becomes of traffic class 0xb8 isn&#x27;t fully known" in page(results, tmp_path / "c")
