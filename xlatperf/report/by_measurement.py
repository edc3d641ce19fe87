"""A table with a line for each measurement, whichever procedures they are of."""

from __future__ import annotations

from collections.abc import Sequence

from xlatperf.report.evidence import Evidence
from xlatperf.report.identity import identity
from xlatperf.report.line import Line
from xlatperf.report.markup import Markup
from xlatperf.report.series import full_name
from xlatperf.report.table import Column, table, text
from xlatperf.results.results import Measurement


def by_measurement(evidence: Evidence, measurements: Sequence[Measurement], columns: Sequence[Column[Line]]) -> Markup:
    """What each is, and these columns."""
    what = [
        text("Measurement", lambda line: full_name(line.item)),
        *identity(measurements, evidence.families, rates=False, named=False),
    ]
    return table([*what, *columns], [Line(item) for item in measurements])
