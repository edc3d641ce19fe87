"""The comparison as one HTML file that opens offline."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import xlatperf
from xlatperf.files.writing import write_whole
from xlatperf.report import words
from xlatperf.report.comparison import (
    campaigns_section,
    differences_section,
    dual_section,
    processor_section,
    results_section,
    scalability_section,
    table_csv,
)
from xlatperf.report.comparison.campaign import Campaign
from xlatperf.report.comparison.joined import joined
from xlatperf.report.comparison.joined_tables import devices, joined_table
from xlatperf.report.comparison.rows import Row, rows
from xlatperf.report.html import document
from xlatperf.report.markup import Markup, element
from xlatperf.report.scalability import as_csv, as_latex
from xlatperf.report.scalability.table import ScalabilityTable
from xlatperf.report.section import Section


def write(campaigns: Sequence[Campaign], path: Path) -> list[Path]:
    """Writes the page, beside it the CSV with the same name, and tables of series if there are any; their paths."""
    found, series = rows(campaigns), joined(campaigns)
    tables = [joined_table(campaigns, one) for one in series]
    table = path.with_suffix(".csv")
    write_whole(path, page(campaigns, found, scalability_section.section(campaigns, series, tables)))
    table_csv.write(campaigns, found, table)
    return [path, table, *_series(campaigns, tables, path)]


def _series(campaigns: Sequence[Campaign], found: Sequence[ScalabilityTable], path: Path) -> list[Path]:
    """Writes the tables of scalability; none is left there from an earlier comparison."""
    written = [path.with_name(f"{path.stem}-scalability{ending}") for ending in (".csv", ".tex")]
    if not found:
        for one in written:
            one.unlink(missing_ok=True)
        return []
    as_csv.write_tables(found, written[0])
    whose = devices(campaigns)
    tables = [as_latex.tabular(one, whose, number, "comparison") for number, one in enumerate(found, 1)]
    as_latex.write_tables(tables, written[1], whose, xlatperf.__version__)
    return written


def page(campaigns: Sequence[Campaign], found: Sequence[Row], scalability: Section | None) -> str:
    """The whole page. It loads nothing."""
    sections = [
        dual_section.section(campaigns, found),
        results_section.section(campaigns, found),
        scalability,
        processor_section.section(campaigns, found),
        campaigns_section.section(campaigns),
        differences_section.section(campaigns),
    ]
    title = f"{len(campaigns)} campaigns compared"
    footer = f"Made by xlatperf {xlatperf.__version__}. Every number is in the campaigns' results.json."
    return document(title, _heading(title, campaigns), [one for one in sections if one is not None], footer)


def _heading(title: str, campaigns: Sequence[Campaign]) -> Markup:
    return element(
        "header",
        element("div", "xlatperf compare", class_="kicker"),
        element("h1", title),
        element(
            "dl",
            [
                element("div", element("dt", f"{one.letter} · {one.name}"), element("dd", _what(one)))
                for one in campaigns
            ],
            class_="chips",
        ),
        campaigns_section.warnings(campaigns),
    )


def _what(campaign: Campaign) -> str:
    return f"{campaign.evidence.device}, {words.technology(campaign.results.technology)}"
