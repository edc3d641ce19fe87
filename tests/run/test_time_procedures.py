"""The time-related benchmarks in a campaign: order, handover, results, histograms, resuming."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.simulated_campaign import campaign
from tests.simulated_dut import Killed
from tests.simulated_frames import MS, FramesTester
from xlatperf.commands.report import write_report
from xlatperf.engine.message import DirectionName
from xlatperf.procedures.trial_request import WITHOUT_LOAD, TrialRequest
from xlatperf.report.histogram import read
from xlatperf.report.series import performance
from xlatperf.report.sweep import sweep
from xlatperf.results.file import failed, read_results
from xlatperf.results.results import Measurement, Results
from xlatperf.results.value_records import ValueSeries

COMMON = "frame_sizes = [84]\nduration_s = 0.5\nsettle_s = 0\n"
BENCH = f"""
technology.name = "siit"
device.driver = "tayga"
[[measure]]
procedure = "latency"
shares = [0.5, 1.0]
tags = 500
repetitions = 2
tester_alone_s = 0.1
{COMMON}
[[measure]]
procedure = "pdv"
rate_fps = 600
repetitions = 2
histogram = false
tester_alone_s = 0
{COMMON}
[[measure]]
procedure = "ipdv"
repetitions = 1
{COMMON}
[[measure]]
procedure = "reset"
event_at_s = 0.1
repetitions = 2
{COMMON}
[[measure]]
procedure = "system_recovery"
maximum_fps = 4000
reduced_s = 0.5
repetitions = 2
{COMMON}
[[measure]]
procedure = "back_to_back"
maximum_fps = 4000
step_percent = 20
maximum_repeats = 0
repetitions = 2
{COMMON}
[[measure]]
procedure = "throughput"
maximum_fps = 4000
stop_width_percent = 10
repetitions = 1
frame_timeout_ms = 4
{COMMON}
[[measure]]
procedure = "frame_loss"
maximum_fps = 4000
rates_fps = [4000, 1800, 1000, 500]
frame_timeout_ms = 4
{COMMON}
"""


def fate(request: TrialRequest, name: DirectionName, number: int, due_s: float) -> float | None:
    """Capacity 2000 fps behind a buffer of 20 frames; 10 ms above 1000 fps, 1 ms below; down for 0.2 s when reset."""
    if request.event is not None and 0.15 - 1e-9 <= due_s < 0.35 - 1e-9:
        return None
    if request.then and due_s >= request.duration_s:  # at the reduced rate
        return None if due_s < request.duration_s + 0.1 and number % 2 else MS
    if number * (1 - 2000 / request.rate_fps) > 20:
        return None
    return 10 * MS if request.rate_fps > 1000 else MS + number


def start(path: Path, tester: FramesTester, sessions: int = 0, text: str = BENCH) -> Results:
    return campaign(path, tester, text, sessions=sessions)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Results, FramesTester]:
    path = tmp_path_factory.mktemp("campaign") / "whole"
    tester = FramesTester(fate)
    return path, start(path, tester), tester


Whole = tuple[Path, Results, FramesTester]


def of(results: Results, procedure: str) -> list[Measurement]:
    return [one for one in results.measurements if one.procedure == procedure]


def values(measurement: Measurement, name: str, direction: DirectionName | None = "forward") -> ValueSeries:
    (found,) = [one for one in measurement.values if (one.quantity, one.direction) == (name, direction)]
    return found


def test_throughput_comes_first_and_is_handed_over(whole: Whole) -> None:
    """R8219-7.2-1: the rate is the throughput found for the same frames, whatever the order in the file."""
    _, results, tester = whole
    assert results.complete
    assert not failed(results)
    assert next(request.purpose for request in tester.requests if request.purpose not in WITHOUT_LOAD) == "search"
    throughput = performance(of(results, "throughput")[0])
    assert throughput is not None
    found = throughput.median
    assert 1800 <= found <= 2100
    half, full = of(results, "latency")
    assert (half.measure, full.measure) == ("latency at 50 % of the throughput", "latency at 100 % of the throughput")
    assert (half.rate_fps, full.rate_fps) == (int(found / 2), found)
    assert (half.throughput_fps, half.share) == (found, 0.5)
    assert of(results, "pdv")[0].rate_fps == 600
    assert of(results, "reset")[0].rate_fps == found


def test_latency_in_the_results(whole: Whole) -> None:
    _, results, _ = whole
    half, full = of(results, "latency")
    typical = values(full, "TL")
    assert (typical.unit, typical.role, typical.headline, typical.standard) == (
        "ns",
        "result",
        "median",
        "RFC 8219 §7.2",
    )
    assert [one.value for one in typical.values] == [10 * MS, 10 * MS]
    assert typical.summary is not None
    assert (typical.summary.n, typical.summary.median, typical.mean) == (2, 10 * MS, 10 * MS)
    assert values(half, "WCL").summary is not None
    assert full.definition is not None
    assert "RFC 1242 §3.8" in full.definition
    assert full.parameters["tags"] == 500
    assert any("maximum (RFC 2330 §11.3)" in remark for remark in half.remarks)
    sections = {(one.section, one.here) for one in results.deviations}
    assert ("RFC 8219 §7.2", "latency: trials of 0.5 s") in sections
    assert ("RFC 8219 §7.2", "latency: 2 repetitions") in sections


def test_the_tester_alone_stands_beside(whole: Whole) -> None:
    """Its trials are not the DUT's."""
    _, results, _ = whole
    full = of(results, "latency")[1]
    assert full.tester_alone is not None
    forward = full.tester_alone.delays[0]
    assert (forward.tl_ns, forward.wcl_ns, forward.pdv_ns) == (700, 700, 0)
    assert full.tester_alone.rate_fps == full.rate_fps
    assert {trial.number for trial in results.tester_trials} == {
        one.tester_alone.trial for one in results.measurements if one.tester_alone is not None
    }
    assert not any(trial.request.tester_alone for trial in results.trials)
    assert of(results, "pdv")[0].tester_alone is None


