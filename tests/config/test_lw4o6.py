"""Lw4o6 in a bench file: the binding table, what it can't be, what must be refused, files that move."""

from __future__ import annotations

from pathlib import Path

import pytest

from xlatperf.config.bench import Bench
from xlatperf.config.errors import BenchError
from xlatperf.config.load import load_bench, parse_bench
from xlatperf.config.request import configure_message
from xlatperf.devices.binding_formats import csv, rows_of, snabb, vpp
from xlatperf.run.folder import CampaignFolder, FolderError
from xlatperf.technologies.stateful import StatefulTechnology

GENERATED = 'ipv6 = "2001:db8::/40"\nipv4 = "192.0.2.0/24"\npsid_length = 8\nlwaftr = "2001:db8:ffff::1"\n'
ROWS = """ipv6,ipv4,psid_offset,psid_length,psid,lwaftr
2001:db8::1,192.0.2.1,0,6,1,2001:db8:ffff::1
2001:db8::2,192.0.2.1,0,6,2,2001:db8:ffff::1
2001:db8::3,192.0.2.2,0,0,0,2001:db8:ffff::2
"""


def bench(softwires: str = GENERATED, name: str = "lw4o6", role: str = "", rest: str = "") -> Bench:
    head = f'technology.name = "{name}"\n' + (f'technology.role = "{role}"\n' if role else "")
    return parse_bench(head + "[technology.softwires]\n" + softwires + rest, "b.toml")


def fault(*arguments: str) -> str:
    with pytest.raises(BenchError) as refused:
        bench(*arguments)
    (line,) = refused.value.lines
    return line.removeprefix("b.toml: ")


def test_defaults() -> None:
    found = parse_bench('technology.name = "lw4o6"', "b.toml")
    message = configure_message(found, (1, 1))
    assert message["technology"] == {
        "name": "lw4o6",
        "role": "lwaftr",
        "softwires": {
            "ipv6": "2001:2:0:2000::/51",
            "ipv4": "198.18.0.0/24",
            "psid_length": 5,
            "lwaftr": "2001:2:0:c000::1",
            "count": 1000,
        },
        "hairpinning": False,
    }
    assert found.traffic.frame_size_of == "ipv6"
    assert found.technology.families == (6, 4)
    assert found.technology.hops == "learn"
    lwb4 = parse_bench('technology = { name = "lw4o6", role = "lwb4" }', "b.toml").technology.message()
    assert (lwb4["softwires"]["number"], lwb4["softwires"]["count"]) == (0x254, 1)
    few = bench('ipv6 = "2001:db8::/56"\nipv4 = "192.0.2.1/32"\npsid_length = 3\nlwaftr = "2001:db8:f::1"')
    assert few.technology.message()["softwires"]["count"] == 7, "all but the one with ports below 1024"


def test_hairpinning() -> None:
    """R7596-6.2: one way, alone, and from one softwire to another."""
    rest = '[[measure]]\nprocedure = "throughput"\ndirection = "{}"\n{}'

    def hairpin(direction: str, more: str = "", head: str = "hairpinning = true", softwires: str = GENERATED) -> Bench:
        table = f'technology.name = "lw4o6"\ntechnology.{head}\n[technology.softwires]\n{softwires}'
        return parse_bench(table + rest.format(direction, more), "b")

    found = hairpin("forward", "subscribers = [2, 10]")
    assert found.technology.directions == ("forward",)
    assert found.technology.message()["hairpinning"] is True
    assert {test.direction for test in found.technology.negative_tests()} == {"forward"}
    assert bench().technology.directions == ("forward", "reverse")
    lwb4 = 'role = "lwb4"\ntechnology.hairpinning = true'
    for arguments, wanted in (
        (("bidirectional",), 'measure[0].direction: bidirectional is not allowed: "forward" with technology'),
        (("forward", "subscribers = [1]"), "measure[0].subscribers[0]: 1 is not allowed: 2 to 64512, by"),
        (("forward", "[traffic]\nmix = [[1, 1], [1, 2]]"), "traffic.mix[1]: [1, 2] is not allowed: [1, 1] with"),
        (("forward", "", lwb4, GENERATED + "number = 4660\n"), "hairpinning: true is not allowed: false with role"),
        (("forward", "", "hairpinning = true", GENERATED + "count = 1\n"), "true is not allowed: false with one"),
        (("forward", "", "hairpinning = 1"), "technology.hairpinning: 1 is not allowed: true or false"),
    ):
        with pytest.raises(BenchError) as refused:
            hairpin(*arguments)
        assert wanted in refused.value.lines[0]


