"""A bound stays one wherever it goes: tables, CSV, LaTeX, plot, terminal."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from tests.report import connections_campaign, frames_campaign
from tests.report.changed import frames, rates, space
from tests.report.test_html import written
from tests.report.test_scalability import evidence
from xlatperf.procedures.frame_loss import LOSS
from xlatperf.procedures.in_words import in_words
from xlatperf.procedures.lower_bounds import more_possible
from xlatperf.procedures.quantity import Bound, LimitedBy, Measured, Search, Value
from xlatperf.procedures.teardown import RATE as TEARDOWN
from xlatperf.procedures.throughput import RATE
from xlatperf.report import summary_csv
from xlatperf.report.bounds import of_difference_from_one, of_ratio
from xlatperf.report.plots import rate as rate_plot
from xlatperf.report.plots import scale_up
from xlatperf.report.scalability import as_csv, as_latex
from xlatperf.report.scalability.groups import groups
from xlatperf.report.scalability.table import ScalabilityTable
from xlatperf.report.scalability.tables import tables
from xlatperf.report.sections.frame_loss import REPORT as FRAME_LOSS
from xlatperf.report.sweep import highest_clean, sweep
from xlatperf.results.results import Measurement
from xlatperf.results.value_records import RepetitionValue, value_series

EXACT = rates(4_000, (61_000.0, 62_000.0, 63_000.0))
HIGHER = rates(40_000, (70_000.0, 75_000.0, 75_000.0), limited_by="tester")


def limited(item: Measurement, *by: LimitedBy) -> Measurement:
    """What limited each repetition."""
    repetitions = tuple(
        one.model_copy(update={"limited_by": limit}) for one, limit in zip(item.repetitions, by, strict=True)
    )
    return item.model_copy(update={"repetitions": repetitions})


def bounds(*items: Measurement) -> dict[str, tuple[Bound, ...]]:
    """Of the rows that have some, of the draft's table."""
    table = next(one for one in tables(evidence(*items)) if one.standard.startswith("after draft"))
    return {row.name: row.bounds for row in table.rows if row.bounds}


def table_of(*items: Measurement) -> ScalabilityTable:
    return next(one for one in tables(evidence(*items)) if one.standard.startswith("after draft"))


def test_in_the_tables() -> None:
    found = bounds(EXACT, HIGHER)
    assert found == dict.fromkeys(("cps median", "cps min", "cps max", "cps rel. scale up"), ("", ">="))
    rfc = next(one for one in tables(evidence(EXACT, HIGHER)) if one.standard.startswith("RFC 9693"))
    assert {row.name: row.bounds for row in rfc.rows if row.bounds} == {
        "connections/s median (req.)": ("", ">="),
        "connections/s 1st perc. (req.)": ("", ">="),
        "connections/s 99th perc. (req.)": ("", ">="),
    }


def test_of_a_statistic_by_what_is_not_above_it() -> None:
    """Of 70, 75 and 80 only the highest was limited by the Tester: the median is what it is, the maximum isn't."""
    item = limited(rates(40_000, (70_000.0, 75_000.0, 80_000.0)), "dut", "dut", "tester")
    assert bounds(EXACT, item) == {"cps max": ("", ">=")}
    item = limited(rates(40_000, (70_000.0, 75_000.0, 80_000.0)), "maximum", "dut", "dut")
    assert set(bounds(EXACT, item)) == {"cps median", "cps min", "cps max", "cps rel. scale up"}
    item = limited(rates(40_000, (70_000.0, 75_000.0, 80_000.0)), "minimum", "dut", "dut")
    assert bounds(EXACT, item) == {}


def test_ratios_of_bounds() -> None:
    """1.21 and 1.72 were printed as relative scale-ups of two rates that the Tester had limited."""
    both = rates(4_000, (61_000.0,), limited_by="maximum"), rates(40_000, (70_000.0,), limited_by="tester")
    (row,) = (row for row in table_of(*both).rows if row.name == "cps rel. scale up")
    assert row.values == (1.0, None)
    assert row.bounds == ()
    first = rates(4_000, (61_000.0,), limited_by="maximum"), rates(40_000, (30_500.0,))
    (row,) = (row for row in table_of(*first).rows if row.name == "cps rel. scale up")
    assert (row.values, row.bounds) == ((1.0, 0.5), ("", "<="))


