"""R9693-4.5, R9693-4.9: a full table is told from a slow device by what doesn't depend on the rate."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.long import by_length, more
from tests.procedures.searches import Establishing
from tests.procedures.stateful_dut import StatefulDut
from xlatperf.engine.direction_answer import Direction
from xlatperf.procedures.conditions import Conditions
from xlatperf.procedures.full_table import filled_up, held_too_few
from xlatperf.procedures.trial import MeasurementFailed
from xlatperf.procedures.trial_request import TrialRequest

SEARCH = Establishing(Conditions(TrialRequest(84, "ipv6", 1.0, 60.0), 100_000.0, connections=10_000), {})
DELAY = {"count": 0, "min_ns": None, "median_ns": None, "p999_ns": None, "max_ns": None, "mean_ns": None}


def test_the_same_count_at_every_rate() -> None:
    """The device of the issue: 5,000 sessions, 10,000 connections. It took eleven rates, down to 198/s."""
    dut = StatefulDut(size=5000)
    with pytest.raises(MeasurementFailed) as failed:
        SEARCH.found(dut)
    assert str(failed.value) == (
        "of 10,000 connections 5,000 worked at each of 4 rates, 100,000 down to 12,588 connections/s, and of 4,500 "
        "all: the DUT holds about 5,000 connections and no more: its table or its pool is what limits; it counts 5,000 "
        "entries"
    )
    assert len(dut.requests) == 5
    cannot_count = StatefulDut(size=5000, counts=False)
    with pytest.raises(MeasurementFailed, match=r"and no more: its table or its pool is what limits$"):
        SEARCH.found(cannot_count)


def test_a_full_table_that_replaces_is_seen_by_the_validation() -> None:
    """R9693-4.6-1: all of phase 1 comes, and only what is left in the table comes back."""
    with pytest.raises(MeasurementFailed, match=r"5,000 worked at each of 4 rates, .* about 5,000 connections"):
        SEARCH.but(alpha=0.8).found(StatefulDut(size=5000, policy="oldest"))


@pytest.mark.parametrize("share", [0.0002, 0.05, 0.3])
@pytest.mark.parametrize("alpha", [None, 0.8])
def test_a_device_that_loses_a_share_is_none(share: float, alpha: float | None) -> None:
    """0.02 % at random: of 40,000 connections 39,992 worked at every rate, and the device counts 40,000."""
    dut = StatefulDut(loses=share)
    found = SEARCH.but(connections=40_000, alpha=alpha, retries=0).found(dut)
    assert (found.rate_fps, found.limited_by) == (0, "minimum")
    counts = [request.connections.count for request in dut.requests if request.connections is not None]
    assert sum(count != 40_000 for count in counts) == 1, "fewer are tried once"


@pytest.mark.parametrize("counted", [0, 10_000])
def test_a_count_that_contradicts_is_no_support(counted: int) -> None:
    with pytest.raises(MeasurementFailed, match=f"; it counts {counted:,} entries, which isn't so many: is its count"):
        SEARCH.found(StatefulDut(size=5000, says=counted))


@more
@settings(max_examples=by_length(20, 500))
@given(st.integers(150, 99_000))
def test_a_slow_device_is_none(fps: int) -> None:
    """Of a slower one more connections fail at a higher rate."""
    found = SEARCH.found(StatefulDut(establish_fps=fps))
    assert found.lower_fps is not None
    assert found.lower_fps <= fps


def direction(sent: int, *ranges: tuple[int, int], whole: bool = True) -> Direction:
    lost = sum(last - first + 1 for first, last in ranges)
    return Direction.model_validate(
        {
            "intended": sent,
            "sent": sent,
            "offered_fps": 1.0,
            "sending_s": 1.0,
            "frame_size": {"sent": 64, "received": 64},
            "foreground": {"sent": sent, "expected": sent - lost, "lost": lost, "delay": DELAY},
            "lost_ranges": ranges,
            "lost_ranges_complete": whole,
        }
    )


@pytest.mark.parametrize(
    ("of", "opened"),
    [
        (direction(100, (60, 99)), 60),
        (direction(100), None),
        (direction(100, (0, 99)), None),
        (direction(100, (60, 98)), None),
        (direction(100, (10, 10), (60, 99)), None),
        (direction(100, (60, 99), whole=False), None),
    ],
)
def test_the_first_ones_and_none_after_them(of: Direction, opened: int | None) -> None:
    said = filled_up(of, None)
    wanted = f"The DUT opened the first {opened} of 100 connections and none after them: its table is full."
    assert said == (wanted if opened is not None else None)
    if opened is not None:
        assert (filled_up(of, 64) or "").endswith("its table is full; it counts 64 entries.")


@pytest.mark.parametrize(
    ("held", "worked", "says"),
    [
        (None, 500, None),
        (500, 500, None),
        (501, None, None),
        (400, None, "it deleted some, which only a validation sees"),
        (400, 400, "it deleted some"),
        (0, None, "counted 0 entries: does it count them at all?"),
        (0, 500, "but 500 connections worked afterwards: it counts something else"),
        (400, 401, "or its count isn't right"),
    ],
)
def test_fewer_entries_than_connections(held: int | None, worked: int | None, says: str | None) -> None:
    """A count that contradicts what worked accuses nobody."""
    found = held_too_few(held, 500, worked)
    assert (found is None) == (says is None)
    assert says is None or says in str(found)
    assert found is None or "deleted" not in found or (worked or 0) <= (held or 0)
