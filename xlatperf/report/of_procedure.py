"""What the report says of one procedure: tables and plots, a sentence for each measurement, cards."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from xlatperf.procedures.procedure import Procedure
from xlatperf.report.evidence import Evidence
from xlatperf.report.markup import Content, Markup
from xlatperf.report.section import Section
from xlatperf.results.results import Measurement

_SENTENCES = 6


def no_cards(measurements: list[Measurement]) -> list[Markup]:  # noqa: ARG001
    """Of procedures whose result no single number tells."""
    return []


@dataclass(frozen=True)
class OfProcedure:
    """`tables`: its section, with plots. `sentence`: of the summary; `large`: the summary's large numbers."""

    procedure: type[Procedure]
    tables: Callable[[Evidence, list[Measurement]], Section]
    sentence: Callable[[Evidence, Measurement], Content]
    large: Callable[[list[Measurement]], list[Markup]] = no_cards

    def _measured(self, evidence: Evidence) -> list[Measurement]:
        return evidence.measurements(self.procedure.named())

    def section(self, evidence: Evidence) -> Section | None:
        """None if it was not measured."""
        measurements = self._measured(evidence)
        return self.tables(evidence, measurements) if measurements else None

    def cards(self, evidence: Evidence) -> list[Markup]:
        """Those measurements that are worth one."""
        return self.large(self._measured(evidence))

    def sentences(self, evidence: Evidence) -> list[Content]:
        """One for each measurement, as long as they are few; the tables have them all."""
        said = [self.sentence(evidence, item) for item in self._measured(evidence)]
        more = len(said) - _SENTENCES
        if more <= 0:
            return said
        return [*said[:_SENTENCES], f"{more} more results of {self.procedure.title.lower()} are in the tables below."]
