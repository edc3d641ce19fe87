"""Series of several campaigns in the same table, with the ratio to the first's."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.report.comparison import three_campaigns as three
from tests.report.comparison.test_compare import page
from tests.report.test_columns import in_column
from xlatperf.commands.app import run_app
from xlatperf.report.comparison.campaign import Campaign
from xlatperf.report.comparison.joined import joined
from xlatperf.report.comparison.joined_tables import joined_table
from xlatperf.report.scalability.table import ScalabilityTable, TableRow
from xlatperf.results.frames import SideSizes
from xlatperf.results.results import Measurement, Results

IPV4 = SideSizes(left=64, right=64)
NATIVE = {"name": "native", "family": "ipv4"}
OVER_CONNECTIONS = "Performance against the number of connections, 64 bytes"


def native(items: Sequence[Measurement], **bench: dict[str, Any]) -> Results:
    return three.results("linux-forwarding", NATIVE, items, **bench)


def tables(campaigns: Sequence[Campaign]) -> list[ScalabilityTable]:
    return [joined_table(campaigns, one) for one in joined(campaigns)]


def nat44(items: Sequence[Measurement], **bench: dict[str, Any]) -> Results:
    return three.results("nft-nat44", three.NAT44, items, **bench)


def nat64(items: Sequence[Measurement], **bench: dict[str, Any]) -> Results:
    return three.results("tayga-nat64", three.NAT64, items, **bench)


def only(campaigns: Sequence[Campaign]) -> ScalabilityTable:
    (table,) = tables(campaigns)
    return table


def below(table: ScalabilityTable, heading: str) -> dict[str, TableRow]:
    """Rows from a heading to the next, by name."""
    names = [row.name for row in table.rows]
    start = names.index(heading) + 1
    rows: dict[str, TableRow] = {}
    for row in table.rows[start:]:
        if not row.values:
            break
        rows[row.name] = row
    return rows


def test_ratio_to_forwarding(tmp_path: Path) -> None:
    """R9693-5.1: forwarding has no connections, so its one rate stands beside those through any number of them."""
    items = [three.throughput(IPV4, (30_000.0,), 1000), three.throughput(IPV4, (20_000.0,), 2000)]
    items += [three.establishment(IPV4, count, (5_000.0,)) for count in (1000, 2000)]
    table = only(
        three.together(
            tmp_path, plain=native([three.throughput(IPV4, (40_000.0, 42_000.0, 41_000.0))]), nat=nat44(items)
        )
    )
    assert (table.title, table.columns) == (OVER_CONNECTIONS, (1000, 2000))
    assert table.standard.endswith("ratios are to A's medians")
    rate = "throughput, sum of both directions"
    plain = below(table, f"A · plain: {rate} (no connections, with other port number ranges)")
    assert plain["throughput median"].values == (82_000.0, 82_000.0)
    assert plain["throughput min"].values == (80_000.0, 80_000.0)
    assert not any("scale up" in name or "ratio" in name for name in plain), "it's the same rate in all columns"
    nat = below(table, f"B · nat: {rate}")
    assert nat["throughput median"].values == (60_000.0, 40_000.0)
    assert nat["throughput ratio (%)"].values == (100 * 60 / 82, 100 * 40 / 82)
    assert nat["tp rel. scale up"].values == (1.0, 2 / 3)
    cps = below(table, "B · nat: connection establishment rate")
    assert cps["cps median"].values == (5_000.0, 5_000.0)
    assert not any("ratio" in name for name in cps), "A has none"


def test_the_same_ports(tmp_path: Path) -> None:
    items = [three.throughput(IPV4, (30_000.0,), count) for count in (1000, 2000)]
    space = items[0].connections
    assert space is not None
    assert space.server_ports is not None
    clients, servers = (
        {"first": ports[0], "last": ports[1]} for ports in (tuple(space.client_ports), tuple(space.server_ports))
    )
    items[1] = items[1].model_copy(update={"connections": space.model_copy(update={"count": 2000})})
    traffic = {
        "forward": {"source_ports": clients, "destination_ports": servers},
        "reverse": {"source_ports": servers, "destination_ports": clients},
    }
    found = native([three.throughput(IPV4, (40_000.0,))], traffic=traffic)
    table = only(three.together(tmp_path, plain=found, nat=nat44(items)))
    said = "(no connections, using the same port number ranges)"
    assert below(table, f"A · plain: throughput, sum of both directions {said}")


def test_over_cores(tmp_path: Path) -> None:
    """R9693-5.2: a stateless device's series beside one through a number of connections; cores of one of them only."""
    plain = native([three.throughput(IPV4, (40_000.0 * cores,), device_cores=cores) for cores in (1, 2, 4)])
    nat = nat44([three.throughput(IPV4, (10_000.0 * cores,), 1000, device_cores=cores) for cores in (1, 2)])
    table = only(three.together(tmp_path, plain=plain, nat=nat))
    assert table.title == "Performance against the number of CPU cores, 64 bytes, 1,000 connections"
    assert table.columns == (1, 2, 4)
    words = "(no connections, with other port number ranges)"
    first = below(table, f"A · plain: throughput, sum of both directions {words}")
    assert first["tp rel. scale up"].values == (1.0, 1.0, 1.0)
    second = below(table, "B · nat: throughput, sum of both directions")
    assert second["throughput ratio (%)"].values == (25.0, 25.0, None)


