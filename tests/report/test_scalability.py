"""The tables of scalability: RFC 9693 §6 and draft-lencse-v6ops-transition-scalability, as HTML, CSV and LaTeX."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pytest

from tests.report import changed, connections_campaign, frames_campaign
from tests.report.changed import rates, space, throughputs
from tests.report.test_connections import ids, sections, written
from xlatperf.commands.report import write_report
from xlatperf.keys.in_words import plural
from xlatperf.report.evidence import Evidence
from xlatperf.report.scalability import as_csv, as_latex
from xlatperf.report.scalability.as_latex import escaped
from xlatperf.report.scalability.table import ScalabilityTable
from xlatperf.report.scalability.tables import tables
from xlatperf.results.connection_records import AddressesRecord
from xlatperf.results.results import Measurement


def evidence(*measurements: Measurement, **changes: Any) -> Evidence:
    results = connections_campaign.results(measurements=measurements, **changes)
    return Evidence(results, connections_campaign.ENVIRONMENT)


def values(table: ScalabilityTable) -> dict[str, tuple[float | None, ...]]:
    return {row.name: row.values for row in table.rows}


def test_rfc_9693() -> None:
    """R9693-6-1, R9693-6-2, R9693-6-3: Table 1: required and implementation-specific rows."""
    first = tables(evidence(*connections_campaign.measurements()))[0]
    assert (first.head, first.columns) == ("number of sessions (req.)", (4_000, 40_000, 400_000))
    assert values(first) == {
        "source port numbers (req.)": (40_000, 40_000, 40_000),
        "destination port numbers (req.)": (1, 1, 10),
        "hashsize (i.s.)": (16_384, 16_384, 16_384),
        "nf_conntrack_max (i.s.)": (65_536, 65_536, 65_536),
        "num. sessions / hashsize (i.s.)": (4_000 / 16_384, 40_000 / 16_384, 400_000 / 16_384),
        "number of experiments (req.)": (3, 3, 3),
        "error of binary search (req.)": (391.0, 390.0, 391.0),
        "connections/s median (req.)": (61_787.0, 59_836.0, 45_000.0),
        "connections/s 1st perc. (req.)": (60_616.0, 58_664.0, 43_828.0),
        "connections/s 99th perc. (req.)": (62_958.0, 60_616.0, 45_780.0),
    }


def test_over_connections() -> None:
    """P(ni) / P(n0); what was not measured for a number of connections is not known."""
    found = tables(evidence(*connections_campaign.measurements()))
    table = next(one for one in found if one.standard.startswith("after draft"))
    relative: list[tuple[object, ...]] = [row.values for row in table.rows if row.name.endswith("rel. scale up")]
    assert relative == [
        (1.0, pytest.approx(59_836 / 61_787), pytest.approx(45_000 / 61_787)),
        (1.0, pytest.approx((40_000 / 0.040) / (4_000 / 0.004)), None),
        (1.0, pytest.approx(119_782 / 149_092), None),
    ]
    assert [row.name for row in table.rows if not row.values] == [
        "connection establishment rate",
        "connection tear-down rate",
        "throughput, sum of both directions",
    ]
    assert values(table)["empty contr. del med"] == (0.001, 0.001, None)
    gross = values(table)["median with the call"]
    assert gross == pytest.approx((4_000 / 0.005, 40_000 / 0.041, None))


def test_the_drafts_rates_are_sums_of_both_directions() -> None:
    """R9693-5: "the number of all packets per second is displayed"; what a search finds is each direction's."""
    (table,) = tables(evidence(throughputs(1000, (50_000.0, 40_000.0)), throughputs(2000, (45_000.0, 30_000.0))))
    shown = values(table)
    assert shown["throughput median"] == (90_000.0, 75_000.0)
    assert shown["throughput min"] == (80_000.0, 60_000.0)
    assert shown["throughput median of each direction"] == (45_000.0, 37_500.0)
    one_way = [throughputs(count, (50_000.0,), direction="forward") for count in (1000, 2000)]
    (table,) = tables(evidence(*one_way))
    assert values(table)["throughput median"] == (50_000.0, 50_000.0)
    assert "throughput median of each direction" not in values(table)


def test_over_cores() -> None:
    """P(n) / (n P(1))."""
    (table,) = tables(evidence(*changed.over_cores()))
    assert (table.head, table.columns) == ("num. CPU cores", (1, 2))
    assert "40,000 connections" in table.title
    relative = [row.values for row in table.rows if row.name.endswith("rel. scale up")]
    assert relative == [(1.0, pytest.approx(95_500 / 119_000)), (1.0, 0.75)]


def test_stateless_over_cores() -> None:
    """Cores can be a series without connections."""
    items = [throughputs(4, (rate,), cores=cores) for cores, rate in ((1, 100_000.0), (4, 200_000.0))]
    (table,) = tables(evidence(*[item.model_copy(update={"connections": None, "measure": "a"}) for item in items]))
    assert values(table)["tp rel. scale up"] == (1.0, 0.5)
    assert "src ports" not in values(table)