def test_what_buffers_may_have_done(tmp_path: Path) -> None:
    """29,997 connections/s of 2,000 connections, 15,100 of 20,000: no bound, and no ratio of it."""
    short = rates(4_000, (29_997.0,), limited_by="buffers")
    for items in ((short, rates(40_000, (15_100.0,))), (rates(2_000, (15_100.0,)), short)):
        (row,) = (row for row in table_of(*items).rows if row.name == "cps rel. scale up")
        assert row.values == (1.0, None)
        found = bounds(*items)["cps median"]
        assert found == (("~", "") if items[0] is short else ("", "~"))
    path = as_latex.write(evidence(rates(40_000, (15_100.0,)), short), tmp_path)
    assert path is not None
    assert r"$\sim$~29,997" in path.read_text(encoding="utf-8")
    with summary_csv.write(evidence(short).results, tmp_path).open(encoding="utf-8") as file:
        medians = [row for row in csv.DictReader(file) if row["statistic"] == "median" and "rate" in row["quantity"]]
    assert {row["limited_by"] for row in medians if row["value"] == "29997.0"} == {"buffers"}
    assert "circle-open" in str(scale_up.plot(groups([rates(40_000, (15_100.0,)), short]), "plot"))


@pytest.mark.parametrize(
    ("above", "below", "ratio"),
    [
        ("", "", ""),
        (">=", "", ">="),
        ("", ">=", "<="),
        (">=", ">=", None),
        (">=", "<=", ">="),
        ("<=", ">=", "<="),
        ("~", "", None),
    ],
)
def test_of_ratio(above: Bound, below: Bound, ratio: Bound | None) -> None:
    assert of_ratio(above, below) == ratio
    assert of_difference_from_one(of_difference_from_one(above)) == above


def test_written(tmp_path: Path) -> None:
    found = evidence(EXACT, HIGHER)
    path = as_csv.write(found, tmp_path)
    assert path is not None
    lines = list(csv.reader(path.open(encoding="utf-8")))
    at = lines.index(["cps median", "connections/s", "62000.0", "75000.0"])
    assert lines[at + 1] == ["cps median, bound", "", "", ">="]
    path = as_latex.write(found, tmp_path)
    assert path is not None
    assert r"cps median, connections/s & 62,000 & $\geq$~75,000 \\" in path.read_text(encoding="utf-8")
    (line,) = groups([EXACT, HIGHER])[0].lines
    assert {spot.value: bound for spot, bound in line.bounds().items()} == {40_000: ">="}
    drawn = str(scale_up.plot(groups([EXACT, HIGHER]), "plot"))
    assert "triangle-up" in drawn
    assert "triangle-up" not in str(scale_up.plot(groups([EXACT, rates(40_000, (70_000.0,))]), "plot"))


def test_in_summary_csv(tmp_path: Path) -> None:
    item = limited(frames((70_000.0, 75_000.0, 80_000.0)), "dut", "maximum", "tester")
    with summary_csv.write(frames_campaign.results(measurements=(item,)), tmp_path).open(encoding="utf-8") as file:
        all_rows = [row for row in csv.DictReader(file) if row["quantity"] == "throughput"]
    assert [row["bound"] for row in all_rows if row["repetition"]] == ["", ">=", ">="]
    rows = [row for row in all_rows if not row["repetition"]]
    assert {row["statistic"] for row in rows if row["bound"] == ">="} == {"median", "p99", "maximum", "mean"}
    assert {row["statistic"]: row["limited_by"] for row in rows} == {
        "n": "",
        "median": "maximum",
        "p1": "",
        "p99": "maximum tester",
        "minimum": "",
        "maximum": "maximum tester",
        "dispersion": "",
        "mean": "maximum tester",
        "standard_deviation": "",
    }
    with summary_csv.write(connections_campaign.results(), tmp_path).open(encoding="utf-8") as file:
        assert any(row["limited_by"] == "dut" for row in csv.DictReader(file))


@pytest.mark.parametrize(
    ("limit", "said"),
    [
        ("dut", "75,000 fps per direction, limited by the DUT"),
        ("tester", "at least 75,000 fps per direction, limited by the Tester: the DUT may be faster"),
        ("maximum", "at least 75,000 fps per direction, the highest rate of the search: the DUT may be faster"),
        ("minimum", "0 fps per direction, not even the lowest rate of the search passed"),
    ],
)
def test_on_the_terminal(limit: LimitedBy, said: str) -> None:
    value = 0.0 if limit == "minimum" else 75_000.0
    searched = Measured((Value(RATE, None, value),), (1,), limited_by=limit, search=Search(value or None, None))
    assert in_words(searched) == said


def test_a_tear_down_on_the_terminal() -> None:
    found = Measured((Value(TEARDOWN, None, 1e6),), (1,), limited_by="resolution")
    assert in_words(found).startswith(f"{TEARDOWN.name} at least 1,000,000 connections/s")


