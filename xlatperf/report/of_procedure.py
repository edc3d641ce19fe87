"""What the report says of one procedure, as data: a section with its table, a sentence for each measurement, cards.

All of it follows from the procedure's quantities; what is said here replaces it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from xlatperf.procedures.procedure import Procedure
from xlatperf.report import headline, sentence, words
from xlatperf.report.columns import Columns, by_itself
from xlatperf.report.every_repetition import every_repetition
from xlatperf.report.evidence import Evidence
from xlatperf.report.identity import identity
from xlatperf.report.line import Line, lines_of
from xlatperf.report.markup import Content, Markup, paragraph, render
from xlatperf.report.remarks import class_note, remarks
from xlatperf.report.scale import NANOSECONDS, Scale, micro_or_milli
from xlatperf.report.section import Section
from xlatperf.report.selection import Selection
from xlatperf.report.table import Column, table
from xlatperf.report.told import INCREMENTAL, Told, told
from xlatperf.results.results import Measurement

Part = Callable[[Selection], Content]
_SENTENCES = 6


@dataclass(frozen=True, kw_only=True)
class OfProcedure:
    """`given`, `values`: columns of its table, behind those that say of what a line is.

    `about` stands above the table, `note` below it, `parts` behind that, `plots` at the end of the section.
    """

    procedure: type[Procedure]
    about: Sequence[Told] = ()
    given: Sequence[Columns] = ()
    values: Sequence[Columns] = ()
    identity: Mapping[str, bool] = field(default_factory=dict)
    """What `identity` leaves out."""
    scale: Callable[[Iterable[float]], Scale] = micro_or_milli
    """From the times of its results, in ns."""
    why_not: Callable[[Line], Content] = Line.why_not
    note: Sequence[Told] = ()
    classes: str = ""
    """What is to be said of the classes of its frames."""
    parts: Sequence[Part] = ()
    remarks: Callable[[Measurement], Measurement] = lambda item: item
    """The measurement with those remarks that don't stand elsewhere."""
    plots: Sequence[Part] = ()
    sentence: Callable[[Evidence, Measurement], Content] = sentence.of_results
    cards: Callable[[Sequence[Measurement]], list[Markup]] | None = None
    section_body: Part | None = None
    """In place of all of it."""

    def _measured(self, evidence: Evidence) -> list[Measurement]:
        return evidence.measurements(self.procedure.named())

    def section(self, evidence: Evidence) -> Section | None:
        """None if it was not measured."""
        of = Selection.of(self.procedure, evidence, self.scale)
        if not of.measurements:
            return None
        body = self._body(of) if self.section_body is None else self.section_body(of)
        return Section(self.procedure.named().replace("_", "-"), self.procedure.facts.title, render(body))

    def _body(self, of: Selection) -> Content:
        usual = {"rates": False, "directed": False} if self.procedure.facts.of_connections else {}
        families, facts = of.evidence.families, self.procedure.facts
        columns = identity(of.measurements, families, **{**usual, **self.identity})
        about = self.about or (f"Results: {'; '.join(f'{one.name}: {one.meaning}' for one in facts.results)}.",)
        note = told(self.note, of.measurements)
        return [
            paragraph(
                f"{words.standards(of.measurements)}. {told((*about, INCREMENTAL), of.measurements)}", class_="lead"
            ),
            table(
                [*columns, *_columns(self.given, of)],
                lines_of(of.measurements),
                _columns(self.values or by_itself(self.procedure), of),
                why_not=self.why_not,
            ),
            paragraph(note, class_="muted") if note else None,
            class_note(of.measurements, self.classes),
            *[part(of) for part in self.parts],
            remarks([self.remarks(item) for item in of.measurements]),
            every_repetition(of, identity(of.measurements, families, **usual), facts.quantities),
            *[plot(of) for plot in self.plots],
        ]

    def large(self, evidence: Evidence) -> list[Markup]:
        """The summary's large numbers: of those measurements that are worth one."""
        measurements, facts = self._measured(evidence), self.procedure.facts
        if self.cards is not None:
            return self.cards(measurements)
        if facts.performance:
            return headline.rate_card(measurements, f"{facts.performance[0].unit}, {facts.title.lower()}")
        unit = "" if facts.results[0].unit in NANOSECONDS else f"{facts.results[0].unit} "
        return headline.worst(measurements, facts.results[0], f"{unit}{facts.results[0].name}")

    def sentences(self, evidence: Evidence) -> list[Content]:
        """One for each measurement, as long as they are few; the tables have them all."""
        said = [self.sentence(evidence, item) for item in self._measured(evidence)]
        more = len(said) - _SENTENCES
        if more <= 0:
            return said
        return [
            *said[:_SENTENCES],
            f"{more} more results of {self.procedure.facts.title.lower()} are in the tables below.",
        ]


def _columns(wanted: Iterable[Columns], of: Selection) -> list[Column[Line]]:
    return [column for columns in wanted for column in columns(of)]
