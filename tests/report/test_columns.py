"""Tables of measures with columns: one thing leads, the others are rows (draft-lencse-v6ops-transition-scalability)."""

from __future__ import annotations

from typing import Any

import pytest

from tests.report import changed, connections_campaign
from tests.report.changed import rates, throughputs
from tests.report.test_scalability import evidence, values
from xlatperf.report.plots import scale_up
from xlatperf.report.scalability.as_latex import tabular
from xlatperf.report.scalability.groups import LEADING, groups
from xlatperf.report.scalability.tables import tables
from xlatperf.report.series import AXES
from xlatperf.results.results import Measurement

SIZES = ((1_000, 4096, 1024), (4_000, 8192, 4096), (16_000, 8192, 8192))
"""Connections, size of the table, buckets."""


def in_column(item: Measurement, column: int, measure: int, **more: Any) -> Measurement:
    return item.model_copy(update={"column": column, "measure_number": measure, **more})


def both() -> list[Measurement]:
    """Establishment and throughput, which have the same columns."""
    found = []
    for number, (count, entries, buckets) in enumerate(SIZES, 1):
        sizes = {"table_size": entries, "hash_size": buckets}
        found += [
            in_column(rates(count, (10_000.0 * number,)), number, 1, **sizes),
            in_column(throughputs(count, (30_000.0 * number,)), number, 2, **sizes),
        ]
    return found


def test_one_table_of_all() -> None:
    """R9693-5.1, R9693-6-3: the sizes of the table are each column's own, not what the device had at the beginning."""
    first, second = tables(evidence(*both()))
    assert first.standard.startswith("RFC 9693 §6")
    assert values(first)["nf_conntrack_max (i.s.)"] == (4096, 8192, 8192)
    assert values(first)["num. sessions / hashsize (i.s.)"] == (1000 / 1024, 4000 / 4096, 16_000 / 8192)
    assert (second.head, second.columns) == ("num. conn.", (1_000, 4_000, 16_000))
    assert second.title == "Performance against the number of connections, 84 bytes"
    shown = values(second)
    assert shown["contrack t. s."] == (4096, 8192, 8192)
    assert shown["c.t.s/num.conn."] == (4.096, 2.048, 0.512)
    assert shown["n.c./h.t.s."] == (1000 / 1024, 4000 / 4096, 16_000 / 8192)
    assert shown["cps median"] == (10_000.0, 20_000.0, 30_000.0)
    assert shown["cps rel. scale up"] == (1.0, 2.0, 3.0)
    assert shown["cps median / previous median"] == (None, 2.0, 1.5)
    assert shown["throughput median"] == (60_000.0, 120_000.0, 180_000.0)


def test_equal_numbers_with_other_tables() -> None:
    """Each is a column, also where what leads is the same; none is lost in the plot."""
    items = [
        in_column(rates(1000, (rate,)), number, 1, table_size=size)
        for number, size, rate in (
            (1, 2000, 500.0),
            (2, 4000, 600.0),
        )
    ] + [in_column(rates(2000, (700.0,)), 3, 1, table_size=4000)]
    table = tables(evidence(*items))[-1]
    assert table.columns == (1_000, 1_000, 2_000)
    assert values(table)["cps median"] == (500.0, 600.0, 700.0)
    drawn = str(scale_up.plot(groups(items), "plot"))
    assert all(rate in drawn for rate in ("500", "600", "700"))


def test_over_alpha() -> None:
    """R9693-4.6-1: the draft's Fig. 11: columns as the bench file has them, the last without validation."""
    alphas = (0.8, 0.25, None)
    items = [
        in_column(rates(1000, (1000.0 * number,), alpha=alpha), number, 1) for number, alpha in enumerate(alphas, 1)
    ]
    (table,) = tables(evidence(*items))
    assert (table.head, table.columns) == ("alpha", (0.8, 0.25, "no validation"))
    assert table.heads() == ["0.8", "0.25", "no validation"]
    shown = values(table)
    assert shown["num. conn."] == (1000, 1000, 1000)
    assert shown["cps median"] == (1000.0, 2000.0, 3000.0)
    assert not [name for name in shown if "scale up" in name or "previous" in name]
    assert r"alpha & 0.8 & 0.25 & no validation \\" in tabular(table, "x", 1)