def test_in_the_tables_of_a_throughput(tmp_path: Path) -> None:
    """70 is the DUT's, 75 and 80 aren't: what follows from the median is a bound too."""
    item = limited(frames((70_000.0, 75_000.0, 80_000.0)), "dut", "maximum", "tester")
    page = written(frames_campaign.results(measurements=(item,), findings=()), tmp_path)
    assert "3 ≥ 75,000 70,000 ≥ 80,000 " in page.visible
    maximum = item.theoretical_maximum_fps or 0
    assert f"≥ 75,000 ≥ 150,000 {maximum:,.0f} ≥ {100 * 75_000 / maximum:.2f} ≥ " in page.visible
    assert "triangle-up" in str(rate_plot.plot([item, frames((70_000.0,), frame_size_named=512)]))
    assert "triangle-up" not in str(rate_plot.plot([frames((70_000.0,))]))
    assert rate_plot.plot([frames((70_000.0,)), frames((80_000.0,))]), "the same twice, with another stop width, say"


def test_a_median_of_two(tmp_path: Path) -> None:
    """640 of the DUT and 5,000 of the search's end aren't 2,820: the upper one may be anywhere above."""
    item = limited(frames((640.0, 5_000.0)), "dut", "maximum")
    page = written(frames_campaign.results(measurements=(item,), findings=()), tmp_path)
    assert "2 ≥ 2,820 640 ≥ 5,000 " in page.visible
    assert more_possible([(640.0, "dut"), (5_000.0, "maximum")], 2_820.0) == ("maximum",)
    assert more_possible([(640.0, "maximum"), (5_000.0, "dut"), (6_000.0, "tester")], 5_000.0) == ("maximum",)
    assert more_possible([(640.0, "dut"), (5_000.0, "dut"), (6_000.0, "tester")], 5_000.0) == ()


def test_both_directions_together() -> None:
    """The plot says "sum of both directions" as the table does."""
    both = frames((30_000.0,), connections=space(1_000)), frames((20_000.0,), connections=space(10_000))
    ((line,),) = (group.lines for group in groups(both))
    assert {spot.value: one.median for spot, one in line.totals().items()} == {1_000: 60_000.0, 10_000: 40_000.0}
    assert "40000.0" in str(scale_up.plot(groups(both), "plot"))


@pytest.mark.parametrize(
    ("limited_by", "ceiling_fps", "said"),
    [
        ("dut", None, "1,204,000 sent less than intended 70,000 5.8 "),
        ("dut", 1_204_000.0, "70,000 ≤ 5.8 "),
        ("maximum", None, "≥ 70,000 ≥ 5.8 "),
        ("maximum", 1_204_000.0, "≥ 70,000 \N{EN DASH} "),
    ],
)
def test_share_of_the_testers_limit(
    tmp_path: Path, limited_by: LimitedBy, ceiling_fps: float | None, said: str
) -> None:
    """Two lower bounds say nothing of a share."""
    item = frames((70_000.0,), limited_by=limited_by)
    entry = frames_campaign.selftest(84).model_copy(update={"ceiling_fps": ceiling_fps})
    page = written(frames_campaign.results(measurements=(item,), findings=(), selftest=(entry,)), tmp_path)
    assert said in page.visible


@pytest.mark.parametrize(
    ("rates_fps", "lossy", "said"),
    [
        ({5000: 0.0, 9000: 0.0}, False, "none up to 9,000 frames per second per direction, the highest rate asked ("),
        ({5000: 0.0, 9000: None}, False, "the highest rate measured of those up to 9,000 that were asked ("),
        ({5000: 0.0, 9000: 1.0}, True, "none up to 5,000 frames per second per direction; 1.00 % forward"),
    ],
)
def test_what_wasnt_tried_above_the_highest_rate_without_loss(
    rates_fps: dict[int, float | None], lossy: bool, said: str
) -> None:
    item = swept(rates_fps)
    assert said in str(FRAME_LOSS.sentence(evidence(item), item))
    assert highest_clean(sweep(item))[1] == ("dut" if lossy else "tester" if None in rates_fps.values() else "maximum")


def swept(losses: dict[int, float | None]) -> Measurement:
    """One sweep, forward."""
    series = tuple(
        value_series(
            LOSS,
            [RepetitionValue(repetition=1, value=percent, remark="the Tester's limit" if percent is None else None)],
            direction="forward",
            rate_fps=rate,
        )
        for rate, percent in losses.items()
    )
    return frames_campaign.measured("frame_loss").model_copy(update={"values": series, "direction": "forward"})
