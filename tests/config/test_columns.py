"""Columns in the bench file: what changes with them, in what, and what isn't possible."""

from __future__ import annotations

import pytest

from tests.config.test_errors import fault
from xlatperf.config.load import parse_bench
from xlatperf.config.request import configure_message
from xlatperf.run.runs import cells

NAT44 = """
technology.name = "nat44"
device.driver = "reference"
"""
SIIT = 'technology.name = "siit"\n'
ESTABLISHMENT = '[[measure]]\nprocedure = "establishment"\nframe_sizes = [64]\n'
THROUGHPUT = '[[measure]]\nprocedure = "throughput"\nframe_sizes = [84]\n'
COLUMNS = """
[[column]]
connections = 1000
client_ports = { first = 2000, last = 2249 }
table_size = 2000

[[column]]
connections = 4000
client_ports = { last = 2023 }
server_ports = { first = 80, last = 89 }
table_size = 4096
"""


def test_each_is_a_series() -> None:
    """All measures have the same ones, told apart by all that changes."""
    text = NAT44 + ESTABLISHMENT + 'columns = "all"\n' + THROUGHPUT.replace("84", "64") + 'columns = "all"\n' + COLUMNS
    bench = parse_bench(text, "b")
    named = cells(bench)
    assert [cell.name for cell in named] == [
        f"{name}, {more}"
        for name in ("establishment", "throughput")
        for more in ("1,000 connections, table size 2,000", "4,000 connections, table size 4,096")
    ]
    assert named[0].key == (
        "1-establishment/mix=1of1/size=64/forward/connections=1000/client_ports=2000-2249/table=2000"
    )
    assert named[3].key.endswith("/client_ports=1024-2023/server_ports=80-89/table=4096")
    assert [cell.column for cell in named] == [1, 2, 1, 2]
    assert named[0].series == named[2].series, "one hands its rate over to the other"
    assert bench.measure[0].needs == {"table_size"}
    told = configure_message(bench.at(named[3].series), (1, 1))["traffic"]["connections"]
    assert (told["client_ports"], told["server_ports"]) == (
        {"first": 1024, "last": 2023},
        {"first": 80, "last": 89},
    )
    assert bench.most_connections(named[3].series) == 1000 * 10
    assert bench.traffic.connections is not None
    assert bench.traffic.connections.client_ports.last == 65535


def test_alphas() -> None:
    """R9693-4.6-1: of one measure, with none at the end, as the draft's Fig. 11."""
    text = (
        NAT44
        + ESTABLISHMENT
        + "columns = ["
        + ", ".join(f"{{ connections = 1000, alpha = {alpha} }}" for alpha in ("0.8", "0.25", '"none"'))
    )
    named = cells(parse_bench(text + "]", "b"))
    assert [cell.measure.parameters()["alpha"] for cell in named] == [0.8, 0.25, None]
    assert len({cell.key for cell in named}) == 3


def test_networks_sizes_and_cores() -> None:
    """R8219-10.2.1: of a stateless device; the DUT is prepared for the most networks."""
    text = (
        SIIT
        + '[[measure]]\nprocedure = "throughput"\ncolumns = ['
        + ", ".join(
            f"{{ networks = {count}, frame_size = {size}, device_cores = 1 }}" for count, size in ((1, 84), (256, 1518))
        )
    )
    bench = parse_bench(text + "]", "b")
    assert bench.measure[0].frame_sizes == (84, 1518)
    first, second = cells(bench)
    assert (first.frame_size, second.frame_size) == (84, 1518)
    assert first.name == "throughput, 1 network"
    assert configure_message(bench.at(first.series), (1, 1))["left"]["hosts"]["networks"] == 1
    assert configure_message(bench.widest, (1, 1))["right"]["hosts"]["networks"] == 256
    assert bench.measure[0].needs == {"cores"}


