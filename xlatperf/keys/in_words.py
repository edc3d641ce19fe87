"""Lists and numbers of things in words."""

from __future__ import annotations

from collections.abc import Sequence


def either(values: Sequence[str]) -> str:
    """`a`, `a or b`, `a, b or c`."""
    return values[0] if len(values) == 1 else ", ".join(values[:-1]) + " or " + values[-1]


def plural(count: int, one: str, many: str | None = None) -> str:
    """`1 trial`, `2 trials`."""
    return f"{count:,} {one if count == 1 else many or one + 's'}"
