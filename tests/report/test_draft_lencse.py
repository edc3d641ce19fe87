"""Tables with the labels of draft-lencse-v6ops-transition-scalability-05, to the letter, in its order."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.report import connections_campaign
from tests.report.changed import rates, throughputs, valued
from tests.report.draft_labels import FIG_2, FIG_4, FIG_5, FIG_8, FIG_9, FIG_10, FIG_11, FIG_12, FIG_13
from tests.report.test_columns import in_column
from tests.report.test_scalability import values
from xlatperf.procedures import teardown
from xlatperf.report.evidence import Evidence
from xlatperf.report.scalability import as_csv, as_latex
from xlatperf.report.scalability.table import ScalabilityTable
from xlatperf.report.scalability.tables import tables
from xlatperf.report.sections.scalability import section
from xlatperf.results.results import Measurement

COUNTS = (1_562_500, 6_250_000)


def made(*measurements: Measurement, labels: str = "draft-lencse", linux: bool = True) -> list[ScalabilityTable]:
    """Those with labels; of a device whose table's sizes are known, or not."""
    results = connections_campaign.results(measurements=measurements)
    results = results.model_copy(update={"bench": {**results.bench, "report": {"labels": labels}}})
    found = tables(Evidence(results, connections_campaign.ENVIRONMENT if linux else {}))
    return [table for table in found if table.title.startswith("Fig. ")]


def labels_of(table: ScalabilityTable) -> str:
    return " | ".join([table.head, *(row.name for row in table.rows)])


def over_connections(**more: Any) -> list[Measurement]:
    deleting = {teardown.RATE: (2e6, 2e6, 2e6), teardown.DELETING: (1.0, 2.0, 3.0), teardown.DELETING_EMPTY: (0.1,) * 3}
    known = next(one for one in connections_campaign.measurements() if one.procedure == "teardown")
    found = []
    for number, count in enumerate(COUNTS, 1):
        first = rates(count, (1000.0, 1100.0, 1200.0))
        rate = teardown.rate_of_medians(count, deleting[teardown.DELETING], deleting[teardown.DELETING_EMPTY])
        cleared = valued(known, deleting, connections=first.connections, derived=(rate,))
        of_each = (first, throughputs(count, (2000.0, 2100.0, 2200.0)), cleared)
        found += [in_column(one, number, measure, **more) for measure, one in enumerate(of_each, 1)]
    return found


def test_a_bound_has_no_deletion_time() -> None:
    """R9693-4.8: of too few connections it isn't known what they alone take; of the other column it is."""
    items = over_connections()
    at = next(index for index, one in enumerate(items) if one.procedure == "teardown")
    limited = tuple(one.model_copy(update={"limited_by": "resolution"}) for one in items[at].repetitions)
    items[at] = items[at].model_copy(update={"repetitions": limited})
    found = values(made(*items, labels="draft-lencse-pf", linux=False)[1])
    assert found["Connections deletion time (s)"] == (None, 1.9)
    assert found["Filled table deletion time med. (s)"] == (2.0, 2.0)


@pytest.mark.parametrize(
    ("labels", "linux", "wanted"),
    [
        ("draft-lencse", True, (("Fig. 4", FIG_4), ("Fig. 5", FIG_5))),
        ("draft-lencse", False, (("Fig. 9", FIG_9), ("Fig. 10", FIG_10))),
        ("draft-lencse-pf", False, (("Fig. 12", FIG_12), ("Fig. 13", FIG_13))),
    ],
)
def test_over_connections(labels: str, linux: bool, wanted: Sequence[tuple[str, str]]) -> None:
    """R9693-5.1, R9693-4.8."""
    found = made(*over_connections(), labels=labels, linux=linux)
    assert [(table.title.partition(":")[0], labels_of(table)) for table in found] == list(wanted)
    assert all(table.columns == COUNTS for table in found)
    shown = [values(table) for table in found]
    if labels == "draft-lencse-pf":
        assert shown[0]["Median (cps)"] == (1100.0, 1100.0)
        assert shown[0]["Median (fps)"] == (4200.0, 4200.0), "of both directions"
        assert shown[0]["Median / previous median"] == (None, 1.0)
        assert shown[1]["Connections deletion time (s)"] == (1.9, 1.9)
        return
    assert shown[0]["cps max"] == (1200.0, 1200.0)
    assert shown[0]["throughput med."] == (4200.0, 4200.0)
    rate = shown[1]["conn. tear d. rate" if linux else "conn. t. d. r. (M)"]
    assert rate == pytest.approx([count / 1.9 / (1 if linux else 1e6) for count in COUNTS])
    assert all(row.unit == "" for table in found for row in table.rows), "nothing beside the labels"


@pytest.mark.parametrize(("linux", "figure", "wanted"), [(True, "Fig. 2", FIG_2), (False, "Fig. 8", FIG_8)])
def test_over_cores(linux: bool, figure: str, wanted: str) -> None:
    """R9693-5.2."""
    items = [
        in_column(one(4000, (rate * cores,), cores=cores), cores, measure)
        for measure, (one, rate) in enumerate(((rates, 1000.0), (throughputs, 2000.0)), 1)
        for cores in (1, 2)
    ]
    (table,) = made(*items, linux=linux)
    assert (table.title.partition(":")[0], labels_of(table)) == (figure, wanted)
    assert values(table)["tp. rel. scale up"] == (1.0, 1.0)


def test_over_alpha() -> None:
    """R9693-4.6-1."""
    items = [
        in_column(rates(4000, (9.0,), alpha=alpha), number, 1) for number, alpha in enumerate((0.8, 0.25, None), 1)
    ]
    (table,) = made(*items)
    assert labels_of(table) == FIG_11
    assert table.columns == (0.8, 0.25, "no validation")


def test_capacity() -> None:
    """R9693-4.9: Fig. 6."""
    capacity = next(item for item in connections_campaign.measurements() if item.procedure == "capacity")
    (table,) = made(capacity)
    assert table.columns == ("C0", "R0", "CS", "RS", "CT", "C")
    assert [row.name for row in table.rows] == ["median", "min", "max"]
    results = connections_campaign.results(measurements=(capacity,))
    results = results.model_copy(update={"bench": {**results.bench, "report": {"labels": "draft-lencse"}}})
    assert "Fig. 6" in str(section(Evidence(results)))


def test_written(tmp_path: Path) -> None:
    results = connections_campaign.results(measurements=over_connections())
    results = results.model_copy(update={"bench": {**results.bench, "report": {"labels": "draft-lencse"}}})
    evidence = Evidence(results, connections_campaign.ENVIRONMENT)
    text = (as_csv.write(evidence, tmp_path) or tmp_path).read_text(encoding="utf-8")
    assert text.startswith('"Fig. 4: performance over connections')
    assert "Fig. 4: performance over connections" in str(section(evidence))
    latex = (as_latex.write(evidence, tmp_path) or tmp_path).read_text(encoding="utf-8")
    assert r"c.t.s/num.conn." not in latex.partition("Fig. 5")[0]
    assert r"n.c./h.t.s. &" in latex
    assert r"full contr. del med &" in latex


@pytest.mark.parametrize("labels", [None, "other", 5, ["draft-lencse"]])
def test_not_asked_for(labels: Any) -> None:
    assert not made(*over_connections(), labels=labels)
