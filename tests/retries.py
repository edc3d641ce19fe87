"""Tests that measured again, as the machine had held Tester or device up: told at the end, so that rot is seen."""

from __future__ import annotations

import os
from collections import Counter

_again: Counter[str] = Counter()


def again() -> None:
    """An attempt of the test that runs now counted for nothing."""
    _again[os.environ.get("PYTEST_CURRENT_TEST", "?").rpartition(" ")[0]] += 1


def in_words() -> list[str]:
    """How many tests, then a line for each."""
    lines = [f"{count:5} times  {name}" for name, count in sorted(_again.items())]
    return [f"{len(lines)} tests measured again", *lines]
