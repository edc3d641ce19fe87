"""Imports of files written from each format's documentation: who is where, from which line, and what isn't taken."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from xlatperf.config.bench import Bench
from xlatperf.config.load import load_bench, parse_bench
from xlatperf.imports.bench_text import BenchText, Imported
from xlatperf.imports.formats import Format, format_of, import_file

FOLDER = Path(__file__).parent / "files"
FILES = sorted(FOLDER.iterdir())
FORMATS: Mapping[str, Format] = {
    "siitperf": Format.SIITPERF,
    "maptperf": Format.MAPTPERF,
    "lwaftr": Format.SNABB,
    "binding-table": Format.SNABB,
    "map-rules": Format.MAP_RULES,
    "mapcalc": Format.MAP_RULES,
    "eamt": Format.JOOL_EAMT,
}


def imported(name: str) -> Imported:
    return import_file(FOLDER / name, None, None)


def bench_of(name: str, folder: Path) -> Bench:
    """As `xlatperf import NAME -o FILE` writes it."""
    one = imported(name)
    (folder / "table.csv").write_text("\n".join(one.table) + "\n")
    (folder / "bench.toml").write_text(one.text.replace(BenchText.TABLE, "table.csv"))
    return load_bench(folder / "bench.toml")


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_its_format_is_known_by_its_looks(path: Path) -> None:
    want = [one for begin, one in FORMATS.items() if path.name.startswith(begin)]
    assert [format_of(path.read_text())] == want


def lines_of_keys(text: str) -> Iterator[str]:
    return (line for line in text.splitlines() if re.match(r"(# )?[a-z_0-9]+ = |    \{", line))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_each_line_says_where_it_is_from(path: Path, tmp_path: Path) -> None:
    text = imported(path.name).text
    lines = list(lines_of_keys(text))
    assert lines
    for line in lines:
        if not line.startswith("title") and not line.endswith("= ["):
            assert re.search(r"   # \S", line), line
    source = path.read_text().splitlines()
    for number, key in re.findall(r"line (\d+): ([A-Za-z][\w-]+)", text):
        if not path.name.startswith("binding"):
            assert key.lower() in source[int(number) - 1].lower(), (number, key)
    bench_of(path.name, tmp_path)


def test_siitperf(tmp_path: Path) -> None:
    bench = bench_of("siitperf.conf", tmp_path)
    assert bench.technology.model_dump()["eam"] == (
        {"ipv4": "198.18.0.2/32", "ipv6": "2001:2::2/128"},
        {"ipv4": "198.19.0.2/32", "ipv6": "2001:2:0:1000::2/128"},
    )
    left, right = bench.tester.left, bench.tester.right
    assert (left.ipv6, left.gateway_ipv6) == ("2001:2::2/64", "2001:2::1")
    assert (right.ipv4, right.gateway_ipv4) == ("198.19.0.2/24", "198.19.0.1")
    assert (right.ipv6, right.gateway_ipv6) == ("2001:2:0:8000::2/64", "2001:2:0:8000::1")
    hosts = bench.traffic.left.hosts, bench.traffic.right.hosts
    assert [(one.prefix, one.networks, one.host) for one in hosts] == [
        ("198.18.0.0/24", 1, 2),
        ("198.19.0.0/24", 1, 2),
    ]
    assert bench.traffic.forward.source_ports.order == "fixed"
    assert "# cores = [2, 8, 6, 4]" in imported("siitperf.conf").text
    assert not any(one.matters for one in imported("siitperf.conf").left_out)


def test_siitperf_with_networks(tmp_path: Path) -> None:
    """Byte 2 of IPv4, byte 7 of IPv6 addresses."""
    bench = bench_of("siitperf-networks.conf", tmp_path)
    rows = bench.technology.model_dump()["eam"]
    assert len(rows) == 7
    assert rows[3] == {"ipv4": "198.18.3.2/32", "ipv6": "2001:2:0:3::2/128"}
    assert rows[6] == {"ipv4": "198.19.2.2/32", "ipv6": "2001:2:0:1002::2/128"}
    assert (bench.traffic.left.hosts.networks, bench.traffic.right.hosts.networks) == (4, 3)


def test_siitperf_of_a_router(tmp_path: Path) -> None:
    """IP-L-min to IP-L-max: hosts of one link."""
    bench = bench_of("siitperf-ipv4.conf", tmp_path)
    hosts = bench.traffic.left.hosts
    assert (bench.technology.name, hosts.prefix, hosts.networks, hosts.host) == ("native", "198.18.0.2/32", 100, 0)
    assert bench.traffic.frame_size_of == "ipv4"
    assert bench.measure[0].direction == "forward"
    ports = bench.traffic.forward.source_ports, bench.traffic.forward.destination_ports
    assert [(one.order, one.first, one.last) for one in ports] == [
        ("pseudorandom", 1024, 65535),
        ("increasing", 1, 49151),
    ]


@pytest.mark.parametrize(
    ("least", "most", "length", "host", "hosts", "left_out"),
    [
        (2, 258, 23, 2, 257, False),
        (2, 65534, 16, 2, 65533, False),
        (0, 65535, 16, 2, 65533, True),  # without the network's own, the DUT's and the broadcast address
        (1000, 1999, 21, 1000, 1000, False),
    ],
)
def test_siitperf_with_more_hosts_than_networks(
    least: int, most: int, length: int, host: int, hosts: int, left_out: bool, tmp_path: Path
) -> None:
    """16 bits of an address vary at its end."""
    text = (FOLDER / "siitperf-ipv4.conf").read_text(encoding="utf-8")
    path = tmp_path / "siitperf.conf"
    path.write_text(text.replace("IP-L-min 2", f"IP-L-min {least}").replace("IP-L-max 101", f"IP-L-max {most}"))
    found = import_file(path, None, None)
    bench = parse_bench(found.text, "b.toml")
    left = bench.traffic.left.hosts
    assert (left.prefix, left.networks, left.host, left.hosts) == (f"198.18.0.0/{length}", 1, host, hosts)
    assert bench.tester.left.ipv4 == f"198.18.0.2/{length}"
    told = [one for one in found.left_out if "addresses" in one.why]
    assert bool(told) == left_out
    assert not any(one.matters for one in told)


def test_mappings_of_many_hosts_are_one_by_one(tmp_path: Path) -> None:
    """Each of a stateless translator has one: so many as a bench file takes."""
    text = (FOLDER / "siitperf-networks.conf").read_text(encoding="utf-8")
    path = tmp_path / "siitperf.conf"
    varying = "\nIP-L-var 3\nIP-L-min 2\nIP-L-max 1001\nIPv4-L-offset 2\nIPv6-L-offset 14\n"
    path.write_text(re.sub(r"\n(IP-L-(var|min|max)|IPv.-L-offset)[^\n]*", "", text) + varying)
    found = import_file(path, None, None)
    left = parse_bench(found.text, "b.toml").traffic.left.hosts
    assert (left.networks, left.hosts) == (256, 1)
    assert any("of 1000 addresses the first 256 are taken" in one.why for one in found.left_out)


def test_siitperf_of_a_nat64(tmp_path: Path) -> None:
    """RFC 6052 §3.1: another prefix than the Well-Known one, and the line says so."""
    bench = bench_of("siitperf-nat64.conf", tmp_path)
    assert bench.technology.translation_prefix == "2001:2:0:6464::/96"
    line = next(line for line in imported("siitperf-nat64.conf").text.splitlines() if line.startswith("prefix"))
    assert "changed from 64:ff9b::/96" in line
    assert "RFC 6052 §3.1" in line
    space = bench.traffic.connections
    assert space is not None
    clients, servers = space.clients, space.servers
    assert (clients.first, clients.addresses, clients.step) == ("2001:2::2", 40, 65536)
    assert (servers.first, servers.addresses, servers.step) == ("198.19.0.2", 10, 1)
    assert (space.client_ports.first, space.client_ports.last) == (1024, 40000)
    assert (space.server_ports.first, space.server_ports.last) == (1, 100)
    assert bench.technology.model_dump()["pool"]["first"] == bench.tester.right.gateway_ipv4 == "198.19.0.1"


def test_siitperf_with_its_initiator_on_the_right(tmp_path: Path) -> None:
    bench = bench_of("siitperf-nat44.conf", tmp_path)
    space = bench.traffic.connections
    assert space is not None
    assert (space.clients.first, space.servers.first) == ("198.19.0.2", "198.18.0.2")
    assert (space.client_ports.last, space.server_ports.last) == (40000, 100)
    assert space.read_order == "round_robin"
    assert "# cores = [6, 4, 2, 8]" in imported("siitperf-nat44.conf").text


def test_maptperf(tmp_path: Path) -> None:
    bench = bench_of("maptperf.conf", tmp_path)
    assert bench.technology.model_dump()["domains"][0] == {
        **dict.fromkeys(("psid", "psid_length", "ea")),
        "interface_identifier": "rfc7597",
        "ipv6": "2001:db8:ce::/51",
        "ipv4": "192.0.2.0/24",
        "ea_bits": 13,
        "psid_offset": 0,
        "ces": 1000,
        "dmr": "64:ff9b::/64",
    }
    assert bench.traffic.right.hosts.host == 56
    assert bench.traffic.reverse.source_ports.order == "decreasing"
    assert "# cores = [2, 8, 6, 4]" in imported("maptperf.conf").text


def test_maptperf_with_the_well_known_prefix_and_other_names(tmp_path: Path) -> None:
    """RFC 6052 §3.1: it must not stand for 203.0.113.56; lengths have other names in other files."""
    text = (FOLDER / "maptperf.conf").read_text()
    for old, new in (
        ("DMR-IPv6-Prefx-Length 64", "DMR-IPv6-prefix-length 96"),
        ("BMR-IPv6-Prefx-Length", "BMR-IPv6-prefix-length"),
        ("BMR-EA-Len 13", "BMR-EA-length 11\nBMR-EA-length 13"),
    ):
        text = text.replace(old, new)
    (tmp_path / "maptperf.conf").write_text(text)
    one = import_file(tmp_path / "maptperf.conf", None, None)
    bench = parse_bench(one.text, "b.toml")
    assert bench.technology.model_dump()["domains"][0]["dmr"] == "2001:2:0:6464::/96"
    assert bench.technology.model_dump()["domains"][0]["ea_bits"] == 13
    assert "DMR-IPv6-prefix-length: changed from 64:ff9b::/96, which must not stand for 203.0.113.56" in one.text
    assert [(left.place, left.why) for left in one.left_out if "again" in left.why] == [
        ("line 28: BMR-EA-length 11", "the key stands there again, the last one counts")
    ]


HEADER = "ipv6,ipv4,psid_offset,psid_length,psid,lwaftr"
TABLES: Mapping[str, tuple[str, ...]] = {
    "lwaftr.conf": (
        "2001:db8:1:1::1,203.0.113.1,0,16,22788,2001:db8::1",
        "2001:db8:1:2::1,203.0.113.15,0,4,1,2001:db8::1",
        "2001:db8:1:3::1,203.0.113.2,4,6,5,2001:db8:0:1::af",
        "2001:db8:1:4::1,203.0.113.3,0,0,0,2001:db8::1",
    ),
    "lwaftr-psid-map.conf": (
        "2001:db8:1:1::1,203.0.113.15,0,4,1,2001:db8::1",
        "2001:db8:1:2::1,203.0.113.117,0,6,44,2001:db8:0:1::af",
        "2001:db8:1:3::1,203.0.113.1,0,0,0,2001:db8::1",
    ),
    "lwaftr-of-before.conf": (
        "2001:db8:1:1::1,203.0.113.1,0,10,80,2001:db8::1",
        "2001:db8:1:2::1,203.0.113.117,0,5,3,2001:db8::1",
        "2001:db8:1:3::1,203.0.113.7,0,5,30,2001:db8:0:1::af",
    ),
}


@pytest.mark.parametrize("name", TABLES)
def test_snabb(name: str, tmp_path: Path) -> None:
    assert imported(name).table == (HEADER, *TABLES[name])
    bench = bench_of(name, tmp_path)
    left, right = bench.tester.left, bench.tester.right
    assert (left.gateway_ipv6, right.gateway_ipv4) == ("2001:db8::1", "198.18.0.1")
    assert (left.ipv6, right.ipv4) == ("2001:db8::2/64", "198.18.0.2/24")


def test_a_binding_table_alone() -> None:
    assert imported("binding-table.txt").table == imported("lwaftr-of-before.conf").table


def test_vlan_tags(tmp_path: Path) -> None:
    bench = bench_of("lwaftr-psid-map.conf", tmp_path)
    assert (bench.tester.left.vlan, bench.tester.right.vlan) == (None, 164)
    assert "vlan = 164    # line 17: vlan-tag" in imported("lwaftr-psid-map.conf").text
    assert [one.place for one in imported("lwaftr-psid-map.conf").left_out if one.matters] == [
        "line 18: ingress-filter of external-interface"
    ]
    before = bench_of("lwaftr-of-before.conf", tmp_path)
    assert (before.tester.left.vlan, before.tester.right.vlan) == (None, None), "vlan_tagging = false"


def test_on_a_stick(tmp_path: Path) -> None:
    """One device, which has no other: both sides are on one port, if VLANs tell them apart."""
    bench = bench_of("lwaftr-on-a-stick.conf", tmp_path)
    assert bench.tester.one_port
    assert (bench.tester.left.vlan, bench.tester.right.vlan) == (125, 164)
    text = imported("lwaftr-on-a-stick.conf").text
    assert "one_port = true    # line 3: device, and no external-device" in text
    assert text.count("# port = ") == 1
    without = imported("lwaftr.conf")
    assert "one_port" not in without.text
    assert [(one.place, one.matters) for one in without.left_out if "switch" in one.why] == [
        ("line 3: device without external-device", False)
    ]
    for other in ('  external-device "03:00.1";', ""):
        configuration = (FOLDER / "lwaftr-on-a-stick.conf").read_text()
        if other:
            configuration = configuration.replace("    queue {", f"{other}\n    queue {{")
        else:  # of before version 3
            configuration = configuration.replace("external-interface {", 'external-interface { device "03:00.1";')
        (tmp_path / "two.conf").write_text(configuration)
        assert "one_port" not in import_file(tmp_path / "two.conf", None, None).text


def test_jool(tmp_path: Path) -> None:
    bench = bench_of("eamt.csv", tmp_path)
    assert bench.technology.model_dump()["eam"] == (
        {"ipv4": "192.0.2.128/26", "ipv6": "2001:db8:dddd::/64"},
        {"ipv4": "192.0.2.16/28", "ipv6": "2001:db8:cccc::/124"},
        {"ipv4": "192.0.2.2/32", "ipv6": "2001:db8:bbbb::b/128"},
        {"ipv4": "192.0.2.1/32", "ipv6": "2001:db8:aaaa::/128"},
    )
    assert (bench.traffic.left.hosts.prefix, bench.traffic.left.hosts.host) == ("192.0.2.128/26", 2)


def test_snabb_s_commas(tmp_path: Path) -> None:
    """Its documentation ends each line of the configuration of before with one."""
    for name in ("lwaftr-of-before.conf", "binding-table.txt"):
        (tmp_path / name).write_text((FOLDER / name).read_text())
    path = tmp_path / "lwaftr-of-before.conf"
    path.write_text(re.sub(r"(?m)^(\w+ = .*?)\s*$", r"\1,", path.read_text()))
    assert import_file(path, None, None).table == imported("lwaftr-of-before.conf").table


def test_phase_1_alone(tmp_path: Path) -> None:
    """siitperf's stateful tests may have neither direction."""
    text = (FOLDER / "siitperf-nat44.conf").read_text()
    (tmp_path / "siitperf.conf").write_text(re.sub(r"(?m)^(Forward|Reverse) 1", r"\1 0", text))
    found = import_file(tmp_path / "siitperf.conf", None, None).text
    assert re.findall(r'procedure = "(\w+)"', found) == ["establishment"]
