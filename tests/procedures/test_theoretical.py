"""The theoretical maximum (R8219-A-1): the table of standards.md §1.2 at 10 GbE."""

from __future__ import annotations

import pytest

from xlatperf.procedures.theoretical import maximum_fps, mean_maximum_fps

TABLE = """
64 14880952 12019231 10080645
128 8445946 7440476 6648936
256 4528986 4222973 3955696
512 2349624 2264493 2185315
768 1586294 1547030 1509662
1024 1197318 1174812 1153137
1280 961538 946970 932836
1518 812744 802311 792142
1522 810636 800256 790139
2048 604449 598659 592979
4096 303693 302224 300770
8192 152216 151846 151478
9216 135340 135048 134756
"""
ROWS = [tuple(int(cell) for cell in line.split()) for line in TABLE.split("\n") if line]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: str(row[0]))
def test_table(row: tuple[int, ...]) -> None:
    """R8219-A-1: O is 0, 20 (translation) and 40 (4-in-6); the larger frame bounds the rate."""
    size, *expected = row
    for overhead, rate in zip((0, 20, 40), expected, strict=True):
        assert round(maximum_fps(10_000, (size, size + overhead))) == rate
        assert round(maximum_fps(10_000, (size + overhead, size))) == rate


def test_faster_media() -> None:
    assert round(maximum_fps(25_000, (64,))) == 37_202_381
    assert round(maximum_fps(100_000, (64,))) == 148_809_524


@pytest.mark.parametrize(
    ("size", "rate"),
    [(64, 14880), (128, 8445), (256, 4528), (512, 2349), (768, 1586), (1024, 1197), (1280, 961), (1518, 812)],
)
def test_rfc2544_appendix_b(size: int, rate: int) -> None:
    """RFC 2544 App. B at 10 Mbit/s, which truncates."""
    assert int(maximum_fps(10, (size,))) == rate


def test_both_directions_on_one_line() -> None:
    """A router on a stick: the line carries a frame of each side for each pair."""
    assert mean_maximum_fps(10_000, (84, 64), 84, 1, 1, together=True) == 10e9 / (8 * (84 + 20 + 64 + 20))
    assert mean_maximum_fps(10_000, (84, 64), 84, 1, 2, together=True) == 10e9 / (8 * (84 + 20 + 74 + 20))
    of_one = maximum_fps(10_000, (64,))
    assert mean_maximum_fps(10_000, (64, 64), 84, 1, 1, together=True) == of_one / 2


def test_mixes() -> None:
    """R8219-5.3-3: without background it is the maximum of the larger frame; with it the mean frame counts."""
    assert mean_maximum_fps(10_000, (84, 64), 84, 1, 1) == maximum_fps(10_000, (84, 64))
    assert mean_maximum_fps(10_000, (84, 64), 84, 1, 2) == maximum_fps(10_000, (84,))
    assert maximum_fps(10_000, (84,)) < mean_maximum_fps(10_000, (64,), 84, 1, 2) < maximum_fps(10_000, (64,))
