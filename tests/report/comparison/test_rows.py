"""What stands in one row of a comparison."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.report import changed, frames_campaign, times_campaign
from tests.report.comparison import three_campaigns as three
from xlatperf.procedures.quantity import LimitedBy
from xlatperf.report.comparison.rows import Row, rows
from xlatperf.results.frames import SideSizes
from xlatperf.results.results import Measurement, Results


def medians(row: Row) -> list[float | None]:
    return [None if one is None else one.value for one in row.found]


def test_sizes_meet_by_the_ipv4_frame(tmp_path: Path) -> None:
    """RFC 7915 §1.2: IPv6's header is 20 bytes longer. 64/64, 84/64 and 64/84 are the same data."""
    found = rows(three.together(tmp_path, a=three.dual(), b=three.plat(), c=three.clat()))
    assert {row.kind.ipv4_size for row in found} == {64}
    through = [row for row in found if row.kind.procedure == "throughput"]
    assert [row.kind.connections for row in through] == [1000, 2000]
    assert [medians(row) for row in through] == [[40_500.0, 70_500.0, 100_500.0]] * 2


def test_ipv6_on_both_sides_meets_ipv4_on_both(tmp_path: Path) -> None:
    size = SideSizes(left=84, right=84)
    six = three.results("linux", {"name": "native", "family": "ipv6"}, [three.throughput(size, (2.0,))])
    four = three.results("linux", {"name": "native", "family": "ipv4"}, [three.throughput(three.DUAL, (1.0,))])
    (row,) = rows(three.together(tmp_path, six=six, four=four))
    assert (row.kind.ipv4_size, medians(row)) == (64, [2.0, 1.0])
    assert row.ratio(1) == 0.5


def test_stateless_beside_each_number_of_connections(tmp_path: Path) -> None:
    """RFC 9693: only a stateful device has connections."""
    found = rows(three.together(tmp_path, c=three.clat(), a=three.dual()))
    through = [row for row in found if row.kind.procedure == "throughput"]
    first = [row.found[0] for row in through]
    assert [one.stateless for one in first if one is not None] == [True, True]
    assert None not in {row.kind.connections for row in through}


def test_stateless_devices_among_themselves(tmp_path: Path) -> None:
    found = rows(three.together(tmp_path, c=three.clat(), d=three.clat()))
    assert [row.kind.connections for row in found] == [None]
    assert [one is not None and one.stateless for one in found[0].found] == [False, False]


def test_what_only_some_have(tmp_path: Path) -> None:
    """RFC 9693 §4.2: the establishment rate comes first; the CLAT has none."""
    found = rows(three.together(tmp_path, a=three.dual(), b=three.plat(), c=three.clat()))
    assert found[0].kind.procedure == "establishment"
    assert medians(found[0]) == [50_250.0, 60_250.0, None]
    assert found[0].ratio(2) is None


@pytest.mark.parametrize(
    "other",
    [
        three.throughput(three.DUAL, (1.0,), 1000, mix=(5, 10)),
        three.throughput(three.DUAL, (1.0,), 1000, direction="forward"),
        three.throughput(three.DUAL, (1.0,), 1000, device_cores=2),
        three.throughput(three.DUAL, (1.0,), 1000, frame_timeout_ms=5.0),
        three.throughput(three.DUAL, (1.0,), 1000, loss_tolerance={"forward": 0.0, "reverse": 0.001}),
        three.throughput(SideSizes(left=128, right=128), (1.0,), 1000),
        three.throughput(three.DUAL, (1.0,), 1001),
    ],
    ids=["mix", "direction", "cores", "frame timeout", "tolerance", "size", "connections"],
)
def test_pears(tmp_path: Path, other: Measurement) -> None:
    """What was measured otherwise has a row of its own."""
    one = three.results("464xlat", three.NAT44, [three.throughput(three.DUAL, (2.0,), 1000)])
    found = rows(three.together(tmp_path, a=one, b=three.results("464xlat", three.NAT44, [other])))
    assert len(found) == 2
    assert not any(row.shared for row in found)


def test_alpha_tells_establishment_rates_apart(tmp_path: Path) -> None:
    """RFC 9693 §4.6: a validated rate is another one for each alpha."""
    measured = [
        three.establishment(three.DUAL, 1000, (5.0,)),
        three.establishment(three.DUAL, 1000, (4.0,), parameters={"alpha": 0.5}),
        three.establishment(three.DUAL, 1000, (3.0,), parameters={"alpha": 0.8}),
    ]
    found = rows(three.together(tmp_path, a=three.results("464xlat", three.NAT44, measured)))
    assert [row.kind.alpha for row in found] == [None, 0.5, 0.8]


