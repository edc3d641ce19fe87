"""A campaign through a stateful DUT: order, handover, timeout check, results, resuming (RFC 9693)."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.simulated_campaign import campaign
from tests.simulated_connections import StatefulTester
from tests.simulated_dut import Killed
from xlatperf.commands.report import write_report
from xlatperf.config.load import parse_bench
from xlatperf.procedures.trial_request import WITHOUT_LOAD
from xlatperf.results.file import failed, read_results
from xlatperf.results.results import Measurement, Results
from xlatperf.run.runs import cells
from xlatperf.run.timeouts import needed_s

COMMON = "frame_sizes = [64]\nsettle_s = 0\n"
PHASE_2 = COMMON + "connections = [10000, 20000]\nduration_s = 1\n"
BENCH = f"""
technology.name = "nat44"
device.driver = "nft-nat44"
[[measure]]
procedure = "latency"
tags = 500
repetitions = 2
tester_alone_s = 0.1
histogram = false
{PHASE_2}
[[measure]]
procedure = "throughput"
maximum_fps = 100000
stop_width_percent = 5
repetitions = 2
{PHASE_2}
[[measure]]
procedure = "capacity"
safe_connections = 10000
maximum_connections = 1000000
minimum_phase_1_s = 0.2
repetitions = 1
tolerated_error = 1000
maximum_fps = 40000
stop_width_percent = 20
{COMMON}
[[measure]]
procedure = "teardown"
connections = [10000]
repetitions = 2
{COMMON}
[[measure]]
procedure = "establishment"
connections = [10000, 20000]
maximum_fps = 100000
stop_width_percent = 5
repetitions = 3
{COMMON}
[[measure]]
procedure = "establishment"
alpha = 0.5
connections = [20000]
maximum_fps = 100000
stop_width_percent = 5
repetitions = 1
{COMMON}
"""


def start(path: Path, tester: StatefulTester, sessions: int = 0, text: str = BENCH) -> Results:
    return campaign(path, tester, text, sessions=sessions)


def dut(die_at: int | None = None) -> StatefulTester:
    return StatefulTester(die_at, table=70_000)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Results, StatefulTester]:
    path = tmp_path_factory.mktemp("campaign") / "whole"
    tester = dut()
    return path, start(path, tester), tester


Whole = tuple[Path, Results, StatefulTester]


def of(results: Results, procedure: str) -> list[Measurement]:
    return [one for one in results.measurements if one.procedure == procedure]


def value(measurement: Measurement, name: str) -> float | None:
    (found,) = [one for one in measurement.values if one.quantity == name]
    return found.summary.median if found.summary is not None else None


def test_order(whole: Whole) -> None:
    """R9693-4.2-2."""
    _, results, tester = whole
    assert results.complete
    assert not failed(results)
    procedures = list(dict.fromkeys(one.procedure for one in results.measurements))
    assert procedures == ["establishment", "teardown", "capacity", "throughput", "latency"]
    assert next(request.purpose for request in tester.asked if request.purpose not in WITHOUT_LOAD) == "establish"
    assert [(one.test.name, one.untried) for one in results.negative_tests] == [("pool", None)]


def test_phase_1_has_half_of_the_establishment_rate(whole: Whole) -> None:
    """R9693-4.2-2: for the same connections; the lower one of several."""
    _, results, _ = whole
    ten, twenty, validated = of(results, "establishment")
    assert ten.measure == "establishment, 10,000 connections"
    assert validated.measure == "validated establishment"
    rate = value(ten, "connection establishment rate")
    assert rate is not None
    assert 28_500 <= rate <= 30_000
    assert ten.repetitions[0].limited_by == "buffers", "10,000 of them take less than a second"
    assert ten.parameters["stop_width_percent"] == 5
    first, second = of(results, "throughput")
    assert first.establish_fps == int(rate / 2)
    lower = value(validated, "validated connection establishment rate")
    other = value(twenty, "connection establishment rate")
    assert lower is not None
    assert other is not None
    assert second.establish_fps == int(min(lower, other) / 2)
    trials = {trial.number: trial for trial in results.trials}
    wanted = trials[first.repetitions[0].trials[0]].request.connections
    assert wanted is not None
    assert (wanted.count, wanted.phase, wanted.establish_fps) == (10_000, "steady", first.establish_fps)


def test_what_must_be_reported(whole: Whole) -> None:
    """R9693-5.1, R9693-4.1-1: numbers of connections and ranges."""
    _, results, _ = whole
    first = of(results, "throughput")[0]
    known = first.connections
    assert known is not None
    assert (known.count, known.client_ports, known.server_ports) == (10_000, (1024, 65535), (1, 1))
    assert (known.clients.first, known.bytes_per_connection) == ("10.0.0.2", 8)
    assert first.device_cpu == {"clat": 0, "plat": pytest.approx(0.75)}
    experiment = next(trial for trial in results.trials if trial.number == first.repetitions[0].trials[0]).experiment
    assert experiment is not None
    assert (experiment.held_before, experiment.held) == (0, 10_000)
    assert experiment.first_phase is not None
    assert experiment.first_phase.connections is not None
    assert experiment.first_phase.connections.learnt == 10_000
    assert experiment.mappings is not None
    assert experiment.mappings.addresses == (("198.19.0.1", 10_000),)
    assert "hosts" not in results.bench["traffic"]["left"]


def test_capacity_and_its_steps(whole: Whole) -> None:
    """R9693-4.9: the table of 70,000 that the procedure does not know."""
    _, results, _ = whole
    (capacity,) = of(results, "capacity")
    found = value(capacity, "connection tracking table capacity")
    assert found is not None
    assert 69_000 <= found <= 70_000
    assert [step.stage for step in capacity.capacity_steps[:2]] == ["initial", "exponential"]
    assert capacity.capacity_steps[0].connections == 10_000
    assert any(not step.passed and step.tests[-1].verdict == "validation" for step in capacity.capacity_steps)
    assert capacity.connections is not None
    assert capacity.connections.count is None


def test_teardown(whole: Whole) -> None:
    _, results, _ = whole
    (teardown,) = of(results, "teardown")
    assert value(teardown, "connection tear-down rate") is not None
    empty = [trial for trial in results.trials if trial.request.purpose == "tear down nothing"]
    assert len(empty) == 6
    assert all(trial.experiment is not None and trial.experiment.cleared_s is not None for trial in empty)


def test_the_timeout_is_checked_once_before_phase_2(whole: Whole) -> None:
    """R9693-4.4-1: for the longest measure."""
    _, results, tester = whole
    (check,) = results.timeout_checks
    assert (check.verdict, check.lost) == ("remembers", 0)
    first = next(number for number, request in enumerate(tester.asked) if request.purpose == "timeout")
    phases = [
        request.connections.phase
        for request in tester.asked[:first]
        if request.connections is not None and request.purpose not in WITHOUT_LOAD
    ]
    assert phases
    assert "steady" not in phases
    longest = max(one.establish_fps is not None and 20_000 / one.establish_fps for one in of(results, "throughput"))
    assert check.waited_s == pytest.approx(longest + 1 + 2, abs=0.01)


def test_a_dut_that_forgets_is_said_to(tmp_path: Path) -> None:
    """Not reported as loss."""
    results = start(tmp_path / "c", StatefulTester(timeout_s=2.5))
    assert failed(results)
    for one in (*of(results, "throughput"), *of(results, "latency")):
        assert all("the DUT forgets connections" in failure.what for failure in one.failures)
        assert one.repetitions == ()
    assert {check.verdict for check in results.timeout_checks} == {"forgets"}
    assert of(results, "establishment")[0].failures == ()


def test_a_shared_mapping_is_an_error(tmp_path: Path) -> None:
    tester = StatefulTester(shared=2)
    results = start(
        tmp_path / "c",
        tester,
        text=BENCH[: BENCH.index('[[measure]]\nprocedure = "latency"')]
        + BENCH[BENCH.index('[[measure]]\nprocedure = "establishment"\nalpha') :],
    )
    (finding,) = [one for one in results.findings if one.reason == "shared_mapping"]
    assert finding.kind == "error"
    assert "connections 17 and 99 share" in finding.meaning


def test_a_collapse_is_in_the_results(tmp_path: Path) -> None:
    """R9693-4.9-2: an outcome of the search for the capacity; the DUT is restarted and the campaign goes on."""
    results = start(tmp_path / "c", StatefulTester(dies_at=100_000))
    (capacity,) = of(results, "capacity")
    found = value(capacity, "connection tracking table capacity")
    assert found is not None
    assert 99_000 <= found < 100_000
    assert [one.reason for one in results.findings] == ["collapsed"]
    assert not failed(results)


def test_cores_are_series(tmp_path: Path) -> None:
    """R9693-5.2."""
    text = BENCH.replace(COMMON, COMMON + "device_cores = [1, 2]\n").replace(
        "connections = [10000, 20000]", "connections = [20000]"
    )
    text = text.replace("connections = [10000]", "connections = [20000]")
    results = start(tmp_path / "c", dut(), text=text)
    assert [one.device_cores for one in of(results, "throughput")] == [1, 2]
    assert of(results, "throughput")[0].measure == "throughput, 1 core"


def test_the_report_is_written(whole: Whole) -> None:
    path, results, _ = whole
    assert write_report(results, path)
    assert read_results((path / "results.json").read_text()) == results


def test_killed_anywhere(tmp_path: Path, whole: Whole) -> None:
    """An experiment is one line of the journal: the same results whether it was killed or not.

    Only how long deleting and counting took can't be the same again, and nobody knows the connections from before.
    """
    path, _, tester = whole
    purposes = [request.purpose for request in tester.asked]
    for die_at in sorted(purposes.index(purpose) for purpose in set(purposes)):
        folder = tmp_path / f"killed{die_at}"
        first, second = dut(die_at), dut()
        with pytest.raises(Killed):
            start(folder, first)
        start(folder, second, 1)
        assert len(first.asked) + len(second.asked) == len(tester.asked)
        assert not set(first.engine.tags) & set(second.engine.tags)
        assert without_deleting(folder) == without_deleting(path)


def test_what_lay_between_the_phases_counts_for_the_timeout() -> None:
    """R9693-4.4-1: phase 1, wait, gap, phase 2. Counting 256 million entries takes its time."""
    bench = parse_bench(BENCH, "b.toml")
    cell = next(one for one in cells(bench) if one.measure.procedure == "throughput")
    assert needed_s(cell, 5000.0, 59.0) == needed_s(cell, 5000.0, 0.0) + 59


def without_deleting(folder: Path) -> str:
    document = json.loads((folder / "results.json").read_text())
    del document["sum"]
    document["measurements"] = [one for one in document["measurements"] if one["procedure"] != "teardown"]
    for trial in (*document["trials"], *document["negative_trials"]):
        for name in ("cleared_s", "old_tried", "gap_s"):
            (trial["experiment"] or {}).pop(name, None)
    return json.dumps(document)


def test_the_frame_between_two_devices_bounds_the_rate(tmp_path: Path) -> None:
    """R8219-5.1-2: the Tester's frames have 64 bytes on both sides; between CLAT and PLAT they have 84."""
    measure = 'procedure = "establishment"\nconnections = [10000]\nmaximum_fps = 100000\nstop_width_percent = 20\n'
    text = f'technology.name = "nat44"\n[[measure]]\n{measure}media_mbps = 10000\nrepetitions = 1\n{COMMON}'
    one = start(tmp_path / "one", dut(), text=text)
    both = start(tmp_path / "both", dut(), text=text.replace("\n", "\ntechnology.double_translation = true\n", 1))
    maxima = [measurement.theoretical_maximum_fps for results in (one, both) for measurement in results.measurements]
    assert [round(maximum or 0) for maximum in maxima] == [14_880_952, 12_019_231]