def test_without_one_core_there_is_no_scale_up() -> None:
    items = [throughputs(4, (rate,), cores=cores) for cores, rate in ((2, 100_000.0), (4, 200_000.0))]
    (table,) = tables(evidence(*items))
    assert values(table)["tp rel. scale up"] == (None, None)


def test_both() -> None:
    """A table for each number of cores over connections, and for each number of connections over cores."""
    items = [rates(count, (count * cores / 2,), cores=cores) for count in (100, 200) for cores in (1, 2)]
    titles = [table.title for table in tables(evidence(*items)) if table.standard.startswith("after draft")]
    assert [title.partition("bytes, ")[2] for title in titles] == [
        "1 core",
        "2 cores",
        "100 connections",
        "200 connections",
    ]


def subscribed(count: int, found: tuple[float, ...], direction: str = "bidirectional", **changes: Any) -> Measurement:
    """Of a stateless device, over the number of subscribers."""
    stateless = {"connections": None, "establish_fps": None, "subscribers": count, "direction": direction}
    named = {"measure": f"throughput, {plural(count, 'subscriber')}"}
    return throughputs(4, found).model_copy(update={**stateless, **named, **changes})


def test_over_subscribers() -> None:
    """R8219-10.2.1: n is stated, the degradation against one in percent; one way and both ways in one table."""
    ways = {"forward": (90_000.0, 60_000.0), "reverse": (70_000.0, 77_000.0), "bidirectional": (50_000.0, 40_000.0)}
    items = [
        subscribed(count, (rate, rate + 100, rate + 300), direction)
        for direction, found in ways.items()
        for count, rate in zip((1, 1_000_000), found, strict=True)
    ]
    (table,) = tables(evidence(*items))
    assert (table.head, table.columns) == ("num. subscribers", (1, 1_000_000))
    assert table.title == "Performance against the number of subscribers, 84 bytes"
    rows = [(row.name, row.values) for row in table.rows]
    assert [name for name, found in rows if not found] == [
        "throughput, left to right",
        "throughput, right to left",
        "throughput, sum of both directions",
    ]
    assert [found for name, found in rows if name == "throughput median"] == [
        (90_100.0, 60_100.0),
        (70_100.0, 77_100.0),
        (100_200.0, 80_200.0),
    ]
    assert next(found for name, found in rows if name == "throughput P1") == (90_000.0, 60_000.0)
    assert [found for name, found in rows if name == "throughput P99"][2] == (100_600.0, 80_600.0)
    percents = [found[1] for name, found in rows if name == "tp degradation"]
    assert percents == pytest.approx([100 * 30_000 / 90_100, -100 * 7_000 / 70_100, 100 * 20_000 / 100_200])


def test_without_one_subscriber_there_is_no_degradation() -> None:
    (table,) = tables(evidence(*[subscribed(count, (1000.0,)) for count in (10, 100)]))
    assert values(table)["tp rel. scale up"] == (1.0, 1.0)
    assert "tp degradation" not in values(table)


def test_subscribers_and_cores() -> None:
    """A table over each with the other as it is."""
    items = [
        subscribed(count, (1000.0 * cores,), device_cores=cores, measure="throughput")
        for count in (10, 20)
        for cores in (1, 2)
    ]
    titles = [table.title.partition("bytes, ")[2] for table in tables(evidence(*items))]
    assert titles == ["1 core", "2 cores", "10 subscribers", "20 subscribers"]


def test_alphas_directions_and_doubles_are_lines_of_their_own() -> None:
    items = [
        *[rates(count, (1000.0,)) for count in (100, 200)],
        *[rates(count, (900.0,), alpha=alpha) for count in (100, 200) for alpha in (0.5, 0.8)],
        *[throughputs(count, (5000.0,), direction="reverse") for count in (100, 200)],
        *[rates(count, (1100.0,)) for count in (100, 200)],
        rates(300, (1.0,), alpha=0.1),
    ]
    table = tables(evidence(*items))[-1]
    assert [row.name for row in table.rows if not row.values] == [
        "connection establishment rate",
        "connection establishment rate",
        "validated connection establishment rate, alpha = 0.5",
        "validated connection establishment rate, alpha = 0.8",
        "throughput, right to left",
    ]
    assert table.columns == (100, 200)


def test_several_addresses_are_reported() -> None:
    """RFC 9693 §5.1: ranges of IP addresses and ports."""
    clients = AddressesRecord(first="10.0.0.2", addresses=5, step=1)
    known = [(rates(count, (1000.0,)), space(count, clients=clients)) for count in (100, 200)]
    items = [item.model_copy(update={"connections": found}) for item, found in known]
    assert values(tables(evidence(*items))[0])["source addresses"] == (5, 5)