def test_two_nats(tmp_path: Path) -> None:
    """IPv4 frames of the same size; each device's own table; a row for all where they are the same."""
    left = nat44(
        [
            in_column(three.establishment(IPV4, count, (rate,)), column, 0, table_size=size)
            for column, (count, rate, size) in enumerate(((1000, 8_000.0, 4096), (2000, 6_000.0, 8192)), 1)
        ]
    )
    right = nat64([three.establishment(three.PLAT, count, (3_000.0,)) for count in (1000, 2000, 4000)])
    table = only(three.together(tmp_path, left=left, right=right))
    assert table.columns == (1000, 2000, 4000)
    top = {row.name: row for row in table.rows[: [bool(row.values) for row in table.rows].index(False)]}
    assert top["contrack t. s."].values == (4096, 8192, None)
    assert {"src ports", "dst ports"} <= set(top)
    cps = below(table, "B · right: connection establishment rate")
    assert cps["cps ratio (%)"].values == (37.5, 50.0, None)


def test_sizes_that_differ(tmp_path: Path) -> None:
    """A row for each campaign."""
    found = {
        name: nat44(
            [
                in_column(three.establishment(IPV4, count, (8_000.0,)), column, 0, table_size=size)
                for column, count in enumerate((1000, 2000), 1)
            ]
        )
        for name, size in (("small", 4096), ("large", 8192))
    }
    table = only(three.together(tmp_path, None, **found))
    rows = {row.name: row.values for row in table.rows}
    assert rows["contrack t. s., A"] == (4096, 4096)
    assert rows["contrack t. s., B"] == (8192, 8192)


def test_equal_numbers(tmp_path: Path) -> None:
    """Columns with the same number of connections stay apart; a device without such tables has one rate for them."""
    columns = [(1000, 64), (1000, 128), (2000, 128)]
    left = nat44(
        [
            in_column(three.establishment(IPV4, count, (float(size),)), column, 0, hash_size=size)
            for column, (count, size) in enumerate(columns, 1)
        ]
    )
    right = nat64([three.establishment(three.PLAT, count, (32.0,)) for count in (1000, 2000)])
    table = only(three.together(tmp_path, left=left, right=right))
    assert below(table, "B · right: connection establishment rate")["cps ratio (%)"].values == (50, 25, 25)


def test_bounds(tmp_path: Path) -> None:
    """A ratio of bounds is one, or isn't known."""
    counts = (1000, 2000)
    limits = {"own": "dut", "asked": "maximum"}
    found = {
        name: nat44([three.establishment(IPV4, count, (1_000.0,), limit) for count in counts])  # type: ignore[arg-type]
        for name, limit in limits.items()
    }
    table = only(three.together(tmp_path, None, **found))
    row = below(table, "B · asked: connection establishment rate")["cps ratio (%)"]
    assert (row.values, row.bounds) == ((100.0, 100.0), (">=", ">="))
    again = only(three.together(tmp_path, a=found["asked"], b=found["asked"]))
    unknown = below(again, "B · b: connection establishment rate")["cps ratio (%)"]
    assert unknown.values == (None, None)