def test_histograms_are_files_of_their_own(whole: Whole) -> None:
    """Of one repetition, and of the Tester alone at the same rate."""
    path, results, tester = whole
    full = of(results, "latency")[1]
    assert [one.tester_alone for one in full.histograms] == [False, True]
    dut, alone = (read(path / one.file, "forward") for one in full.histograms)
    assert dut is not None
    assert alone is not None
    assert dut.percentile(50) == pytest.approx(10 * MS, rel=0.001)
    assert alone.percentile(50) == 700
    assert "sub_bucket_bits" not in (path / "journal.jsonl").read_text()
    assert "sub_bucket_bits" not in (path / "results.json").read_text()
    latencies = [request for request in tester.requests if request.purpose == "latency"]
    assert [request.histograms for request in latencies] == [True, False, True, False]
    assert of(results, "pdv")[0].histograms == ()


def test_recovery_reset_and_back_to_back_in_the_results(whole: Whole) -> None:
    _, results, _ = whole
    (reset,) = of(results, "reset")
    assert values(reset, "reset time by frame loss").mean == pytest.approx(0.2, abs=0.002)
    assert values(reset, "reset time by frame loss").headline == "mean"
    assert [trial.event.kind for trial in results.trials if trial.event is not None] == ["restart"] * 2
    (recovery,) = of(results, "system_recovery")
    assert values(recovery, "recovery time").mean == pytest.approx(0.1, abs=0.01)
    assert recovery.parameters["overload_percent"] == 110
    (burst,) = of(results, "back_to_back")
    assert burst.rate_fps == 4000
    average = values(burst, "back-to-back frames", None).mean
    assert average is not None
    assert values(burst, "back-to-back frames", None).standard_deviation == 0
    assert burst.throughput_fps is not None
    implied, corrected = burst.derived
    assert implied.value == pytest.approx(average / 4000)
    assert corrected.value == pytest.approx(average / 4000 * (1 - burst.throughput_fps / 4000))
    assert "loss verification" in str(burst.parameters["search"])
    (ipdv,) = of(results, "ipdv")
    assert values(ipdv, "IPDV maximum").summary is not None