def test_the_same_twice_in_one_campaign(tmp_path: Path) -> None:
    """Measures that differ in name only: first beside first, second beside second."""
    twice = [three.throughput(three.DUAL, (rate,), 1000) for rate in (1.0, 2.0)]
    one = three.results("464xlat", three.NAT44, twice)
    other = three.results("nft-nat44", three.NAT44, twice[:1])
    assert [medians(row) for row in rows(three.together(tmp_path, a=one, b=other))] == [[1.0, 1.0], [2.0, None]]


def test_a_failed_measurement_stands_beside_the_others(tmp_path: Path) -> None:
    failed = three.establishment(three.PLAT, 1000, ()).model_copy(
        update={"values": (), "failures": (changed.failure("the DUT does not answer"),)}
    )
    other = three.results("tayga-nat64", three.NAT64, [failed])
    row = rows(three.together(tmp_path, a=three.dual(), b=other))[0]
    assert medians(row) == [50_250.0, None]
    assert row.found[1] is not None
    assert row.found[1].why_not == "the DUT does not answer"


def test_frame_loss_by_the_highest_rate_without(tmp_path: Path) -> None:
    """RFC 2544 §26.3."""
    found = rows(
        three.together(tmp_path, a=three.results("tayga", three.SIIT, [frames_campaign.measured("frame_loss")]))
    )
    assert medians(found[0]) == [100_000.0]


def test_times_by_direction(tmp_path: Path) -> None:
    item = times_campaign.measured("latency")
    found = rows(three.together(tmp_path, a=three.results("tayga", three.SIIT, [item])))
    assert [(row.kind.quantity, row.kind.direction) for row in found] == [
        ("TL", "forward"),
        ("WCL", "forward"),
        ("TL", "reverse"),
        ("WCL", "reverse"),
    ]


def test_no_ratio_to_zero(tmp_path: Path) -> None:
    one, other = (three.results("464xlat", three.NAT44, [three.throughput(three.DUAL, (rate,))]) for rate in (0.0, 2.0))
    (row,) = rows(three.together(tmp_path, a=one, b=other))
    assert medians(row) == [0.0, 2.0]
    assert row.ratio(1) is None


def at_share(throughput_fps: float, *more_possible: LimitedBy) -> Results:
    """Latency at 50 % of that throughput, which by these is a lower bound."""
    rates = {"throughput_fps": throughput_fps, "rate_fps": throughput_fps / 2, "share": 0.5}
    item = times_campaign.measured("latency", **rates, throughput_more_possible=more_possible)
    return three.results("tayga", three.SIIT, [item])


@pytest.mark.parametrize(
    ("first", "other", "ratio"),
    [
        (at_share(1000.0), at_share(2000.0), 1.0),
        (at_share(1000.0, "tester"), at_share(2000.0), None),
        (at_share(1000.0), at_share(2000.0, "maximum"), None),
        (at_share(1000.0, "tester"), at_share(2000.0, "tester"), None),
        (at_share(1000.0, "maximum"), at_share(1000.0, "maximum"), 1.0),
        (at_share(1000.0, "maximum"), at_share(1000.0), 1.0),
    ],
    ids=["shares", "first's", "other's", "both", "the same rate", "the same rate, of one all"],
)
def test_times_at_a_share_of_a_bound(tmp_path: Path, first: Results, other: Results, ratio: float | None) -> None:
    """50 % of a throughput that only the Tester limited is at most 50 %: no ratio, unless the loads are the same."""
    found = rows(three.together(tmp_path, a=first, b=other))
    (row,) = (one for one in found if one.kind.quantity == "TL" and one.kind.direction == "forward")
    assert (row.ratio(1), row.shared) == (ratio, True)
    bounds = [one.of_share for one in row.found if one is not None]
    assert bounds == ["<=" if one.measurements[0].throughput_more_possible else "" for one in (first, other)]


def test_a_sweep_that_lost_nothing(tmp_path: Path) -> None:
    """20,000 and 40,000, both the highest that was asked, aren't 2: each may do more."""
    first, other = (three.results("tayga", three.SIIT, [changed.losses(percent)]) for percent in (0.0, 10.0))
    (row,) = rows(three.together(tmp_path, a=first, b=other))
    assert [None if one is None else one.bound for one in row.found] == [">=", ""]
    assert [None if one is None else one.limited_by for one in row.found] == ["highest rate asked", "DUT"]
    assert row.ratio(1) == 0, f"at most: {row.ratio_bound(1)}"
    both = rows(three.together(tmp_path, c=first, d=first))
    assert [both[0].ratio(1), both[0].ratio_bound(1)] == [None, None]
