"""What a search for the capacity of the connection tracking table found, and by which steps (RFC 9693 §4.9)."""

from __future__ import annotations

from dataclasses import dataclass

from xlatperf.procedures.capacity_step import CapacityStep
from xlatperf.procedures.elementary_test import ElementaryTest
from xlatperf.procedures.establishment import too_short
from xlatperf.procedures.quantity import Measured, NoResult, Quantity, Value

CAPACITY = Quantity(
    "connection tracking table capacity",
    "connections",
    "largest number of connections that were established and all validated, without the rate breaking down",
    "RFC 9693 §4.9",
)
FAILED = Quantity(
    "smallest number that failed", "connections", "the capacity is below it", "RFC 9693 §4.9", role="beside"
)
INITIAL_RATE = Quantity(
    "rate with the initial number (R0)",
    "connections/s",
    "validated establishment rate with C0 connections, in a phase 1 that is not too short",
    "RFC 9693 §4.9",
    role="beside",
)
SAFE_RATE = Quantity(
    "rate at the capacity (RS)",
    "connections/s",
    "validated establishment rate with as many connections as were found",
    "RFC 9693 §4.9",
    role="beside",
)


@dataclass(frozen=True)
class CapacityResult:
    """`safe` (CS) connections are held, `unsafe` (CT) are not; None: none were found up to `most`.

    `initial` is C0, `initial_fps` R0, `safe_fps` RS, both as offered. `above`: the test that decided on `unsafe`.
    `shortest_s`: phase 1 had to take so long, which is what limited R0, and with it RS; None: it didn't.
    """

    safe: int
    unsafe: int | None
    most: int
    error: int
    initial: int
    initial_fps: float
    safe_fps: float
    above: ElementaryTest | None
    shortest_s: float | None
    steps: tuple[CapacityStep, ...]
    trials: tuple[int, ...]

    @property
    def capacity(self) -> int | None:
        """The capacity, at most the error too low; None: larger than `most`, or as large."""
        return self.safe if self.unsafe is not None else None

    def remarks(self) -> tuple[str, ...]:
        """What the reader must know about the result."""
        found: list[str] = []
        if self.above is not None:
            found.append(
                f"with {self.above.connections:,} connections at {self.above.rate_fps:,.0f} connections/s: "
                f"{self.above.in_words()}; whether the table or the rate is the reason, one experiment can't tell, the "
                "search can"
            )
        found.append(f"C0 = {self.initial:,} connections, R0 = {self.initial_fps:,.0f} connections/s")
        if self.shortest_s is not None:
            found[-1] += (
                f": the number limits this rate, as phase 1 lasts at least {self.shortest_s:g} s; the DUT's own may be "
                "higher"
            )
        short = too_short(self.safe, self.safe_fps)
        if short is not None:
            found.append(f"with {self.safe:,} connections {short}")
        own = [test.held_before for step in self.steps for test in step.tests if test.held_before]
        if own:
            found.append(
                f"emptied, the DUT's table still held up to {max(own):,} entries that are not the Tester's: they take "
                "their part of its size"
            )
        return tuple(found)

    def measured(self) -> Measured:
        """As quantities."""
        unlimited = None
        if self.unsafe is None:
            unlimited = NoResult(
                "not found",
                f"up to {self.most:,} connections were established and validated at {self.safe_fps:,.0f} connections/s",
            )
        values = (
            Value(CAPACITY, None, self.capacity, unlimited.in_words() if unlimited is not None else None),
            Value(FAILED, None, self.unsafe),
            Value(INITIAL_RATE, None, self.initial_fps),
            Value(SAFE_RATE, None, self.safe_fps),
        )
        return Measured(values, self.trials, self.trials[-1], self.remarks(), unlimited, steps=self.steps)