def test_an_lwb4_with_napt44() -> None:
    found = parse_bench('technology.name = "lw4o6-b4"', "b.toml")
    technology, connections = found.technology, found.traffic.connections
    assert isinstance(technology, StatefulTechnology)
    assert connections is not None
    assert (connections.clients.first, connections.servers.first) == ("10.0.0.2", "198.19.0.2"), "R9693-3.1"
    assert technology.pool_size == 2048 - 1, "one may be port 0"
    assert connections.client_ports.model_dump() == {"first": 1024, "last": 1024 + 1023 - 1}, "half as many"
    assert technology.families == (4, 6)


@pytest.mark.parametrize(
    ("softwires", "line"),
    [
        (
            'ipv6 = "2001:db8::/40"\n',
            "ipv4: missing: one of ipv6, ipv4, psid_length, lwaftr, or table in their place",
        ),
        (GENERATED + 'table = "x.csv"\n', "ipv6: 2001:db8::/40 is not allowed: nothing with table, which has it"),
        (
            GENERATED.replace("/40", "/49"),
            "ipv6: 2001:db8::/49 is not allowed: a prefix of at most 48 bits, so that each of the 65536 lwB4s has one "
            "of at most 64",
        ),
        (GENERATED + "psid_offset = 9\n", "psid_offset: 9 is not allowed: with psid_length at most 16"),
        (GENERATED + "count = 64513\n", "count: 64513 is not allowed: 1 to 64512, with these prefixes"),
        (GENERATED + "number = 65536\n", "number: 65536 is not allowed: 0 to 65535, with these prefixes"),
        (GENERATED + "number = 9\ncount = 2\n", "count: 2 is not allowed: 1 with number"),
    ],
)
def test_lines_of_the_table(softwires: str, line: str) -> None:
    assert fault(softwires) == f"technology.softwires.{line}"


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (
            (GENERATED, "lw4o6", "lwb4"),
            "technology.softwires.number: missing: with role = lwb4, that of the softwire whose lwB4 the DUT is",
        ),
        (
            (GENERATED, "lw4o6-b4"),
            "technology.softwires.number: missing: the number of the softwire whose lwB4 the DUT is",
        ),
        (
            ('table = "x.csv"\nnumber = 1\n', "lw4o6-b4"),
            "technology.softwires.psid_length: missing: with table, that of the softwire, which tells its ports",
        ),
        (
            (GENERATED, "lw4o6", "", '[traffic.left]\nhosts = { prefix = "10.0.0.0/8" }\n'),
            "traffic.left.hosts: a table is not allowed: with technology lw4o6, technology.softwires in its place",
        ),
        (
            (
                GENERATED + "number = 0x1234\n",
                "lw4o6-b4",
                "",
                '[traffic.connections]\nservers = { first = "192.0.2.7" }\n',
            ),
            "traffic.connections.servers.first: 192.0.2.7 is not allowed: addresses outside of "
            "technology.softwires.ipv4, 192.0.2.0/24, which are on the left",
        ),
        (
            (GENERATED, "lw4o6", "", "[[measure]]\nprocedure = 'throughput'\nsubscribers = [64513]\n"),
            "measure[0].subscribers[0]: 64513 is not allowed: 1 to 64512, by technology.softwires",
        ),
    ],
)
def test_lines(arguments: tuple[str, ...], line: str) -> None:
    assert fault(*arguments) == line


def test_a_series_over_softwires() -> None:
    found = bench(rest="[[measure]]\nprocedure = 'throughput'\nsubscribers = [1, 64512]\n")
    for count in (1, 64512):
        assert configure_message(found, (1, 1), subscribers=count)["technology"]["softwires"]["count"] == count


