"""Keys of the bench files, and facts of host, versions and devices, that are not the same in all campaigns."""

from __future__ import annotations

from collections.abc import Sequence

from xlatperf.report.comparison.campaign import Campaign
from xlatperf.report.comparison.differences import Difference, of_bench_files, of_environments
from xlatperf.report.markup import Content, element, folded, paragraph, render
from xlatperf.report.section import Section
from xlatperf.report.table import Row, table, text

_LONGEST = 60
"""Characters of a value that stands in the table; a longer one opens by a click."""


def section(campaigns: Sequence[Campaign]) -> Section:
    """Always there: that nothing differs is worth saying."""
    bench, environment = of_bench_files(campaigns), of_environments(campaigns)
    parts = [
        element("h3", f"Bench files ({len(bench):,})"),
        _table(campaigns, bench, "The bench files say the same, with all defaults."),
        paragraph(
            "With all defaults. A dash: there is no such key in that file, or its table is missing.", class_="muted"
        ),
        element("h3", f"Host, versions, devices ({len(environment):,})"),
        _table(campaigns, environment, "Host, versions and devices are the same, as far as the folders say."),
    ]
    return Section("differences", "What differs", render(parts))


def _table(campaigns: Sequence[Campaign], found: Sequence[Difference], nothing: str) -> Content:
    if not found:
        return paragraph(nothing)
    columns = [text("Key"), *[text(f"{one.letter} · {one.name}", class_="wrap") for one in campaigns]]
    rows = [Row([element("code", one.place), *[_value(value) for value in one.values]]) for one in found]
    return table(columns, rows)


def _value(value: str) -> Content:
    if len(value) <= _LONGEST and "\n" not in value:
        return value
    start = value.split("\n", 1)[0][:_LONGEST]
    return folded(f"{start} …", element("pre", value, class_="file"))
