"""report.html and summary.csv of latency, delay variation, back-to-back, recovery, reset and frame timeouts."""

from __future__ import annotations

import csv
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.report import changed, frames_campaign, times_campaign
from tests.report.test_html import HOSTILE, Page, written
from xlatperf.engine.trial_answer import InvalidReason
from xlatperf.procedures.own_delays import HELD_UP, WAITED
from xlatperf.procedures.quantity import NoResult
from xlatperf.report import summary_csv
from xlatperf.report.evidence import Evidence
from xlatperf.report.histogram import Delays
from xlatperf.report.own_delays import own_delays
from xlatperf.report.plots.distribution import thinned
from xlatperf.report.scale import best, micro_or_milli, milli
from xlatperf.results.results import Measurement, Results


def of(*measurements: Measurement) -> Results:
    """These alone, with the campaign's trials."""
    return times_campaign.results().model_copy(update={"measurements": measurements})


def plots(page: Page) -> list[str]:
    return [
        name
        for tag, attributes in page.tags
        if tag == "div" and (name := attributes.get("id") or "").startswith("plot-")
    ]


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Page:
    """Of the whole campaign."""
    return written(times_campaign.results(), times_campaign.with_histograms(tmp_path_factory.mktemp("times")))


def test_latency(page: Page) -> None:
    """R8219-7.2-5, R8219-7.2-6, R8219-5.1-1: RFC 8219 §7.2: medians of TL and WCL, percentiles, N, rate, media,
    losses, definition.
    """
    # left, right, direction, rate, share, media, N, TL, WCL, Tester alone, tagged frames, lost of all
    row = (
        "84 64 forward → 1,000 ≤ 100 10,000 3 12,000.0 11,000.0 13,000.0 17,000.0 16,000.0 18,000.0 0.7 0.7 "
        "1,500 1,499 1 (0.07 %) 1 (0.03 %)"
    )
    assert row in page.visible
    assert "typical 12.0 ms , worst-case 17.0 ms left to right; typical 13.2 ms , worst-case 18.7 ms" in page.visible
    assert "RFC 1242 §3.8 defines latency" in page.visible
    assert "Streams of 1 s; 500 frames per direction are tagged, after 0.5 s." in page.visible
    assert "2 of 3,000 tagged frames lost; the Tester alone takes 700 ns and 700 ns" in page.visible


def test_exact_values_are_under_the_pointer(page: Page) -> None:
    assert "12000000.0 ns" in {attributes.get("title") for tag, attributes in page.tags if tag == "span"}


def test_pdv(page: Page) -> None:
    """R8219-7.3.1-3, R8219-7.3.1-1: RFC 8219 §7.3.1: median, P1 and P99 in ms; D99.9 is the slowest of 999 frames,
    not of 1,000 (RFC 2330 §11.3).
    """
    row = "84 64 forward → 1,000 ≤ 100 3 3.0000 1.0000 7.0000 0.0164 0 10.0000 13.0000 3.0000 2,999 1 (0.03 %)"
    assert row in page.visible


def test_ipdv(page: Page) -> None:
    """RFC 8219 §7.3.2: minimum, median, maximum; RFC 5481: with sign, and a lost frame takes two pairs with it."""
    row = "−5.0000 −5.0000 to −5.0000 0 0 to 0 5.0000 5.0000 to 5.0000 0 0 0 2,006.0 2,995 1 (0.03 %)"  # noqa: RUF001
    assert row in page.visible
    assert "from −5.00 ms to 5.00 ms , median 0, left to right" in page.visible  # noqa: RUF001


def test_back_to_back(page: Page) -> None:
    """R9004-6: RFC 9004 §7: average, minimum, maximum, standard deviation, corrected buffer time; why not.

    §6.4: 30 frames at 4,000 frames/s are 7.5 ms, less a quarter that is forwarded meanwhile.
    """
    assert "84 64 both ⇄ 4,000 ≥ 1,000 3 30 29 31 1 7.5000 ≤ 5.6250 1" in page.visible
    assert "not applicable (RFC 9004 §6.1): the throughput of 1000 fps reaches" in page.visible
    assert "step size 1 % of the upper bound" in page.visible
    assert "corrected buffer time at most 5.62" in page.visible


