"""Tests that measured again, as the machine had held Tester or device up: told at the end, so that rot is seen."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

PROPERTY = "measured again"
"""Of a test's report, which also comes from the process of a worker."""

_attempts = 0
_again: Counter[str] = Counter()


def attempts(most: int) -> Iterator[int]:
    """Numbers them, from 0; who asks for one more says that the last counted for nothing, in the test that runs now."""
    global _attempts
    for number in range(most):
        _attempts += number > 0
        yield number


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
