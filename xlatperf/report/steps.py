"""What is known as a mean between two times, drawn: a line that is level in between."""

from __future__ import annotations

from collections.abc import Sequence


def level(samples: Sequence[tuple[float, float, float]]) -> tuple[list[float], list[float]]:
    """Points of it. `samples`: from, to, value."""
    at = [end for start, stop, _ in samples for end in (start, stop)]
    return at, [value for *_, value in samples for _ in range(2)]
