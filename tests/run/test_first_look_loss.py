"""R8219-5.1-1: a campaign says who is lost before it measures, as `check` does."""

from __future__ import annotations

import io
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rich.console import Console

from tests.run.test_first_look import BENCH, page
from tests.simulated_campaign import campaign
from tests.simulated_dut import Killed, SimulatedTester, capacity
from xlatperf.engine.message import DirectionName
from xlatperf.engine.trial_answer import TrialAnswer
from xlatperf.procedures.trial_request import FIRST_LOOK, TrialRequest
from xlatperf.results.file import results_text
from xlatperf.results.results import Finding, Results
from xlatperf.run.runs import Run

HOSTS = 4
UNREACHABLE = 1
SHOWN = {
    "direction": "forward",
    "number": 1,
    "class": "foreground",
    "sent": {"hex": "00", "text": "IPv6 2001:2::2 > 2001:2::3"},
    "expected": {"hex": "00", "text": "IPv4 198.18.0.2 > 198.19.0.3"},
}
WHO = "all of 1 of 4 networks on the right, and none of the others: the DUT has no route to these hosts"


class Loses(SimulatedTester):
    """Frames of the first look: those that `lost` says of their number."""

    direction: DirectionName = "forward"

    def lost(self, number: int, of: int) -> bool:
        """To one host of four there is no route."""
        return of > 0 and number % HOSTS == UNREACHABLE

    def trial(self, run: Run, request: TrialRequest, frame_tag: int) -> TrialAnswer:
        document = self.written(run, request, frame_tag)
        if request.purpose == FIRST_LOOK:
            counters = document[self.direction]["foreground"]
            lost = [self.lost(number, counters["sent"]) for number in range(counters["sent"])]
            counters |= {"lost": sum(lost), "expected": len(lost) - sum(lost)}
            hosts = [number % HOSTS for number in range(len(lost))]
            columns = {"number": list(range(len(lost))), "lost": list(map(int, lost)), "right_host": hosts}
            counters |= {"lost_among": {"columns": columns, "example": SHOWN}} if any(lost) else {}
        return TrialAnswer.model_validate({**document, **self.more(request)})

    def more(self, _: TrialRequest) -> dict[str, Any]:
        """Than the frames."""
        return {}


def said(path: Path, tester: SimulatedTester) -> tuple[Results, str]:
    screen = Console(file=io.StringIO(), width=500)
    results = campaign(path, tester, BENCH, say=screen)
    assert isinstance(screen.file, io.StringIO)
    return results, screen.file.getvalue()


def lost(results: Results) -> Sequence[Finding]:
    return [one for one in results.first_look_findings if one.reason == "lost"]


def test_who_is_lost_is_on_the_screen_and_in_the_report(tmp_path: Path) -> None:
    results, screen = said(tmp_path / "c", Loses(capacity(1e9)))
    assert results.first_look is not None
    assert [round(one.request.frames) for one in results.first_look_trials] == [40, 1000], "more frames show who it is"
    assert results.first_look.trials == (0, 1)
    (found,) = lost(results)
    assert (found.kind, found.direction, found.traffic_class) == ("error", "forward", "foreground")
    assert (found.count, found.first_trial) == (250, 1)
    assert found.meaning.startswith(f"250 of 1000 frames lost (25 %): {WHO}")
    assert found.meaning.endswith("(for instance frame 1: IPv6 2001:2::2 > 2001:2::3)")
    assert f"The first frames: forward foreground: {found.meaning}\n" in screen
    shown = page(results, tmp_path / "c")
    assert "Of the first frames, sent without load: forward\N{NO-BREAK SPACE}→ foreground: 250 of 1000" in shown
    assert "show what those of the measures don" not in shown


def test_the_journal_has_who_the_results_do_not(tmp_path: Path) -> None:
    results, _ = said(tmp_path / "c", Loses(capacity(1e9)))
    assert (tmp_path / "c/journal.jsonl").read_text().count('"right_host"') == 2
    for text in (results_text(results), (tmp_path / "c/results.schema.json").read_text()):
        assert '"lost_among"' not in text


def test_resuming_says_the_same(tmp_path: Path) -> None:
    whole, _ = said(tmp_path / "whole", Loses(capacity(1e9)))
    for die_at in (1, 2):
        try:
            said(tmp_path / f"{die_at}", Loses(capacity(1e9), die_at=die_at))
        except Killed:
            resumed, _ = said(tmp_path / f"{die_at}", Loses(capacity(1e9)))
            assert lost(resumed) == lost(whole)
        else:
            raise AssertionError("it was to die")


