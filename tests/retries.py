"""Tests that measured again, as the machine had held Tester or device up: told at the end, so that rot is seen."""

from __future__ import annotations

from collections import Counter

PROPERTY = "measured again"
"""Of a test's report, which also comes from the process of a worker."""

_attempts = 0
_again: Counter[str] = Counter()


def again() -> None:
    """An attempt of the test that runs now counted for nothing."""
    global _attempts
    _attempts += 1


def take() -> int:
    """How many there were since the last call."""
    global _attempts
    taken, _attempts = _attempts, 0
    return taken


def told(test: str, attempts: int) -> None:
    """What the report of a test says."""
    _again[test] += attempts


def in_words() -> list[str]:
    """How many tests, then a line for each."""
    lines = [f"{count:5} times  {name}" for name, count in sorted(_again.items())]
    return [f"{len(lines)} tests measured again", *lines]