def test_frame_timeouts_stand_beside_the_classic_results(whole: Whole) -> None:
    """Criticism 1 of standards.md §7: a DUT that delays all frames passes without a timeout."""
    _, results, _ = whole
    classic, timed = of(results, "throughput")
    assert (classic.frame_timeout_ms, timed.frame_timeout_ms) == (None, 4)
    assert timed.measure == "throughput with frame timeout 4 ms"
    slow, fast = performance(timed), performance(classic)
    assert slow is not None
    assert fast is not None
    assert slow.median <= 1000 < fast.median
    losses, late = of(results, "frame_loss")
    assert losses.frame_timeout_ms is None
    assert late.measure == "frame loss with frame timeout 4 ms"
    assert [point.loss_percent["forward"] for point in sweep(losses)][1:] == [0, 0, 0]
    assert [point.loss_percent["forward"] for point in sweep(late)][1:] == [100, 0, 0]
    assert [point.trial for point in sweep(losses)] == [point.trial for point in sweep(late)]


def test_the_report_is_written(whole: Whole) -> None:
    path, results, _ = whole
    assert write_report(results, path)
    assert read_results((path / "results.json").read_text()) == results


def test_killed_anywhere(tmp_path: Path, whole: Whole) -> None:
    """The same bytes whether it was killed or not; no trial is measured twice; histograms are there.

    Killed before the first trial of each kind and, of the first kind, in the middle of it.
    """
    path, _, tester = whole
    wanted = (path / "results.json").read_bytes()
    histograms = sorted((file.name, file.read_bytes()) for file in (path / "histograms").iterdir())
    trials = len(tester.requests)
    purposes = [request.purpose for request in tester.requests]
    for die_at in sorted({1, *(purposes.index(purpose) for purpose in set(purposes))}):
        folder = tmp_path / f"killed{die_at}"
        first, second = FramesTester(fate, die_at), FramesTester(fate)
        with pytest.raises(Killed):
            start(folder, first)
        start(folder, second, 1)
        assert len(first.requests) + len(second.requests) == trials
        assert (folder / "results.json").read_bytes() == wanted
        assert sorted((file.name, file.read_bytes()) for file in (folder / "histograms").iterdir()) == histograms


def test_without_throughput_there_is_no_rate(tmp_path: Path) -> None:
    """A DUT that forwards nothing: one line, not a division by zero."""
    results = start(tmp_path / "c", FramesTester(lambda *_: None))
    assert failed(results)
    latency = of(results, "latency")[0]
    said = "repetition 1: no throughput was found for these frames, so there is no rate to measure at"
    assert latency.failures[0].in_words() == said
    assert latency.rate_fps is None
    assert latency.values == ()
    assert write_report(results, tmp_path / "c")


def test_nothing_to_measure_is_not_a_failure(tmp_path: Path) -> None:
    """R9004-6.1, R2544-26.5: a DUT as fast as the medium has no burst and no overload."""
    text = BENCH[: BENCH.index('[[measure]]\nprocedure = "latency"')] + "".join(
        f'[[measure]]\nprocedure = "{name}"\nmaximum_fps = 4000\nthroughput_fps = 4000\nrepetitions = 2\n{COMMON}'
        for name in ("back_to_back", "system_recovery")
    )
    results = start(tmp_path / "c", FramesTester(fate), text=text)
    assert results.complete
    assert not failed(results)
    assert [one.no_result is not None for one in results.measurements] == [True, True]
    assert results.trials == ()
