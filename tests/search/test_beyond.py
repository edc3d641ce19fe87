"""A limit that passes is no limit."""

from __future__ import annotations

import pytest

from xlatperf.search.beyond import beyond
from xlatperf.search.bisection import Bounds, StopWidth, between


@pytest.mark.parametrize(
    ("start", "most", "dut", "tester", "found"),
    [
        (Bounds(100.0, 110.0), 1000.0, 500, 500, Bounds(100.0, 110.0)),
        (Bounds(None, 110.0), 1000.0, 500, 500, Bounds(None, 110.0)),
        (Bounds(100.0, None), 100.0, 500, 500, Bounds(100.0, None)),
        (Bounds(100.0, None), 1000.0, 5000, 5000, Bounds(1000.0, None)),
        (Bounds(100.0, None), 1000.0, 5000, 110, Bounds(100.0, None)),
        (Bounds(100.0, None), 1000.0, 5000, 130, Bounds(125.0, None)),
        (Bounds(100.0, None), 1000.0, 130, 5000, Bounds(130.0, 131.0)),
    ],
)
def test_ends(start: Bounds, most: float, dut: float, tester: float, found: Bounds) -> None:
    def passes(value: float) -> bool:
        return value <= min(dut, tester)

    def narrow(lower: float, upper: float) -> Bounds:
        return between(passes, lower, upper, StopWidth(absolute=1), lower_passed=True)

    assert beyond(start, most, passes, lambda value: value > tester, narrow) == found
