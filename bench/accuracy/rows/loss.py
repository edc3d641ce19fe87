"""Known loss: the device drops frames by their position. Counts and lost numbers must be exactly those."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from bench.accuracy.order import Order
from bench.accuracy.row import EXACTLY, Row
from bench.accuracy.workbench import Workbench
from xlatperf.engine.direction_answer import Direction
from xlatperf.engine.message import DIRECTIONS

GROUP = "2 loss"
RATE_FPS = 20_000.0
MOST_RANGES = 256
"""The engine names so many ranges of lost frames; it counts beyond."""
LIST = (1, 2, 3, 100, 1000, 1001, 2500)


def rows(bench: Workbench) -> list[Row]:
    """Each pattern: how many, and which."""
    frames = bench.extent.loss_frames
    few = min(frames, 7 * MOST_RANGES - 1)
    return [
        *_pattern(bench, "every 1000th", frames, {"every": 1000}, range(1000, frames + 1, 1000)),
        *_pattern(bench, "every 7th", few, {"every": 7}, range(7, few + 1, 7)),
        *_pattern(bench, "a list", frames, {"positions": [*LIST, frames]}, [*LIST, frames]),
    ]


def _pattern(
    bench: Workbench, name: str, frames: int, select: dict[str, object], positions: Sequence[int]
) -> list[Row]:
    attempts = bench.attempts()
    taken = attempts.accepted(Order(RATE_FPS, frames / RATE_FPS, {"drop": select}, directions=DIRECTIONS))
    known = {position - 1 for position in positions}  # the device counts from 1, the Tester from 0
    made: list[Row] = []
    for direction in DIRECTIONS:
        seen = None if taken is None else getattr(taken.answer, direction)
        count = None if seen is None else seen.foreground.lost
        wrong = None if seen is None else len(known ^ set(lost_numbers(seen))) + sum(seen.foreground.wrong.values())
        for what, right, measured in (
            (f"{name} of {frames:,}, {direction}: lost", len(known), count),
            (f"{name} of {frames:,}, {direction}: numbers or frames that are wrong", 0, wrong),
        ):
            made.append(Row(GROUP, what, "frames", right, measured, EXACTLY, attempts.trials, attempts.refusals))
    return made


def lost_numbers(direction: Direction) -> Iterable[int]:
    """Numbers of the lost frames."""
    for first, last in direction.lost_ranges:
        yield from range(first, last + 1)