def test_back_to_back_that_the_tester_limits(tmp_path: Path) -> None:
    """Of one search the burst is a lower bound: so are average and buffer times."""
    item = times_campaign.measured("back_to_back")
    first = item.repetitions[0].model_copy(update={"limited_by": "tester"})
    derived = tuple(replace(one, bound=">=") for one in item.derived)
    item = item.model_copy(update={"repetitions": (first, *item.repetitions[1:]), "derived": derived})
    page = written(of(item), tmp_path)
    assert "bursts of at least 30 frames" in page.visible
    assert "limited by the Tester); corrected buffer time at least" in page.visible
    assert "≥ 1,000 3 ≥ 30 ≥ 29 ≥ 31 1 ≥ 7.5000 ≥ 5.6250" in page.visible
    assert "≥ 30" in page.visible


def test_recovery(page: Page) -> None:
    """RFC 2544 §26.5: 5 and 10 frames at 550 frames/s, average; rates, and all that was lost."""
    assert "84 64 forward → ≥ 1,000 1,100 550 2 13.6364 9.0909 18.1818 6.4282 1,744 (63.42 %)" in page.visible


def test_reset(page: Page) -> None:
    """RFC 6201 §1.4: average reset time in ms by both methods, loss in frames."""
    by_loss, by_time_stamps = "250.500 200.000 301.000 71.418", "251.000 201.000 301.000 70.711"
    assert f"84 64 forward → 1,000 ≤ 100 0.672 2 {by_loss} {by_time_stamps} 250.5 250.000" in page.visible
    assert "no forwarding for 250 ms left to right; 250 ms right to left by frame loss" in page.visible


def test_a_repetition_without_a_value_says_why(tmp_path: Path) -> None:
    item = times_campaign.measured("reset")
    lacking = {"value": None, "remark": "no frame came back"}
    values = tuple(
        one.model_copy(update={"values": (one.values[0], one.values[1].model_copy(update=lacking))})
        for one in item.values
    )
    page = written(of(item.model_copy(update={"values": values})), tmp_path)
    assert (
        "84/64 bytes, both ⇄, no more than 100 % of the throughput : no frame came back (repetition 2)" in page.visible
    )


def test_all_together(page: Page) -> None:
    sections = [attributes["id"] for tag, attributes in page.tags if tag == "section"]
    assert sections[2:8] == ["latency", "pdv", "ipdv", "back-to-back", "system-recovery", "reset"]
    assert page.loads == []


def test_distribution(page: Page) -> None:
    """RFC 8219 §12: a cumulative distribution, of the DUT and of the Tester, on one axis."""
    assert [name for name in plots(page) if "latency" in name] == ["plot-latency-0"]
    assert "forward →, Tester alone: 100;" in page.visible


def test_without_histogram_files_there_is_no_distribution(tmp_path: Path) -> None:
    assert not [name for name in plots(written(times_campaign.results(), tmp_path)) if "latency" in name]


@pytest.mark.parametrize("number", range(7))
@pytest.mark.parametrize("kind", ["failed", "nothing yet", "no result"])
def test_without_values(tmp_path: Path, number: int, kind: str) -> None:
    """Every section takes measurements without a result and says why."""
    said_by: dict[str, dict[str, Any]] = {
        "failed": {"failures": (changed.failure("the Tester could not do it"),)},
        "nothing yet": {"complete": False},
        "no result": {"no_result": NoResult("not measurable", "there is no overload")},
    }
    changes = said_by[kind]
    empty: dict[str, Any] = {
        "values": (),
        "derived": (),
        "repetitions": (),
        "tester_alone": None,
        "rate_fps": None,
        "parameters": {},
    }
    item = times_campaign.everything()[number].model_copy(update={"no_result": None, **empty, **changes})
    page = written(of(item), tmp_path)
    said = {"failed": "could not do it", "nothing yet": "no repetition has ended yet", "no result": "is no overload"}
    assert said[kind] in page.visible


