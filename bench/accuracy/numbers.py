"""Numbers as they stand in the table."""

from __future__ import annotations

from bench.accuracy.row import Bound

DIGITS = {"fps": 0, "frames": 0, "Hz": 0, "ns": 0, "µs": 2, "ms": 2, "ppm": 3}


def number(value: float | None, unit: str, *, signed: bool = False) -> str:
    """With as many digits as make sense in the unit; empty for None."""
    if value is None:
        return ""
    return f"{value:{'+' if signed else ''},.{DIGITS.get(unit, 3)}f}"


def bound_text(bound: Bound | None, unit: str) -> str:
    """From and to; empty without a bound."""
    if bound is None:
        return ""
    if bound.low == bound.high == 0:
        return "exact"
    if bound.low == -bound.high:
        return f"±{number(bound.high, unit)}"
    return f"{number(bound.low, unit)} to {number(bound.high, unit)}"


def refused_text(refused: int, trials: int, reasons: dict[str, int]) -> str:
    """`3 of 12: schedule 2, device_held_up 1`."""
    if not refused:
        return f"0 of {trials}"
    return f"{refused} of {trials}: " + ", ".join(f"{reason} {count}" for reason, count in sorted(reasons.items()))