def nat44(column: str, more: str = "") -> str:
    return NAT44 + ESTABLISHMENT + f"columns = [{{ connections = 100{column} }}{more}]"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            NAT44 + ESTABLISHMENT + "columns = [{ table_size = 100 }]",
            "measure[0].columns[0].connections: missing: a number of connections, such as 10000, with technology nat44",
        ),
        (
            nat44("", ", { connections = 100 }"),
            "measure[0].columns[1]: { connections = 100 } is not allowed: each column once",
        ),
        (nat44("", ", {}"), "measure[0].columns[1]: {  } is not allowed: a table with at least one key"),
        (
            nat44(", table_size = 100", ", { connections = 200 }"),
            "measure[0].columns[1].table_size: nothing is not allowed: a number, as other measures or columns have it",
        ),
        (
            nat44(", hash_size = 512"),
            "measure[0].columns[0].hash_size: 512 is not allowed: nothing with driver = reference, which can't set it",
        ),
        (
            nat44(", hash_size = 1000").replace('"reference"', '"nft-nat44"'),
            "measure[0].columns[0].hash_size: 1000 is not allowed: multiples of 512 with driver = nft-nat44",
        ),
        (
            nat44("") + "\nconnections = [10]",
            "measure[0].connections: [10] is not allowed: nothing beside columns, which say it",
        ),
        (
            nat44(", client_ports = { last = 1033 }, server_ports = { last = 5 }"),
            "measure[0].columns[0].connections: 100 is not allowed: at most 50: clients x client ports x servers x "
            "server ports of traffic.connections, and what one trial can have",
        ),
        (
            nat44(", client_ports = { first = 9, last = 8 }"),
            "measure[0].columns[0].client_ports.first: 9 is not allowed: at most last, which is 8",
        ),
        (
            nat44(", alpha = 11.0"),
            'measure[0].columns[0].alpha: 11 is not allowed: above 0 to 10, or "none"',
        ),
        (
            nat44(', alpha = "some"'),
            'measure[0].columns[0].alpha: "some" is not allowed: a number, above 0 to 10, or "none"',
        ),
        (
            nat44(", networks = 2"),
            "measure[0].columns[0].networks: 2 is not allowed: nothing with technology nat44, which has no hosts",
        ),
        (
            nat44(", frame_size = 64", ", { connections = 200 }"),
            "measure[0].columns[1].frame_size: nothing is not allowed: a size, as other columns have it",
        ),
        (
            nat44(", frame_size = 80"),
            "measure[0].frame_sizes: [64] is not allowed: nothing beside columns with frame_size",
        ),
        (
            SIIT + THROUGHPUT + "columns = [{ connections = 5 }]",
            "measure[0].columns[0].connections: 5 is not allowed: nothing with technology siit",
        ),
        (
            SIIT + THROUGHPUT + "columns = [{ alpha = 0.5 }]",
            "measure[0].columns[0].alpha: 0.5 is not allowed: nothing with procedure = throughput",
        ),
        (
            SIIT + THROUGHPUT + "columns = [{ client_ports = {} }]",
            "measure[0].columns[0].client_ports: { first = 1024, last = 65535 } is not allowed: "
            "nothing with technology siit",
        ),
        (
            SIIT + THROUGHPUT + "columns = [{ subscribers = 5 }]",
            "measure[0].columns[0].subscribers: 5 is not allowed: only with technology "
            "map-e, map-t, lw4o6 or dslite and a DUT that has many",
        ),
        (
            SIIT + THROUGHPUT + 'columns = "all"',
            "measure[0].columns: all is not allowed: columns, which [[column]] must say at the end of the file",
        ),
        (
            NAT44 + ESTABLISHMENT + 'columns = "all"' + "\n[[column]]\nconnections = 100" * 2,
            "column[1]: { connections = 100 } is not allowed: each column once",
        ),
        (
            NAT44 + ESTABLISHMENT + 'columns = "all"\n[[column]]\nconnections = 100\nhash_size = 512',
            "column[0].hash_size: 512 is not allowed: nothing with driver = reference, which can't set it",
        ),
        (
            NAT44 + ESTABLISHMENT + "connections = [10]\n[[column]]\nconnections = 100",
            'column: 1 table is not allowed: nothing without a measure that has columns = "all"',
        ),
        (
            SIIT + THROUGHPUT + "columns = []",
            'measure[0].columns: [] is not allowed: "all", or a list of 1 to 100 tables, each once, with keys as '
            "[[column]] has them",
        ),
        (
            SIIT + THROUGHPUT + "columns = [{ network = 2 }]",
            "measure[0].columns[0].network: unknown key: did you mean networks?",
        ),
    ],
)
def test_what_is_refused(text: str, said: str) -> None:
    assert fault(text) == f"b.toml: {said}"