@pytest.mark.parametrize("value", [None, "many", 0, 1e300])
def test_unknown_parameters(tmp_path: Path, value: object) -> None:
    """Results of another version may lack parameters, or have them otherwise."""
    for item in times_campaign.everything():
        found = dict.fromkeys(("duration_s", "tags", "tags_from_s", "event_at_s", "step_percent", "event"), value)
        assert written(of(item.model_copy(update={"parameters": found})), tmp_path).visible


def test_hostile_text(tmp_path: Path) -> None:
    alone = times_campaign.measured("latency").tester_alone
    assert alone is not None
    failed = alone.model_copy(update={"delays": (), "failure": HOSTILE})
    for item in times_campaign.everything():
        changes = {
            "measure": HOSTILE,
            "series": HOSTILE,
            "standard": HOSTILE,
            "definition": HOSTILE,
            "remarks": (HOSTILE,),
            "failures": (changed.failure(HOSTILE),),
            "tester_alone": failed,
        }
        page = written(of(item.model_copy(update=changes)), tmp_path)
        assert not [tag for tag, _ in page.tags if tag == "img"]
        assert page.loads == []


@pytest.mark.parametrize(
    "content",
    [
        "",
        "[]",
        "{",
        "\udcff",
        '{"forward": {"foreground": {"delay": {"histogram": {"counts": 3}}}}}',
        '{"forward": {"foreground": {"delay": {"histogram": {"sub_bucket_bits": 10, "counts": []}}}}}',
        '{"forward": {"foreground": {"delay": {"histogram": {"sub_bucket_bits": 10, "counts": [[5, -1]]}}}}}',
        '{"forward": {"foreground": {"delay": {"histogram": {"sub_bucket_bits": 0, "counts": [[5, 1]]}}}}}',
        '{"forward": {"foreground": {"delay": {"histogram": {"sub_bucket_bits": 10, "counts": [[1e99, 1]]}}}}}',
        "[" * 100_000,
    ],
)
def test_broken_histograms(tmp_path: Path, content: str) -> None:
    folder = times_campaign.with_histograms(tmp_path)
    for file in (folder / "histograms").iterdir():
        file.write_bytes(content.encode("utf-8", "surrogateescape"))
    assert plots(written(of(times_campaign.measured("latency")), folder)) == []


def test_histograms_outside_the_folder_are_not_read(tmp_path: Path) -> None:
    folder = times_campaign.with_histograms(tmp_path)
    inside = times_campaign.measured("latency").histograms[0].file
    inner = folder / "campaign"
    inner.mkdir()
    evidence = Evidence.read(of(), inner)
    for file in (f"../{inside}", str(folder / inside), "", "x\0y"):
        assert evidence.delays(file, "forward") is None
    assert Evidence.read(of(), folder).delays(inside, "forward") is not None


def test_thinned_keeps_the_ends() -> None:
    count = np.full(5000, 3, dtype=np.int64)
    seconds, at_most, longer = thinned(Delays(np.linspace(1e3, 1e7, 5000), count))
    assert len(seconds) < 700
    assert (seconds[0], seconds[-1]) == (1e-6, 1e-2)
    assert (at_most[0], at_most[-1], longer[0]) == (0, 1, 1)
    assert longer[-1] == pytest.approx(1 / 5000)
    assert seconds == sorted(seconds)


def test_frame_timeout_stands_beside_the_classic_result(tmp_path: Path) -> None:
    """RFC 2544 §26.1 has none; both results are shown."""
    classic = changed.frames((100_000.0, 100_000.0))
    timed = changed.frames((80_000.0, 80_000.0), frame_timeout_ms=5.0, measure="throughput with frame timeout 5 ms")
    loss = frames_campaign.measured("frame_loss")
    slow = changed.losses(77.0, frame_timeout_ms=5.0, measure="frame loss with frame timeout 5 ms")
    page = written(frames_campaign.results(measurements=(classic, timed, loss, slow)), tmp_path)
    assert "both ⇄ none 2 100,000" in page.visible
    assert "both ⇄ 5 ms 2 80,000" in page.visible
    assert "without loss and with every frame back within 5 ms" in page.visible
    assert "80.0" in page.visible
    assert "42.5000 25.5000 77.0000 77.0000 166" in page.visible
    assert page.visible.count("Rate per direction") == 1


