"""Rules about lost frames: those that hold are found, and chance isn't taken for one."""

from __future__ import annotations

import random

from hypothesis import given, settings
from hypothesis import strategies as st

from xlatperf.meaning.apart import every, most_of_each, ranges, whole_values

DRAWN = random.Random(1)
MANY = [DRAWN.randrange(8) for _ in range(200)]
PORTS = DRAWN.sample(range(1024, 65536), 200)


def test_whole_values() -> None:
    assert whole_values(MANY, [value in (2, 5) for value in MANY]) == {2, 5}
    assert whole_values(MANY, [value == 2 and position > 3 for position, value in enumerate(MANY)]) is None


def test_a_value_of_its_own_for_each_frame_says_nothing() -> None:
    assert whole_values(PORTS, [port % 2 == 0 for port in PORTS]) is None


def test_all_or_none_lost_is_no_rule() -> None:
    for lost in ([True] * 200, [False] * 200):
        assert whole_values(MANY, lost) is None
        assert ranges(PORTS, lost) is None
        assert every(lost) is None
        assert most_of_each(MANY, range(200), lost) is None


def test_ranges() -> None:
    outside = [not 20_000 <= port < 40_000 for port in PORTS]
    found = ranges(PORTS, outside)
    assert found is not None
    low, high = found
    assert (low[0], high[1]) == (min(PORTS), max(PORTS))
    assert low[1] < 20_000
    assert high[0] >= 40_000


def test_one_lost_frame_is_no_range() -> None:
    assert ranges(PORTS, [position == 7 for position in range(200)]) is None


def test_every() -> None:
    assert every([position % 3 == 1 for position in range(30)]) == (3, 1)
    assert every([position % 3 == 1 for position in range(12)]) is None, "too few to tell"
    assert every([position % 3 == 1 and position != 16 for position in range(30)]) is None
    assert every([position % 3 == 1 and position < 20 for position in range(30)]) is None


def test_most_of_each() -> None:
    seen: dict[int, int] = {}
    lost, kept = [], []
    for group in MANY:
        seen[group] = seen.get(group, 0) + 1
        lost.append(seen[group] > 15)
    left = {group: MANY.count(group) for group in set(MANY)}
    for group in MANY:
        kept.append(left[group] > 15)
        left[group] -= 1
    assert most_of_each(MANY, range(200), lost) == 15
    assert most_of_each(MANY, range(200), kept, latest=True) == 15
    assert most_of_each(MANY, range(200), kept) is None
    assert most_of_each([0] * 200, range(200), [n >= 15 for n in range(200)]) is None, "one group is all"


def test_a_group_beyond_the_limit_that_lost_none_is_no_limit() -> None:
    groups = [0] * 30 + [1] * 30 + [2] * 30
    lost = ([False] * 10 + [True] * 20) * 2 + [False] * 30
    assert most_of_each(groups, range(90), lost) is None


@settings(max_examples=300)
@given(st.integers(0, 2**32), st.integers(2, 98))
def test_chance_is_no_rule(seed: int, percent: int) -> None:
    """Frames that are lost by the dice have nothing in common, whatever is asked."""
    dice = random.Random(seed)
    lost = [dice.randrange(100) < percent for _ in range(300)]
    few = [dice.randrange(2) for _ in range(300)]
    hosts = [dice.randrange(100) for _ in range(300)]
    ports = [dice.randrange(64512) for _ in range(300)]
    assert whole_values(few, lost) is None
    assert whole_values(hosts, lost) is None
    assert ranges(ports, lost) is None
    assert ranges(range(300), lost) is None
    assert every(lost) is None
    assert most_of_each(hosts, range(300), lost) is None
