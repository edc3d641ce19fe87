"""Each procedure has its part of the report: its own words, or what follows from its quantities alone."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Callable
from html import unescape
from pathlib import Path

import pytest

from tests.report import connections_campaign, frames_campaign, times_campaign
from tests.run.test_recorded import recorded
from xlatperf.procedures.frame_loss import FrameLoss
from xlatperf.procedures.procedure import Procedure
from xlatperf.procedures.registry import PROCEDURES
from xlatperf.procedures.reset import RESTART
from xlatperf.procedures.throughput import Throughput
from xlatperf.report import figure, summary_csv
from xlatperf.report.evidence import Evidence
from xlatperf.report.figure import Figure
from xlatperf.report.line import lines_of
from xlatperf.report.markup import Content, render
from xlatperf.report.of_procedure import OfProcedure
from xlatperf.report.sections.of_procedures import OF_PROCEDURES
from xlatperf.report.selection import Selection
from xlatperf.report.values import has_result
from xlatperf.results.file import read_results
from xlatperf.results.results import Results

CAMPAIGNS = (frames_campaign.results, connections_campaign.results, times_campaign.results)


def measured(procedure: type[Procedure]) -> Evidence:
    """A campaign that has results of it."""
    found = [Evidence(results()) for results in (*CAMPAIGNS, soaked)]
    return next(one for one in found if any(has_result(item) for item in one.measurements(procedure.named())))


def soaked() -> Results:
    """A recorded one."""
    return read_results(json.dumps(recorded("soak")))


def visible(content: Content) -> str:
    """Its text, without markup."""
    return unescape(re.sub(r"<[^>]*>", "", render(content)))


def test_all_in_their_order() -> None:
    assert tuple(one.procedure for one in OF_PROCEDURES) == PROCEDURES


@pytest.fixture
def shown(monkeypatch: pytest.MonkeyPatch) -> list[Figure]:
    """The figures that tables have printed."""
    found: list[Figure] = []

    def recorded(of: Selection, one: Figure | None) -> Content:
        found.extend([one] if one is not None and one.value is not None else [])
        return figure.shown(one, of.scale)

    monkeypatch.setattr(Selection, "shown", recorded)
    return found


@pytest.mark.parametrize("procedure", PROCEDURES)
def test_by_itself(procedure: type[Procedure], shown: list[Figure]) -> None:
    """A new procedure has section, sentences and card without a line about it in the report."""
    evidence, report, facts = measured(procedure), OfProcedure(procedure=procedure), procedure.facts
    section = report.section(evidence)
    assert section is not None
    assert section.title == facts.title
    for line in lines_of(evidence.measurements(procedure.named())):
        for quantity in facts.results:
            found = line.figure(quantity, quantity.headline)
            if quantity not in facts.performance and found is not None:
                assert found in shown
    said = [visible(one) for one in report.sentences(evidence)]
    assert said
    assert all(one.startswith(facts.title) and "()" not in one for one in said[:6])


def test_a_bound_is_one_in_sentence_and_card() -> None:
    """As in tables and summary.csv; and a rate has its unit."""
    evidence, report = Evidence(times_campaign.results()), OfProcedure(procedure=Throughput)
    assert "throughput at least 1,000 frames/s (" in visible(report.sentences(evidence))
    assert "≥ 1,000frames/s, throughput" in visible(report.large(evidence)).replace("\N{NO-BREAK SPACE}", " ")


def test_each_of_several_rates_has_its_line() -> None:
    """Of frame loss: nothing of the first rate stands for all."""
    evidence = Evidence(frames_campaign.results())
    items = evidence.measurements("frame_loss")
    lines = lines_of(items)
    assert {line.rate_fps for line in lines} == {one.rate_fps for item in items for one in item.values}
    report = OfProcedure(procedure=FrameLoss)
    assert f"measured at {len({line.rate_fps for line in lines if line.item is items[0]})} rates of up to" in visible(
        report.sentences(evidence)
    )
    assert report.large(evidence) == []


def test_what_is_of_both_directions_stands_in_each_line() -> None:
    line = next(line for line in lines_of(times_campaign.everything()) if line.item.procedure == "reset")
    assert line.direction is not None
    assert line.figure(RESTART, "mean") is not None


@pytest.mark.parametrize("results", CAMPAIGNS)
def test_tables_have_the_numbers_of_summary_csv(
    results: Callable[[], Results], tmp_path: Path, shown: list[Figure]
) -> None:
    """Value, unit, bound and what makes it one; medians that follow from medians stand there as derived values."""
    with summary_csv.write(results(), tmp_path).open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    written = {(row["value"], row["unit"], row["bound"]) for row in rows}
    for report in OF_PROCEDURES:
        report.section(Evidence(results()))
    assert len(shown) > 50
    assert [one for one in shown if (str(one.value), one.unit, one.bound) not in written] == []
