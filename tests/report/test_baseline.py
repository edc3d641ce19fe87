"""The baseline in tables of scalability: native forwarding with the same ports, and the ratio to it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.report import connections_campaign, frames_campaign
from tests.report.changed import frames, rates, throughputs
from tests.report.draft_labels import FIG_2
from tests.report.test_columns import in_column
from tests.report.test_draft_lencse import labels_of
from xlatperf.commands.baseline import keep_baseline
from xlatperf.commands.exits import UserError
from xlatperf.report.evidence import Evidence
from xlatperf.report.scalability.tables import tables
from xlatperf.results.frames import SideSizes
from xlatperf.results.results import Results

PORTS = {"first": 1024, "last": 41023}
SERVERS = {"first": 1, "last": 1}
HEADING = "IPv4 packet forwarding (using the same port number ranges)"
BASELINE = "error | throughput median | throughput min | throughput max | tp. rel. scale up | throughput ratio (%)"


def native(found: dict[int, float], *, servers: dict[str, int] = SERVERS, **more: Any) -> Results:
    """Of so many cores each."""
    traffic = {
        "forward": {"source_ports": PORTS, "destination_ports": servers},
        "reverse": {"source_ports": servers, "destination_ports": PORTS},
    }
    items = tuple(
        frames((rate,), device_cores=cores, frame_size=SideSizes(left=84, right=84)) for cores, rate in found.items()
    )
    known = frames_campaign.results(measurements=items, technology={"name": "native", "family": "ipv4"}, **more)
    return known.model_copy(update={"bench": {**known.bench, "traffic": traffic}})


def over_cores() -> Results:
    items = [
        in_column(one(4000, (rate * cores,), cores=cores), cores, measure)
        for measure, (one, rate) in enumerate(((rates, 1000.0), (throughputs, 2000.0)), 1)
        for cores in (1, 2)
    ]
    results = connections_campaign.results(measurements=items)
    return results.model_copy(update={"bench": {**results.bench, "report": {"labels": "draft-lencse"}}})


def shown(folder: Path, results: Results) -> list[tuple[str, tuple[float | None, ...]]]:
    """The rows of the first table."""
    table = tables(Evidence(results, connections_campaign.ENVIRONMENT, folder=folder))[0]
    return [(row.name, row.values) for row in table.rows]


def test_below_the_others(tmp_path: Path) -> None:
    """R9693-5.2: with the labels of the draft's Fig. 2 to the letter."""
    keep_baseline(tmp_path, tmp_path, "--baseline", native({1: 4000.0, 2: 7000.0}))
    results = over_cores()
    evidence = Evidence(results, connections_campaign.ENVIRONMENT, folder=tmp_path)
    table = tables(evidence)[0]
    assert labels_of(table) == f"{FIG_2} | {HEADING} | {BASELINE}"
    rows = shown(tmp_path, results)
    below = dict(rows[[name for name, _ in rows].index(HEADING) :])
    assert below["throughput median"] == (8000.0, 14_000.0)
    assert below["tp. rel. scale up"] == (1.0, 0.875)
    assert below["throughput ratio (%)"] == (50.0, 100 * 4000 / 7000)
    generic = next(one for one in tables(evidence) if one.standard.startswith("after draft"))
    assert HEADING in [row.name for row in generic.rows]


def test_other_ports_and_missing_cores(tmp_path: Path) -> None:
    """It's said that ports differ; cores that the baseline was not measured with have none."""
    keep_baseline(tmp_path, tmp_path, "--baseline", native({1: 4000.0}, servers={"first": 1, "last": 9}))
    rows = shown(tmp_path, over_cores())
    assert HEADING not in dict(rows)
    assert "IPv4 packet forwarding (with other port number ranges)" in dict(rows)
    assert dict(rows)["throughput ratio (%)"] == (50.0, None)


@pytest.mark.parametrize("other", [{"frame_timeout_ms": 1.0}, {"loss_tolerance": {"forward": 0.001, "reverse": 0.001}}])
def test_by_the_same_rules_only(tmp_path: Path, other: dict[str, Any]) -> None:
    """A rate that may lose some, or whose late frames count as lost, has no ratio to one without."""
    keep_baseline(tmp_path, tmp_path, "--baseline", native({1: 4000.0, 2: 7000.0}))
    results = over_cores()
    changed = tuple(
        one.model_copy(update=other) if one.procedure == "throughput" else one for one in results.measurements
    )
    assert "throughput ratio (%)" not in dict(shown(tmp_path, results.model_copy(update={"measurements": changed})))


def test_nothing_to_compare_with(tmp_path: Path) -> None:
    """Other sizes or cores, no baseline, a broken one."""
    for found in (native({4: 4000.0}), native({})):
        if found.measurements:
            keep_baseline(tmp_path, tmp_path, "--baseline", found)
        assert "throughput ratio (%)" not in dict(shown(tmp_path, over_cores()))
    (tmp_path / "baseline.json").write_text("{")
    assert "throughput ratio (%)" not in dict(shown(tmp_path, over_cores()))


@pytest.mark.parametrize(
    "changes",
    [
        {"technology": {"name": "siit"}},
        {"measurements": ()},
        {"technology": {"name": "native", "double_translation": True}},
    ],
)
def test_no_baseline(tmp_path: Path, changes: dict[str, Any]) -> None:
    results = native({1: 1.0}).model_copy(update=changes)
    with pytest.raises(UserError) as caught:
        keep_baseline(tmp_path, Path("x"), "report.baseline", results)
    said = "report.baseline: x is not allowed: the folder of a campaign with technology native and a throughput measure"
    assert str(caught.value) == said
