"""Each procedure has its part of the report: its own words, or what follows from its quantities alone."""

from __future__ import annotations

import csv
import re
from collections.abc import Callable
from html import unescape
from pathlib import Path

import pytest

from tests.report import connections_campaign, frames_campaign, times_campaign
from xlatperf.procedures.procedure import Procedure
from xlatperf.procedures.registry import PROCEDURES
from xlatperf.report import summary_csv
from xlatperf.report.evidence import Evidence
from xlatperf.report.figure import STATISTICS, Statistic
from xlatperf.report.line import lines_of
from xlatperf.report.markup import Content, render
from xlatperf.report.of_procedure import OfProcedure
from xlatperf.report.scale import micro_or_milli
from xlatperf.report.sections.of_procedures import OF_PROCEDURES
from xlatperf.report.selection import Selection
from xlatperf.report.values import has_result
from xlatperf.results.results import Results

CAMPAIGNS = (frames_campaign.results, connections_campaign.results, times_campaign.results)


def measured(procedure: type[Procedure]) -> Evidence:
    """A campaign that has results of it."""
    found = [Evidence(results()) for results in CAMPAIGNS]
    return next(one for one in found if any(has_result(item) for item in one.measurements(procedure.named())))


def visible(content: Content) -> str:
    """Its text, without markup."""
    return unescape(re.sub(r"<[^>]*>", "", render(content)))


def test_all_in_their_order() -> None:
    assert tuple(one.procedure for one in OF_PROCEDURES) == PROCEDURES


@pytest.mark.parametrize("procedure", [one for one in PROCEDURES if one.named() not in ("frame_loss", "soak")])
def test_by_itself(procedure: type[Procedure]) -> None:
    """A new procedure has section, sentences and card without a line about it in the report."""
    evidence, report = measured(procedure), OfProcedure(procedure=procedure)
    section = report.section(evidence)
    assert section is not None
    assert section.title == procedure.facts.title
    of = Selection.of(evidence, evidence.measurements(procedure.named()), micro_or_milli)
    shown = visible(section.body)
    for quantity in procedure.facts.quantities:
        assert quantity.role == "beside" or f"{quantity.name}: {quantity.meaning}" in shown or quantity.name in shown
        which: Statistic = "mean" if quantity.headline == "mean" else "median"
        for line in lines_of(of.measurements):
            found = line.figure(quantity, which)
            if quantity.role == "result" and found is not None:
                assert visible(of.shown(found)) in shown
    assert len(report.large(evidence)) == 1
    said = [visible(one) for one in report.sentences(evidence)]
    assert len(said) == min(len(of.measurements), 7)
    assert all(one.startswith(procedure.facts.title) for one in said[:6])


@pytest.mark.parametrize("results", CAMPAIGNS)
def test_tables_and_summary_csv_have_the_same_numbers(results: Callable[[], Results], tmp_path: Path) -> None:
    """Every statistic that a column can show, with its bound and what makes it one."""
    with summary_csv.write(results(), tmp_path).open(encoding="utf-8") as file:
        rows = [row for row in csv.DictReader(file) if row["repetition"] == "" and row["role"] in ("result", "beside")]
    written = {
        (row["quantity"], row["statistic"], row["value"], row["unit"], row["bound"], row["limited_by"]) for row in rows
    }
    shown = 0
    for report in OF_PROCEDURES:
        for line in lines_of(Evidence(results()).measurements(report.procedure.named())):
            for quantity in report.procedure.facts.quantities:
                for statistic in STATISTICS:
                    found = line.figure(quantity, statistic)
                    if found is not None and found.value is not None:
                        row = (quantity.name, statistic, str(found.value), found.unit, found.bound)
                        assert (*row, " ".join(found.limits)) in written
                        shown += 1
    assert shown > 100
