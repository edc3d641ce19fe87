"""The directions that a campaign uses."""

from __future__ import annotations

from collections.abc import Sequence

from xlatperf.config.bench import Bench
from xlatperf.config.negative_tests import negative_tests_of
from xlatperf.engine.message import DIRECTIONS, DirectionName
from xlatperf.run.runs import Run


def used_directions(bench: Bench, wanted: Sequence[Run]) -> list[DirectionName]:
    """Those that are measured, and those of negative tests; connections go forward and are used in both."""
    used = {direction for run in wanted for direction in run.cell.directions}
    used |= {test.direction for test in negative_tests_of(bench) if not test.impossible}
    return [direction for direction in DIRECTIONS if bench.technology.stateful or direction in used]
