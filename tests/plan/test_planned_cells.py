"""What a plan says of a campaign holds for it: simulated devices ask for as many trials as it says."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from tests.simulated_campaign import campaign
from tests.simulated_connections import StatefulTester
from tests.simulated_dut import SimulatedTester, capacity
from xlatperf.config.load import load_bench, parse_bench
from xlatperf.plan.cells import PlannedCell, planned_cells
from xlatperf.results.results import Results

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
SHORT = "frame_sizes = [84]\nrepetitions = 2\nduration_s = 1"
BENCH = f"""
technology.name = "siit"
device.driver = "tayga"
traffic.mix = [[1, 1], [1, 2]]
[[measure]]
procedure = "throughput"
maximum_fps = 100000
{SHORT}
[[measure]]
procedure = "frame_loss"
maximum_fps = 100000
{SHORT}
[[measure]]
procedure = "latency"
shares = [0.5, 1.0]
{SHORT}
[[measure]]
procedure = "pdv"
tester_alone_s = 0
{SHORT}
[[measure]]
procedure = "ipdv"
{SHORT}
[[measure]]
procedure = "back_to_back"
maximum_fps = 100000
{SHORT}
[[measure]]
procedure = "system_recovery"
maximum_fps = 100000
{SHORT}
[[measure]]
procedure = "soak"
interval_s = 1
{SHORT}
[[measure]]
procedure = "reset"
rate_fps = 1000
event_at_s = 0.5
{SHORT}
"""
STATEFUL = """
technology.name = "nat44"
device.driver = "nft-nat44"
[[measure]]
procedure = "throughput"
connections = [10000, 20000]
duration_s = 1
maximum_fps = 100000
frame_sizes = [64]
[[measure]]
procedure = "capacity"
safe_connections = 10000
maximum_connections = 1000000
minimum_phase_1_s = 0.2
repetitions = 1
maximum_fps = 40000
frame_sizes = [64]
[[measure]]
procedure = "teardown"
connections = [10000, 20000]
repetitions = 1
frame_sizes = [64]
[[measure]]
procedure = "establishment"
connections = [10000, 20000]
maximum_fps = 100000
repetitions = 1
frame_sizes = [64]
"""


@cache
def planned(text: str, least_fps: float = 0.0) -> list[PlannedCell]:
    return planned_cells(parse_bench(text, "bench.toml"), SimulatedTester(capacity(1e9)), least_fps)


def trials(results: Results) -> list[list[int]]:
    """Of each repetition of each cell; what is read twice counts once."""
    found = {tuple(rep.run for rep in one.repetitions): one for one in results.measurements}
    return [[len(rep.trials) for rep in one.repetitions] for one in found.values()]


def ends(cells: Sequence[PlannedCell]) -> list[tuple[int, int]]:
    return [(min(one.trials for one in cell.each), max(one.trials for one in cell.each)) for cell in cells]


@pytest.mark.parametrize("fps", [120.0, 3_000.0, 47_000.0, 99_000.0, 1e9])
def test_a_campaign_has_as_many_trials(tmp_path: Path, fps: float) -> None:
    """RFC 2544 §26.1, §26.3, RFC 9004: each repetition of each cell, whatever the device can do."""
    found = trials(campaign(tmp_path / "c", SimulatedTester(capacity(fps)), BENCH))
    cells = planned(BENCH)
    assert len(found) == len(cells)
    for cell, each, (least, most) in zip(cells, found, ends(cells), strict=True):
        assert all(least <= count <= most for count in each), cell.cell.key


def test_the_first_device_passes_everything(tmp_path: Path) -> None:
    """The least is what a device without any limit asks for."""
    found = trials(campaign(tmp_path / "c", SimulatedTester(capacity(1e9)), BENCH))
    assert [[cell.each[0].trials] * 2 for cell in planned(BENCH)] == found


@pytest.mark.parametrize(
    "dut", [{}, {"table": 70_000}, {"establish_fps": 150.0, "validate_fps": 150.0}, {"table": 10_500}]
)
def test_a_campaign_with_connections(tmp_path: Path, dut: dict[str, Any]) -> None:
    """R9693-4.5, R9693-4.9."""
    results = campaign(tmp_path / "c", StatefulTester(**dut), STATEFUL)
    cells = planned(STATEFUL)
    known = {cell.cell.key: end for cell, end in zip(cells, ends(cells), strict=True)}
    for measurement in results.measurements:
        for repetition in measurement.repetitions:
            least, most = known[repetition.run.rsplit("/", 1)[0]]
            assert least <= len(repetition.trials) <= most, repetition.run


def test_what_comes_once() -> None:
    """The Tester alone, of measures of delays; whether connections are kept, before the first phase 2."""
    once = {cell.cell.name: cell.once[0].trials for cell in planned(BENCH) if cell.cell.mix == (1, 1)}
    assert once["latency at 50 % of the throughput"] == once["ipdv"] == 1
    assert once["pdv"] == once["throughput"] == 0
    assert [cell.once[0].trials for cell in planned(STATEFUL)] == [0, 0, 0, 0, 0, 1, 0]


def test_all_repetitions() -> None:
    """They ask for the same; what comes once comes once."""
    cell = next(cell for cell in planned(BENCH) if cell.cell.measure.procedure == "ipdv")
    assert (cell.repetitions, cell.each[0].trials, cell.all_of_it[0].trials) == (2, 1, 3)
    each_s, alone_s = 2 + 1 + 2 + 5, 1 + 2
    assert (cell.each[0].seconds, cell.all_of_it[0].seconds) == (each_s, 2 * each_s + alone_s)


def test_no_slower_device_is_thought_of() -> None:
    """The time of an experiment is that of its connections at the device's rate."""

    def longest_s(least_fps: float) -> float:
        cells = planned(STATEFUL, least_fps)
        return max(one.seconds for one in cells[1].each)

    assert longest_s(0.0) > 10 * longest_s(10_000.0)


def test_a_table_that_the_bench_file_sets_bounds_the_search() -> None:
    """R9693-4.9: as many connections as it has entries, and at most twice as many are tried."""
    text = (
        STATEFUL.split("[[measure]]", maxsplit=1)[0]
        + """
[[measure]]
procedure = "capacity"
columns = [{ table_size = 20480 }, { table_size = 163840 }]
maximum_fps = 40000
frame_sizes = [64]
"""
    )
    most = [max(one.connections for one in cell.each) for cell in planned(text)]
    assert 20_480 < most[0] <= 2 * 20_480
    assert 163_840 < most[1] <= 2 * 163_840


@pytest.mark.parametrize(
    "name", ["nft-nat66", "reference-map-t-ce", "manual-lw4o6-100g", "tayga-nat64", "464xlat-clat"]
)
def test_examples(name: str) -> None:
    """Every cell is asked for by some device."""
    cells = planned_cells(load_bench(EXAMPLES / f"{name}.toml"), SimulatedTester(capacity(1e9)))
    assert cells
    assert all(max(one.trials for one in cell.each) > 0 for cell in cells)
