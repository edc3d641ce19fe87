"""What one measure hands over to the next: a throughput that is a lower bound stays one."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from rich.console import Console

from tests.report import times_campaign
from tests.simulated_campaign import campaign
from xlatperf.config.load import parse_bench
from xlatperf.procedures.conditions import Conditions, Throughput
from xlatperf.procedures.quantity import LimitedBy, Measured, Search
from xlatperf.procedures.trial import MeasurementFailed
from xlatperf.procedures.trial_request import TrialRequest
from xlatperf.results.frames import SideSizes
from xlatperf.run.cell_result import CellResult
from xlatperf.run.handover import throughput_for
from xlatperf.run.runs import cells

BENCH = parse_bench(
    """
technology.name = "siit"
device.driver = "tayga"
[[measure]]
procedure = "throughput"
repetitions = 3
frame_sizes = [84]
[[measure]]
procedure = "latency"
shares = [0.5]
frame_sizes = [84]
""",
    "bench.toml",
)
THROUGHPUT, LATENCY = sorted(cells(BENCH), key=lambda cell: cell.measure.procedure == "latency")


def handed_over(*searches: tuple[float, LimitedBy]) -> Throughput | None:
    """After searches with these results."""
    conditions = Conditions(TrialRequest(84, "ipv6", 1.0, 1.0), 10_000.0)
    done = CellResult(SideSizes(left=84, right=64), 10_000.0, conditions)
    for number, (fps, limited_by) in enumerate(searches, 1):
        done.repetitions[number] = Measured((), (number,), limited_by=limited_by, search=Search(fps, None))
    return throughput_for(BENCH, LATENCY, {THROUGHPUT.key: done})


@pytest.mark.parametrize(
    ("searches", "more_possible"),
    [
        ([(10.0, "dut"), (20.0, "dut"), (30.0, "dut")], ()),
        ([(10.0, "dut"), (20.0, "dut"), (30.0, "tester")], ()),
        ([(10.0, "tester"), (20.0, "dut"), (30.0, "dut")], ("tester",)),
        ([(20.0, "maximum"), (20.0, "tester"), (20.0, "maximum")], ("maximum", "tester")),
        ([(0.0, "minimum"), (20.0, "dut"), (30.0, "dut")], ()),
    ],
)
def test_the_median_is_a_bound_by_what_is_not_above_it(
    searches: Sequence[tuple[float, LimitedBy]], more_possible: tuple[LimitedBy, ...]
) -> None:
    """A search that the Tester ended may have had any result above."""
    assert handed_over(*searches) == Throughput(20.0, more_possible)


def test_none() -> None:
    with pytest.raises(MeasurementFailed, match="no throughput was found"):
        handed_over()
    with pytest.raises(MeasurementFailed, match="no throughput was found"):
        handed_over((0.0, "minimum"))


def test_in_words() -> None:
    assert Throughput(2000.0).in_words() == "2,000 fps"
    said = Throughput(2000.0, ("maximum", "tester")).in_words()
    assert said == (
        "at least 2,000 fps, the highest rate of the search: the DUT may be faster and limited by the Tester: the DUT "
        "may be faster"
    )


def test_in_results_and_on_the_terminal(tmp_path: Path) -> None:
    """The search's highest rate passed: what is measured at a share of it is at no more than that share."""
    console = Console(record=True, width=200, file=(tmp_path / "out").open("w"))
    bench = times_campaign.BENCH.partition('[[measure]]\nprocedure = "pdv"')[0]
    results = campaign(tmp_path / "campaign", times_campaign.Device(), bench, say=console)
    throughput, latency = results.measurements
    assert throughput.throughput_more_possible == ()
    assert (latency.throughput_fps, latency.throughput_more_possible) == (1000, ("maximum",))
    assert (
        "latency: the throughput that it follows from is at least 1,000 fps, the highest rate" in console.export_text()
    )
