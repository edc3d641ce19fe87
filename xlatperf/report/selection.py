"""The measurements of one procedure as a section of the report is about them, and how it shows their values."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from xlatperf.procedures.procedure import Procedure
from xlatperf.report.evidence import Evidence
from xlatperf.report.figure import Figure, shown
from xlatperf.report.markup import Content
from xlatperf.report.scale import NANOSECONDS, Scale
from xlatperf.report.values import known
from xlatperf.results.results import Measurement


@dataclass(frozen=True)
class Selection:
    """`scale`: of all times in its tables."""

    procedure: type[Procedure]
    evidence: Evidence
    measurements: Sequence[Measurement]
    scale: Scale

    @classmethod
    def of(
        cls,
        procedure: type[Procedure],
        evidence: Evidence,
        choose: Callable[[Iterable[float]], Scale],
    ) -> Selection:
        """All of a procedure. `choose` gets the times of the results in ns; those beside if results are no times."""
        measurements = evidence.measurements(procedure.named())
        series = [one for item in measurements for one in item.values if one.unit in NANOSECONDS]
        results = [one for one in series if one.role == "result"] or series
        return cls(
            procedure,
            evidence,
            measurements,
            choose([value * NANOSECONDS[one.unit] for one in results for value in known(one)]),
        )

    @cached_property
    def all_small(self) -> bool:
        """True if P1 is the minimum and P99 the maximum everywhere (RFC 2330 §11.3: N below 100)."""
        return all(one.summary is None or one.summary.n < 100 for item in self.measurements for one in item.values)

    def unit(self, unit: str) -> str:
        """As headings say it; what is counted needs none."""
        if unit in ("frames", "connections"):
            return ""
        return self.scale.unit if unit in ("ns", "s") else unit

    def shown(self, found: Figure | None) -> Content:
        """In the unit of headings, with its sign if it's a bound."""
        return shown(found, self.scale)
