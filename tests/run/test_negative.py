"""R7597-8.1: what the DUT let through stands in the results, and in the report beside the rate."""

from __future__ import annotations

import json
from html import unescape
from pathlib import Path

import pytest
from rich.console import Console

from tests.simulated_campaign import campaign
from tests.simulated_dut import Killed, SimulatedTester
from xlatperf.procedures.trial_request import TrialRequest
from xlatperf.report import html
from xlatperf.report.comparison import campaigns_section
from xlatperf.report.comparison.campaign import campaigns
from xlatperf.report.comparison.campaigns_section import not_the_same
from xlatperf.report.evidence import Evidence
from xlatperf.results.file import read_results
from xlatperf.results.results import Results

BENCH = """
technology.name = "map-e"
traffic.mix = [[1, 2]]
[[measure]]
procedure = "throughput"
frame_sizes = [104]
maximum_fps = 10000
repetitions = 1
duration_s = 1
"""
TESTS = ["source_port", "source_port_0", "source_address", "ea_bits", "interface_identifier", "border_relay"]


def strict(request: TrialRequest, _: str) -> int:
    return request.fence if request.alter else request.frames


def lenient(request: TrialRequest, name: str) -> int:
    """Looks neither at source ports nor at who the border relay is."""
    passes = any(change.field in ("source_port", "outer_destination") for change in request.alter)
    return request.frames if passes else strict(request, name)


def lost(request: TrialRequest, _: str) -> int:
    return 0 if request.purpose == "negative" else round(request.rate_fps * request.duration_s)


def start(
    path: Path, tester: SimulatedTester, sessions: int = 0, text: str = BENCH, say: Console | None = None
) -> Results:
    return campaign(path, tester, text, sessions=sessions, say=say)


def test_first_of_all(tmp_path: Path) -> None:
    """One trial of right frames for each direction, and one for each test; nothing of it is a finding or a rate."""
    results = start(tmp_path / "c", SimulatedTester(lenient))
    assert [one.test.name for one in results.negative_tests] == [*TESTS, "destination_port_0"]
    assert [one.passed for one in results.negative_tests] == [10, 10, 0, 0, 0, 10, 0]
    assert [one.dropped for one in results.negative_tests] == [0, 0, 10, 10, 10, 0, 10]
    violated = [one.test.name for one in results.negative_tests if one.violated]
    assert violated == ["source_port", "source_port_0"], "of the border relay's address no section says MUST"
    assert [trial.number for trial in results.negative_trials] == list(range(2, 11)), (
        "after what is learnt, and the first look"
    )
    assert results.trials[0].number == 11
    assert [bool(trial.request.alter) for trial in results.negative_trials] == [False, *[True] * 6, False, True]
    assert {trial.run for trial in results.negative_trials} == {
        "1-throughput/mix=1of1/size=104/bidirectional/negative-tests"
    }
    assert results.findings == ()
    assert read_results((tmp_path / "c" / "results.json").read_text()) == results
    schema = json.loads((tmp_path / "c" / "results.schema.json").read_text())
    assert {"negative_tests", "negative_trials"} <= set(schema["properties"])


@pytest.mark.parametrize("die_at", [0, 1, 4, 8, 9])
def test_killed_and_resumed(tmp_path: Path, die_at: int) -> None:
    start(tmp_path / "whole", SimulatedTester(lenient))
    with pytest.raises(Killed):
        start(tmp_path / "c", SimulatedTester(lenient, die_at))
    start(tmp_path / "c", SimulatedTester(lenient), sessions=1)
    whole, again = ((tmp_path / name / "results.json").read_bytes() for name in ("whole", "c"))
    assert whole == again


def test_in_the_report(tmp_path: Path) -> None:
    results = start(tmp_path / "c", SimulatedTester(lenient))
    page = html.page(Evidence.read(results, tmp_path / "c"))
    assert page.index("What the device must refuse") < page.index("What was wrong with which frames")
    assert (
        "forwarded frames that it must not</strong>, 3 of 7 kinds: from a port of another CE (RFC 7597 §8.1, MUST);"
        in page
    )
    assert (
        "with another IPv6 address than the border relay's (RFC 7597 §8.1). A device that checks less"
        in page.replace("&#x27;", "'").replace("&#39;", "'")
    )
    assert "of 7 refused" in page
    good = start(tmp_path / "good", SimulatedTester(strict))
    page = html.page(Evidence.read(good, tmp_path / "good"))
    assert "refused all 7 kinds of frames that it must not forward." in page


def test_nothing_is_known(tmp_path: Path) -> None:
    """R8219-7.1: a DUT that doesn't forward right frames may have refused the others for another reason."""
    results = start(tmp_path / "c", SimulatedTester(lost))
    assert {one.untried for one in results.negative_tests} == {
        "right frames, which go first, did not all come as they must: 20 of 20 frames lost"
    }
    page = html.page(Evidence.read(results, tmp_path / "c"))
    assert "not tried" in page
    assert "none of it could be tried" in page
    assert "Not all right frames came back as they must before anything was measured: </strong>" in page
    assert "20 of 20 frames lost" in page
    assert "refused all" not in page


def test_something_is_known(tmp_path: Path) -> None:
    """What wasn't tried isn't said to be refused."""
    forward_only = SimulatedTester(
        lambda request, name: lost(request, name) if name == "reverse" else strict(request, name)
    )
    results = start(tmp_path / "c", forward_only)
    page = html.page(Evidence.read(results, tmp_path / "c"))
    assert "refused 6 kinds of frames that it must not forward. 1 kind could not be tried." in page


def test_on_the_screen(tmp_path: Path) -> None:
    console = Console(record=True, width=200, file=(tmp_path / "out").open("w"))
    start(tmp_path / "c", SimulatedTester(lenient), say=console)
    said = console.export_text()
    assert (
        "  frames from a port of another CE (forward, RFC 7597 §8.1, MUST): 10 of 10 came through, and none may."
        in said
    )
    assert "  frames to a port that no CE has (reverse, RFC 7597 §5.1): 10 of 10 dropped." in said
    assert "1000 fps for" not in said


def test_compared(tmp_path: Path) -> None:
    """Rates of devices that don't check the same aren't of the same work; of two kinds that refuse all, they are."""
    siit = BENCH.replace("map-e", "siit")
    duts = {"strict": (strict, BENCH), "other": (strict, siit), "lenient": (lenient, BENCH)}
    found = [
        (tmp_path / name, start(tmp_path / name, SimulatedTester(dut), text=text)) for name, (dut, text) in duts.items()
    ]
    together = campaigns(found)
    assert "Wrong frames refused" in not_the_same(together)
    page = unescape(campaigns_section.section(together).body)
    assert "4 of 7 kinds; not refused: frames from a port of another CE" in page
    assert "Wrong frames refused" not in not_the_same(campaigns(found[:2]))


def test_other_technologies_have_none(tmp_path: Path) -> None:
    native = BENCH.replace('technology.name = "map-e"', 'technology = { name = "native", family = "ipv6" }')
    results = start(tmp_path / "c", SimulatedTester(strict), text=native)
    assert (results.negative_tests, results.negative_trials) == ((), ())
    assert "must refuse" not in html.page(Evidence.read(results, tmp_path / "c"))
