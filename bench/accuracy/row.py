"""One line of the table: what is known, what was measured, and whether they agree."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any, Literal

Verdict = Literal["ok", "outside", "refused", "shown"]

VERDICTS: dict[Verdict, str] = {
    "ok": "the difference is within the bound",
    "outside": "it is not",
    "refused": "no trial was accepted, so nothing was measured: the remark says why",
    "shown": "for information, no bound",
}


@dataclass(frozen=True)
class Bound:
    """The difference measured - known is allowed from `low` to `high`, in the row's unit; `why` derives them."""

    low: float
    high: float
    why: str


def within(width: float, why: str) -> Bound:
    """The same in both directions."""
    return Bound(-width, width, why)


EXACTLY = Bound(0, 0, "exact")


@dataclass(frozen=True)
class Row:
    """Values are in `unit`. `trials` counts all attempts, `refusals` why some of them were not accepted."""

    group: str
    what: str
    unit: str
    known: float | None
    measured: float | None
    bound: Bound | None
    trials: int
    refusals: dict[str, int] = field(default_factory=dict)
    remark: str = ""

    @property
    def difference(self) -> float | None:
        """Measured - known; None if either is."""
        return None if self.measured is None or self.known is None else self.measured - self.known

    @property
    def verdict(self) -> Verdict:
        """See VERDICTS."""
        if self.measured is None:
            return "refused"
        if self.bound is None or self.difference is None:
            return "shown"
        return "ok" if self.bound.low <= self.difference <= self.bound.high else "outside"

    @property
    def refused(self) -> int:
        """Trials that were not accepted; one may have several reasons."""
        return self.refusals.get(REFUSED, 0)

    @property
    def reasons(self) -> dict[str, int]:
        """Why, and how often."""
        return {reason: count for reason, count in self.refusals.items() if reason != REFUSED}

    def record(self) -> dict[str, Any]:
        """For JSON."""
        return {
            **{name: value for name, value in asdict(self).items() if name != "refusals"},
            "difference": self.difference,
            "verdict": self.verdict,
            "refused": self.refused,
            "reasons": self.reasons,
        }


REFUSED = "refused"
"""Key of `refusals` that counts trials; the other keys count reasons."""
