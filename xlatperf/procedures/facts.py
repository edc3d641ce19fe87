"""What a procedure is, whatever its keys say."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from xlatperf.procedures.quantity import Quantity


@dataclass(frozen=True, kw_only=True)
class Facts:
    """`title`: as a heading of the report has it; `standard`: sections that describe it."""

    title: str
    standard: str
    quantities: tuple[Quantity, ...]
    """What it finds, the benchmark's results first."""
    of_an_rfc: bool = True
    """Whether it's a benchmark of the standards."""
    shortest: tuple[str, float] = ("RFC 2544 §24", 60.0)
    """Section that says how long a trial takes at least, and that time in s."""
    finds: Literal["throughput", "establishment"] | None = None
    """What it hands over to others: they come after it (RFC 8219 §7.2, RFC 9693 §4.2)."""
    performance: tuple[Quantity, ...] = ()
    """It finds one of these, the rate that series over connections, subscribers and cores are about."""
    of_medians: str | None = None
    """The derived value that stands for the median of that rate."""
    of_connections: bool = False
    """Only stateful DUTs have it (RFC 9693 §4.5 to §4.9)."""
    not_with_connections: str | None = None
    """Why stateful DUTs don't have it; None: they do."""
    smallest_only: bool = False
    """By default only the smallest frame is measured."""
    usual: bool = False
    """A new bench file has it; the others take hours: they are offered."""
    definition: str | None = None
    """Of the quantity, where the standard wants it said."""
    needs_a_result: bool = False
    """That there is none is a failure, although no trial failed."""

    @property
    def results(self) -> tuple[Quantity, ...]:
        """Of its quantities those that the benchmark is about."""
        return tuple(one for one in self.quantities if one.role == "result")