def test_summary_csv(tmp_path: Path) -> None:
    path = summary_csv.write(of(*times_campaign.everything()), tmp_path)
    with path.open(encoding="utf-8", newline="") as file:
        lines = list(csv.DictReader(file))
    names = ("procedure", "role", "quantity", "value_direction", "statistic", "repetition")
    found = {tuple(line[name] for name in names): line for line in lines}
    assert found["latency", "result", "TL", "forward", "median", ""]["value"] == "12000000.0"
    assert found["latency", "result", "TL", "forward", "value", "1"]["unit"] == "ns"
    assert found["latency", "tester alone", "WCL", "reverse", "value", ""]["value"] == "700.0"
    assert found["back_to_back", "result", "back-to-back frames", "", "mean", ""]["value"] == "30.0"
    derived = found["back_to_back", "derived", "corrected buffer time", "", "value", ""]
    assert float(derived["value"]) == pytest.approx(0.005625)
    missing = found["back_to_back", "result", "back-to-back frames", "", "value", ""]
    assert (missing["value"], missing["remark"][:14]) == ("", "not applicable")


def test_units() -> None:
    assert [best(value) for value in (None, 0, 12, -12, 61_056, 4_030_000, 1.7e9)] == [
        "–",  # noqa: RUF001
        "0",
        "12 ns",
        "−12 ns",  # noqa: RUF001
        "61.1\xa0µs",
        "4.03\xa0ms",
        "1.70\xa0s",
    ]
    assert best(0.0125, "s") == "12.5\xa0ms"
    assert micro_or_milli([1.0]).text(999.0) == "1.00"
    assert micro_or_milli([1e8]).unit == "ms"
    assert milli([1.25e9]).text(1.25, "s") == "1,250.0"
    assert micro_or_milli([]).text(-1.0) == "0.00"


@pytest.mark.parametrize("procedure", ["latency", "pdv", "ipdv"])
def test_what_may_be_the_testers_own(tmp_path: Path, procedure: str) -> None:
    """An engine that was stopped for 8 ms made 12 ms of a constant delay's variation, and nothing said so."""
    item = times_campaign.measured(procedure)
    assert own_delays(item) == []
    values = tuple(
        one.model_copy(
            update={"values": tuple(v.model_copy(update={"value": 8e6, "remark": "so long"}) for v in one.values[:2])}
        )
        if one.quantity in (HELD_UP.name, WAITED.name) and one.direction == "forward"
        else one
        for one in item.values
    )
    page = written(of(item.model_copy(update={"values": values})), tmp_path)
    said = "The Tester itself was held up for as long as 8.00 ms (2 of 3 trials): so much of the longest delays may be"
    assert said in page.visible
    assert (
        "frames waited for 8.00 ms or more in the Tester's own port until the device took them (2 of 3" in page.visible
    )
    assert ("partly the Tester's own" in page.visible) == (procedure != "ipdv"), "which has no card"


def test_resets_that_took_the_link_down(tmp_path: Path) -> None:
    """Values come of them: they aren't "no trial", and not invalid beside a time without forwarding."""
    item = times_campaign.measured("reset")
    numbers = {one.final_trial for one in item.repetitions}
    reasons = (InvalidReason(code="link_down", text="left"), InvalidReason(code="schedule", text="late"))
    trials = tuple(
        one.model_copy(update={"valid": False, "reasons": reasons}) if one.number in numbers else one
        for one in times_campaign.results().trials
    )
    page = written(of(item).model_copy(update={"trials": trials}), tmp_path)
    assert f"All {len(trials)} trials are valid, though in 2 resets the Tester's port went down" in page.visible
    assert "Invalid trials None. Of 2 resets the Tester's port went down with the device's." in page.visible