def test_nothing_to_compare(tmp_path: Path) -> None:
    """No section, no files."""
    alone = evidence(rates(100, (1000.0,)), throughputs(100, (1000.0,)))
    assert tables(alone) == []
    assert as_csv.write(alone, tmp_path) is None
    assert as_latex.write(alone, tmp_path) is None
    lines = write_report(frames_campaign.results(), tmp_path)
    assert not [line for line in lines if "scalability" in line]
    assert not list(tmp_path.glob("scalability*"))


def test_without_a_result() -> None:
    items = [rates(100, (1000.0,)), rates(200, (), failures=(changed.failure("no"),))]
    table = tables(evidence(*items))[0]
    assert values(table)["connections/s median (req.)"] == (1000.0, None)


def test_html(tmp_path: Path) -> None:
    measurements = (*connections_campaign.measurements(), *changed.over_cores())
    page = written(connections_campaign.results(measurements=measurements), tmp_path)
    assert "scalability" in sections(page)
    assert {"plot-scale-0", "plot-scale-1"} <= ids(page)
    assert "connections/s median (req.) 61,787 59,836 45,000" in page.visible
    assert "cps rel. scale up P(ni) / P(n0) 1.000 0.968 0.728" in page.visible
    assert "rel. scale up P(n) / (n P(1)) 1.000 0.803" in page.visible


def test_csv(tmp_path: Path) -> None:
    path = as_csv.write(evidence(*connections_campaign.measurements()), tmp_path)
    assert path is not None
    with path.open(encoding="utf-8", newline="") as file:
        lines = list(csv.reader(file))
    assert lines[1] == ["number of sessions (req.)", "", "4000", "40000", "400000"]
    assert ["hashsize (i.s.)", "", "16384", "16384", "16384"] in lines
    assert ["connections/s 1st perc. (req.)", "", "60616.0", "58664.0", "43828.0"] in lines
    assert ["tp rel. scale up", "P(ni) / P(n0)", "1.0", str(119_782 / 149_092), ""] in lines
    assert lines.count([]) == 2
    begin = lines.index(["of all searches", "", "C0", "R0", "CS", "RS", "CT", "C"])
    assert lines[begin + 2] == ["median", "", "10000.0", "49660.0", "40000.0", "49660.0", "80000.0", "65000.0"]


def test_latex(tmp_path: Path) -> None:
    """booktabs; as many columns as there are values; what LaTeX would understand is escaped."""
    found = evidence(*connections_campaign.measurements(), title="100 % of\nA_B & {C}")
    path = as_latex.write(found, tmp_path)
    assert path is not None
    text = path.read_text(encoding="utf-8")
    assert text.startswith("% 100 % of A_B & {C}: Linux NAT44\n% Made by xlatperf")
    for part in (
        r"\begin{tabular}{lrrr}",
        r"\toprule",
        r"number of sessions (req.) & 4,000 & 40,000 & 400,000 \\",
        r"nf\_conntrack\_max (i.s.) & 65,536 & 65,536 & 65,536 \\",
        r"connections/s median (req.) & 61,787 & 59,836 & 45,000 \\",
        r"\multicolumn{4}{l}{\textit{connection tear-down rate}} \\",
        r"tp rel. scale up, P(ni) / P(n0) & 1.000 & 0.803 & -- \\",
    ):
        assert part in text
    rows = [line for line in text.splitlines() if line.endswith(r" \\") and "multicolumn" not in line]
    assert {line.count(" & ") for line in rows} == {3, 6}
    assert text.count(r"\begin{table}") == text.count(r"\end{table}") == 3


def test_escaped() -> None:
    assert escaped("a_b & 5 % {x} \\ # $ ~ ^ <§>") == (
        r"a\_b \& 5 \% \{x\} \textbackslash{} \# \$ \textasciitilde{} \textasciicircum{} "
        r"\textless{}\S{}\textgreater{}"
    )
    assert escaped("two\nlines\x00") == "two lines"


def test_hostile_names_stay_in_their_cells(tmp_path: Path) -> None:
    environment = {"device": {"description": "\\input{/etc/passwd} %&\n\\end{table}"}}
    results = connections_campaign.results()
    results = results.model_copy(update={"bench": {**results.bench, "device": {"driver": "manual"}}})
    text = (as_latex.write(Evidence(results, environment), tmp_path) or tmp_path).read_text(encoding="utf-8")
    assert r"\input" not in text.replace("% NAT44 by nftables: \\input", "")
    assert text.count(r"\end{table}") == 3 + 1  # the first line is a comment


def test_command(tmp_path: Path) -> None:
    (tmp_path / "environment.json").write_text(json.dumps(connections_campaign.ENVIRONMENT))
    lines = write_report(connections_campaign.results(), tmp_path)
    assert [line for line in lines if line.startswith("tables:")] == [
        f"tables:  {tmp_path / 'scalability.csv'}",
        f"tables:  {tmp_path / 'scalability.tex'}",
    ]