def test_over_alpha(tmp_path: Path) -> None:
    """R9693-4.6-1: alphas are columns, in the bench file's order."""

    def one(rate: float) -> list[Measurement]:
        return [
            in_column(
                three.establishment(IPV4, 1000, (rate,), parameters={} if alpha is None else {"alpha": alpha}), n, 0
            )
            for n, alpha in enumerate((0.8, 0.5, None), 1)
        ]

    table = only(three.together(tmp_path, a=nat44(one(100.0)), b=nat44(one(150.0))))
    assert table.columns == (0.8, 0.5, "no validation")
    (row,) = (row for row in table.rows if "ratio (%)" in row.name)
    assert row.values == (150.0, 150.0, 150.0)


@pytest.mark.parametrize(
    "changes",
    [{"frame_timeout_ms": 1.0}, {"loss_tolerance": {"forward": 0.01, "reverse": 0.01}}, {"frame_size": three.DUAL}],
)
def test_by_other_rules(tmp_path: Path, changes: dict[str, Any]) -> None:
    """Nothing is joined; there is no section and there are no files."""
    sizes = SideSizes(left=128, right=128)
    left = native([three.throughput(sizes, (1000.0,), **changes)])
    right = nat44([three.throughput(sizes, (1000.0,), count) for count in (1000, 2000)])
    assert tables(three.together(tmp_path, left=left, right=right)) == []


def test_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """Section with plot, CSV, LaTeX; a comparison without series takes the earlier one's files away."""
    monkeypatch.chdir(tmp_path)
    items = [three.throughput(IPV4, (30_000.0,), count) for count in (1000, 2000)]
    plain, nat = native([three.throughput(IPV4, (40_000.0,))]), nat44(items)
    three.together(tmp_path, plain=plain, nat=nat, again=plain)
    assert run_app(["compare", "plain", "nat", "-o", "c.html"]) == 0
    assert capsys.readouterr().out.splitlines()[2:] == ["table: c-scalability.csv", "LaTeX: c-scalability.tex"]
    found = page(tmp_path / "c.html")
    assert "scalability" in [attributes["id"] for tag, attributes in found.tags if tag == "section"]
    for words in (OVER_CONNECTIONS, "B · nat: throughput, sum of both directions", "throughput ratio (%)", "75.000"):
        assert words in found.visible, words
    with (tmp_path / "c-scalability.csv").open(encoding="utf-8", newline="") as file:
        rows = {line[0]: line[1:] for line in csv.reader(file) if line}
    assert rows["throughput ratio (%)"] == ["", "75.0", "75.0"]
    latex = (tmp_path / "c-scalability.tex").read_text(encoding="utf-8")
    assert r"\label{tab:comparison-1}" in latex
    assert "throughput ratio (\\%) & 75.000 & 75.000" in latex
    assert "Devices: A: " in latex
    assert run_app(["compare", "plain", "again", "-o", "c.html"]) == 0
    assert not list(tmp_path.glob("c-scalability*"))


def test_tables_of_one_device(tmp_path: Path) -> None:
    """A campaign that varies its table's size has a table of results for each, the other's stand where they fit."""

    def one(*sizes: int) -> Results:
        return nat44(
            [
                in_column(three.establishment(IPV4, count, (8_000.0,)), column, measure, table_size=size)
                for measure, size in enumerate(sizes)
                for column, count in enumerate((1000, 2000), 1)
            ]
        )

    table = only(three.together(tmp_path, several=one(4096, 8192), single=one(8192)))
    assert table.title.endswith("64 bytes, 8,192 entries")


def test_over_frame_sizes(tmp_path: Path) -> None:
    """By the size of the IPv4 frame with the same data, whatever side the bench files name."""
    left = native(
        [
            in_column(three.throughput(SideSizes(left=size, right=size), (10_000.0,)), n, 0, frame_size_named=size)
            for n, size in enumerate((64, 128), 1)
        ]
    )
    right = nat64(
        [
            in_column(
                three.throughput(SideSizes(left=size + 20, right=size), (5_000.0,), 1000),
                n,
                0,
                frame_size_named=size + 20,
            )
            for n, size in enumerate((64, 128), 1)
        ]
    )
    table = only(three.together(tmp_path, left=left, right=right))
    assert table.columns == (64, 128)
    (row,) = (row for row in table.rows if "ratio (%)" in row.name)
    assert row.values == (50.0, 50.0)
