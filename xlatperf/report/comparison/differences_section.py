"""Keys of the bench files, and facts of host, versions and devices, that are not the same in all campaigns."""

from __future__ import annotations

from collections.abc import Sequence

from xlatperf.report.comparison.campaign import Campaign
from xlatperf.report.comparison.differences import Difference, of_bench_files, of_environments
from xlatperf.report.markup import Content, element, folded, paragraph, render
from xlatperf.report.section import Section
from xlatperf.report.table import Column, table, text

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
    columns: list[Column[Difference]] = [
        text("Key", lambda one: element("code", one.place)),
        *[_of_campaign(one.title, index) for index, one in enumerate(campaigns)],
    ]
    return table(columns, found)


def _of_campaign(title: str, index: int) -> Column[Difference]:
    return text(title, lambda one: _value(one.values[index]), class_="wrap")


def _value(value: str) -> Content:
    if len(value) <= _LONGEST and "\n" not in value:
        return value
    start = value.split("\n", 1)[0][:_LONGEST]
    return folded(f"{start} …", element("pre", value, class_="file"))