def test_cores_lead() -> None:
    """The draft's Fig. 2, with other numbers of connections on more cores."""
    items = [
        in_column(rates(count, (rate,), cores=cores), cores, 1)
        for cores, count, rate in ((1, 1000, 100.0), (2, 4000, 150.0))
    ]
    (table,) = tables(evidence(*items))
    assert (table.head, table.columns) == ("num. CPU cores", (1, 2))
    assert values(table)["num. conn."] == (1000, 4000)
    assert values(table)["cps rel. scale up"] == (1.0, 0.75)


def test_frame_sizes_and_networks() -> None:
    """R8219-10.2.1: of a stateless device."""
    stateless: dict[str, Any] = {"connections": None, "establish_fps": None}
    items = [
        in_column(changed.frames((rate,), size=size), number, 1, networks=count, **stateless)
        for number, (size, count, rate) in enumerate(((84, 1, 1000.0), (1518, 256, 500.0)), 1)
    ]
    (table,) = tables(evidence(*items))
    assert (table.head, table.columns) == ("num. networks", (1, 256))
    assert values(table)["frame size"] == (84, 1518)
    assert table.title == "Performance against the number of networks"


def test_flows_at_once_and_one_after_the_other() -> None:
    """R8219-10.2.2: lines of one table, each with its own degradation; the same but for a name is told apart by it."""
    stateless: dict[str, Any] = {"connections": None, "establish_fps": None}

    def over_flows(measure: int, series: str, **parameters: float) -> list[Measurement]:
        return [
            in_column(
                changed.frames((100.0 * measure / count,)),
                number,
                measure,
                flows=count,
                series=series,
                parameters=parameters,
                **stateless,
            )
            for number, count in enumerate((1, 4), 1)
        ]

    apart = over_flows(2, "throughput, flows 0.5 s apart", flow_interval_s=0.5)
    (table,) = tables(evidence(*over_flows(1, "throughput"), *apart, *over_flows(3, "again", flow_interval_s=0.5)))
    assert (table.head, table.columns) == ("num. flows", (1, 4))
    degraded = [(row.unit, row.values) for row in table.rows if row.name == "tp degradation"]
    assert degraded == [("%, RFC 8219 §10.2.1", (0.0, 75.0)), *[("%, RFC 8219 §10.2.2", (0.0, 75.0))] * 2]
    ways = "throughput, sum of both directions"
    assert [row.name for row in table.rows if row.name.startswith(ways)] == [
        ways,
        f"{ways}, flows 0.5 s apart (throughput, flows 0.5 s apart)",
        f"{ways}, flows 0.5 s apart (again)",
    ]


def test_any_of_the_axes_may_lead() -> None:
    """No series is without a table because nobody says where it stands."""
    assert {one.axis for one in LEADING if one.axis is not None} == set(AXES)


def test_two_sets_of_columns() -> None:
    """Measures with other columns have a table of their own; one column makes none."""
    items = both()
    alone = in_column(rates(500, (1.0,)), 1, 3)
    over_alpha = [in_column(rates(700, (rate,), alpha=rate), number, 4) for number, rate in ((1, 0.5), (2, 0.9))]
    heads = [table.head for table in tables(evidence(*items, alone, *over_alpha))]
    assert heads == ["number of sessions (req.)", "num. conn.", "alpha"]


def test_capacities() -> None:
    """R9693-4.9: C0, R0, CS, RS, CT at the end of the exponential search, and C; side by side by the table's size."""
    capacity = next(item for item in connections_campaign.measurements() if item.procedure == "capacity")
    items = [in_column(capacity, number, 1, table_size=size) for number, size in ((1, 65_536), (2, 131_072))]
    first, second, together = tables(evidence(*items))
    assert first.columns == second.columns == ("C0", "R0", "CS", "RS", "CT", "C")
    assert values(first)["median"] == (10_000, 49_660, 40_000, 49_660, 80_000, 65_000)
    assert first.title == "Connection tracking table capacity, 84 bytes, a table of 65,536 entries"
    assert (together.head, together.columns) == ("table size", (65_536, 131_072))
    assert values(together)["capacity median"] == (65_000, 65_000)


def test_deletions() -> None:
    """R9693-4.8: the draft's Fig. 5: full and empty tables, and what the difference is."""
    table = next(one for one in tables(evidence(*connections_campaign.measurements())) if one.head == "num. conn.")
    shown = values(table)
    assert shown["full contr. del med"] == pytest.approx((0.005, 0.041, None))
    assert shown["empty contr. del max"] == pytest.approx((0.001, 0.001, None))
    assert shown["conn. deletion time"] == pytest.approx((0.004, 0.040, None))