def test_negative_tests_have_the_bits_for_it() -> None:
    """R7596-6.2: another lwB4 differs in prefix and interface identifier; who shares no address has no ports."""
    changes = {test.name: test.changes[0] for test in bench().technology.negative_tests()}
    assert changes["outer_source"].flip == 1 << 80 | 1 << 16, "the address's last bit, in the /56 and behind"
    assert changes["source_port"].flip == 1 << 8
    assert changes["nobodys_port"].keep == 1023
    whole = bench(GENERATED.replace("psid_length = 8", "psid_length = 0")).technology.negative_tests()
    by_name = {test.name: test.changes[0] for test in whole if not test.impossible}
    assert set(by_name) == {"softwire", "outer_source", "source_address", "lwaftr"}
    assert {test.name: test.impossible for test in whole if test.impossible} == {
        "source_port": "no lwB4 shares its address",
        "nobodys_port": "each port is somebody's",
    }
    assert by_name["outer_source"].flip == 1 << 80 | 1 << 16
    offset = bench(GENERATED.replace("psid_length = 8", "psid_length = 8\npsid_offset = 6")).technology.negative_tests()
    assert {test.name: test.changes[0].keep for test in offset}["nobodys_port"] == 1023, "A = 0 (RFC 7597 §5.1)"
    one = bench(GENERATED.replace("192.0.2.0/24", "192.0.2.1/32")).technology.negative_tests()
    assert {test.name: test.changes[0].flip for test in one}["outer_source"] == 1 << 80 | 1, "the PSID's"


def test_a_table_is_beside_the_bench_file(tmp_path: Path) -> None:
    folder = tmp_path / "lab"
    folder.mkdir()
    (folder / "softwires.csv").write_text(ROWS)
    text = 'technology = { name = "lw4o6", softwires = { table = "softwires.csv" } }\n'
    (folder / "bench.toml").write_text(text)
    found = load_bench(folder / "bench.toml")
    assert found.technology.message()["softwires"] == {"table": str(folder / "softwires.csv")}
    ports = [test for test in found.technology.negative_tests() if test.name == "source_port"]
    assert [(test.part, test.of, test.impossible) for test in ports] == [
        (0, "psid_offset 0, psid_length 0", "no lwB4 shares its address"),
        (1, "psid_offset 0, psid_length 6", ""),
    ]
    part = configure_message(found, (1, 1), part=1)["technology"]["softwires"]
    assert part["part"] == {"psid_offset": 0, "psid_length": 6}
    with CampaignFolder(tmp_path / "c", found, text) as campaign:
        assert (campaign.path / "softwires.csv").read_text() == ROWS
    with CampaignFolder(tmp_path / "c", load_bench(folder / "bench.toml"), text):
        pass  # it goes on
    (folder / "softwires.csv").write_text(ROWS.replace("::3", "::4"))
    with pytest.raises(FolderError, match="this folder belongs to another binding table"):
        CampaignFolder(tmp_path / "c", found, text)
    (folder / "softwires.csv").unlink()
    with pytest.raises(FolderError, match=r"softwires\.csv: can't be read: No such file"):
        CampaignFolder(tmp_path / "d", found, text)
    assert found.technology.negative_tests(), "those that need no file"


def test_languages_of_devices() -> None:
    """The forms that Snabb's lwAFTR and VPP read."""
    lines = ROWS.splitlines(keepends=True)
    assert "".join(line + "\n" for line in csv(rows_of(lines))) == ROWS
    assert list(snabb(rows_of(lines)))[:3] == [
        "softwire-config {",
        "  binding-table {",
        "    softwire { ipv4 192.0.2.1; psid 1; b4-ipv6 2001:db8::1; br-address 2001:db8:ffff::1; "
        "port-set { psid-length 6; reserved-ports-bit-count 0; } }",
    ]
    assert list(vpp(rows_of(lines))) == [
        "map add domain ip4-pfx 192.0.2.1/32 ip6-pfx 2001:db8::1/128 ip6-src 2001:db8:ffff::1/128 ea-bits-len 0 "
        "psid-offset 0 psid-len 6",
        "map add rule index 0 psid 1 ip6-dst 2001:db8::1",
        "map add rule index 0 psid 2 ip6-dst 2001:db8::2",
        "map add domain ip4-pfx 192.0.2.2/32 ip6-pfx 2001:db8::3/128 ip6-src 2001:db8:ffff::2/128 ea-bits-len 0 "
        "psid-offset 0 psid-len 0",
    ]
