"""Lists and numbers of things in words."""

from __future__ import annotations

import math
from collections.abc import Sequence


def either(values: Sequence[str]) -> str:
    """`a`, `a or b`, `a, b or c`."""
    return values[0] if len(values) == 1 else ", ".join(values[:-1]) + " or " + values[-1]


def plural(count: int, one: str, many: str | None = None) -> str:
    """`1 trial`, `2 trials`."""
    return f"{count:,} {one if count == 1 else many or one + 's'}"


def shortened(text: str, most: int) -> str:
    """At most so many characters of it."""
    return text if len(text) <= most else f"{text[: most - 3]}..."


def significant(value: float, digits: int = 3) -> str:
    """So many digits, and never an exponent: `0.0000123`, `1.5`, `1,110`."""
    rounded = float(f"{value:.{digits}g}")
    after_point = max(0, digits - 1 - math.floor(math.log10(abs(rounded)))) if rounded else 0
    text = f"{rounded:,.{after_point}f}"
    return text.rstrip("0").rstrip(".") if after_point else text