class OnlyAtFirst(Loses):
    """Whose neighbours are resolved then."""

    def lost(self, number: int, of: int) -> bool:
        return of < 1000 and number < 5


def test_what_only_a_cold_device_loses_is_not_said(tmp_path: Path) -> None:
    results, screen = said(tmp_path / "c", OnlyAtFirst(capacity(1e9)))
    assert len(results.first_look_trials) == 2
    assert lost(results) == []
    assert "The first frames:" not in screen
    shown = page(results, tmp_path / "c")
    assert "with traffic class 0xb8: none came back wrong, but 5 of 2,080 were lost." in shown


class LosesAll(Loses):
    def lost(self, number: int, of: int) -> bool:
        return True


def test_where_all_is_lost_more_frames_show_no_more(tmp_path: Path) -> None:
    results, screen = said(tmp_path / "c", LosesAll(capacity(1e9)))
    assert len(results.first_look_trials) == 1
    assert "The first frames: forward foreground: all 40 frames lost: all reverse frames came, so it is" in screen
    (found,) = lost(results)
    assert found.count == 40


class ByMovedGateway(LosesAll):
    def more(self, request: TrialRequest) -> dict[str, Any]:
        if request.purpose != FIRST_LOOK:
            return {}
        moved = {"side": "left", "family": "ipv6", "gateway": "2001:2::1", "given": True}
        moved |= {"sent_to": "02:00:00:00:00:01", "answers_from": "02:00:00:00:00:02"}
        return {"moved_gateways": [moved]}


def test_a_gateway_s_mac_that_is_wrong_is_named(tmp_path: Path) -> None:
    results, screen = said(tmp_path / "c", ByMovedGateway(capacity(1e9)))
    assert "all 40 frames lost; see gateway_mac below" in screen
    assert "which is tester.left.gateway_mac of the bench file, but 2001:2::1 answers" in screen
    assert "answers Neighbor Discovery from 02:00:00:00:00:02" in page(results, tmp_path / "c")


class Stalled(Loses):
    """The Tester was held up, and all lost frames left right behind that."""

    def trial(self, run: Run, request: TrialRequest, frame_tag: int) -> TrialAnswer:
        document = super().trial(run, request, frame_tag).dump()
        if request.purpose == FIRST_LOOK:
            missing = document["forward"]["foreground"]["lost"]
            document["forward"]["departure"] = {"lost_after_stall": missing}
        return TrialAnswer.model_validate(document)


def test_what_the_tester_may_have_cost_is_not_the_device_s(tmp_path: Path) -> None:
    results, _ = said(tmp_path / "c", Stalled(capacity(1e9)))
    assert lost(results) == []


class Unreachable(LosesAll):
    def more(self, request: TrialRequest) -> dict[str, Any]:
        error = {"version": 6, "type": 1, "code": 0, "count": 40, "from": "2001:2:0:7fff::1"}
        return {"left": {"received": 40, "icmp_errors": [error]}} if request.purpose == FIRST_LOOK else {}


def test_errors_that_say_why_stand_below(tmp_path: Path) -> None:
    results, screen = said(tmp_path / "c", Unreachable(capacity(1e9)))
    (found,) = lost(results)
    assert found.meaning.startswith("all 40 frames lost; the ICMP errors below say why")
    assert "The first frames: ICMPv6 1/0 from 2001:2:0:7fff::1: " in screen.partition("say why")[2]
    assert "ICMPv6 1/0 from 2001:2:0:7fff::1" in page(results, tmp_path / "c")


class Tagged(SimulatedTester):
    """Each frame forward comes with a VLAN tag, in the first look and in the measures."""

    def trial(self, run: Run, request: TrialRequest, frame_tag: int) -> TrialAnswer:
        document = self.written(run, request, frame_tag)
        counters = document["forward"]["foreground"]
        counters |= {"lost": counters["sent"], "expected": 0}
        document["right"] = {"received": counters["sent"], "foreign": counters["sent"]}
        return TrialAnswer.model_validate(document)


def test_what_came_as_something_else_is_told_once_and_never_lost(tmp_path: Path) -> None:
    results, screen = said(tmp_path / "c", Tagged(capacity(1e9)))
    assert [one.reason for one in results.first_look_findings] == ["unrecognised"]
    assert [one.reason for one in results.findings] == ["unrecognised"], "and no strangers"
    assert screen.count("did not come back as themselves") == 1
    shown = page(results, tmp_path / "c")
    assert "No frame came back wrong" not in shown
    assert (
        "About 1,000 came back so wrong that they aren&#x27;t known as the Tester&#x27;s, and count as lost." in shown
    )
    assert "frames of somebody else" not in shown
    assert "show what those of the measures don" not in shown
