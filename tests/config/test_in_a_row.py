"""R8219-4.2-2: a bench file with two devices: the bench of each alone, and of both."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from xlatperf.config.bench import Bench
from xlatperf.config.errors import BenchError
from xlatperf.config.load import parse_bench
from xlatperf.technologies.in_a_row import LEFT_NAMES, RIGHT_NAMES

MEASURES = """
[[measure]]
procedure = "establishment"
connections = [100]
[[measure]]
procedure = "throughput"
connections = [100]
establish_fps = 1000
"""
TWO = '[[device]]\ndriver = "{}"\n[[device]]\ndriver = "{}"\n'
REFERENCES = TWO.format("reference", "reference")


def bench(technology: str, devices: str = REFERENCES, more: str = "") -> Bench:
    return parse_bench(f"{more}\n[technology]\n{technology}\n{devices}{MEASURES}", "b.toml")


def pool(one: Bench) -> Mapping[str, Any]:
    table: Mapping[str, Any] = one.technology.model_dump()["pool"]
    return {name: value for name, value in table.items() if value}


PAIRS = {
    'name = "map-e-ce"': ("CE", "BR", "map-e-ce", "map-e"),
    'name = "map-t-ce"': ("CE", "BR", "map-t-ce", "map-t"),
    'name = "lw4o6-b4"': ("lwB4", "lwAFTR", "lw4o6-b4", "lw4o6"),
    'name = "dslite"': ("B4", "AFTR", "dslite-b4", "dslite"),
    'name = "nat64"': ("CLAT", "PLAT", "siit", "nat64"),
}


@pytest.mark.parametrize("technology", PAIRS)
def test_each_alone_and_both(technology: str) -> None:
    """IPv4 on both sides of both, IPv6 between them; each one's Tester there is the other one."""
    both = bench(technology)
    left_name, right_name, *technologies = PAIRS[technology]
    assert list(both.alone) == [left_name, right_name]
    left, right = (both.alone[name].bench for name in (left_name, right_name))
    assert [left.technology.name, right.technology.name] == technologies
    assert (both.technology.name, both.technology.families) == ("nat44", (4, 4))
    assert (left.technology.families, right.technology.families) == ((4, 6), (6, 4))
    assert left.tester.right.ipv6.partition("/")[0] == right.tester.left.gateway_ipv6
    assert right.tester.left.ipv6.partition("/")[0] == left.tester.right.gateway_ipv6
    assert left.tester.left == both.tester.left
    assert right.tester.right == both.tester.right
    for one in (left, right):
        through = [measure for measure in one.measure if measure.procedure == "throughput"]
        assert [measure.frame_sizes for measure in through] == [both.measure[1].frame_sizes]
        assert bool(one.technology.stateful) == any(measure.procedure == "establishment" for measure in one.measure)
        assert one.traffic.frame_size_of == "ipv4"
    for name, alone in both.alone.items():
        assert parse_bench(alone.text, "b.toml") == alone.bench, name


def test_an_edge_shares_its_address() -> None:
    """RFC 7597 §5.1, RFC 7596 §5.1: what both translate to is the port set of the CE or lwB4."""
    rule = 'ipv6 = "2001:db8::/40", ipv4 = "192.0.2.0/24", ea_bits = 16, ea = 0x1234, dmr = "2001:db9::/64"'
    both = bench(f'name = "map-t-ce"\ndomains = [{{ {rule} }}]')
    assert pool(both) == {
        "first": "192.0.2.18",
        "addresses": 1,
        "first_port": 1,
        "last_port": 65535,
        "psid_offset": 6,
        "psid_length": 8,
        "psid": 0x34,
    }
    softwires = 'ipv6 = "2001:db8::/44", ipv4 = "192.0.2.0/24", psid_length = 6, lwaftr = "2001:db9::1", number = 325'
    both = bench(f'name = "lw4o6-b4"\nsoftwires = {{ {softwires} }}')
    assert pool(both) == {
        "first": "192.0.2.5",
        "addresses": 1,
        "first_port": 1,
        "last_port": 65535,
        "psid_length": 6,
        "psid": 5,
    }


def test_clients_and_servers() -> None:
    """RFC 6877 §5: behind a CLAT the clients have addresses of its own prefix; of a stateless device all are hosts."""
    clients = 'traffic.connections.clients = { first = "192.168.1.77", addresses = 3 }'
    both = bench('name = "nat64"', more=clients)
    clat, plat = (both.alone[name].bench for name in ("CLAT", "PLAT"))
    assert clat.technology.model_dump()["eam"] == ({"ipv4": "192.168.1.0/24", "ipv6": "2001:2::c0a8:100/120"},)
    assert plat.traffic.connections is not None
    assert (plat.traffic.connections.clients.first, plat.traffic.connections.clients.addresses) == (
        "2001:2::c0a8:14d",
        3,
    )
    assert (clat.traffic.left.hosts.prefix, clat.traffic.left.hosts.host) == ("192.168.1.0/24", 77)
    assert (clat.traffic.left.hosts.hosts, clat.traffic.right.hosts.prefix) == (3, "198.19.0.0/24")
    b4 = bench('name = "dslite"', more=clients).alone["B4"].bench
    assert (b4.traffic.left.hosts.host, b4.traffic.left.hosts.hosts) == (77, 3)


@pytest.mark.parametrize(
    ("technology", "devices", "line"),
    [
        (
            'name = "siit"',
            REFERENCES,
            "technology.name: siit is not allowed: with two devices, nat64, map-e-ce, map-t-ce, lw4o6-b4 or dslite",
        ),
        (
            'name = "map-e-ce"\nmesh = true',
            REFERENCES,
            "technology.mesh: true is not allowed: false with two devices in a row: the right one is the border relay",
        ),
        (
            'name = "lw4o6-b4"\nsoftwires = { table = "rows.csv", number = 1, psid_length = 6 }',
            REFERENCES,
            "technology.softwires.table: rows.csv is not allowed: ipv6, ipv4, psid_length and number with two devices",
        ),
        (
            'name = "nat64"\n[tester.right]\nport = "net_ring0"',
            REFERENCES,
            "tester.right.port: net_ring0 is not allowed: nothing with two devices in a row: xlatperf makes its ports",
        ),
        (
            'name = "nat64"',
            REFERENCES + '[[measure]]\nprocedure = "latency"\nrate_fps = 100\n',
            "measure[0].connections: missing: a list of numbers of connections, such as [10000], with two devices in a",
        ),
        ('name = "dslite"\nb4s.count = 7', REFERENCES, "technology.b4s.count: 7 is not allowed: 1 with two devices"),
        (
            'name = "nat64"',
            '[[device]]\ndriver = "reference"\n',
            "device: 1 table [[device]] is not allowed: one table, as [device] in single brackets, or two of [[de",
        ),
        ('name = "nat64"', REFERENCES + '[report]\n', "report: a table is not allowed: nothing with two devices"),
        (
            'name = "map-e-ce"',
            TWO.format("ip6tnl-ce", "ip6tnl-br"),
            "device[1].driver: ip6tnl-br is not allowed: one without a virtual machine: there is one at a time",
        ),
        (
            'name = "nat64"',
            TWO.format("464xlat", "reference"),
            "device[0].driver: 464xlat is not allowed: one of a single device",
        ),
        (
            'name = "nat64"',
            TWO.format("reference", "manual"),
            "device[1].driver: manual is not allowed: one that xlatperf makes on this host",
        ),
        (
            'name = "map-t-ce"',
            TWO.format("reference", "linux") + "cores = [0]\n",
            "device[1].driver: linux is not allowed: for the BR, reference, tayga-map-t-br or vpp",
        ),
        ('name = "nat64"', '[device]\ndriver = "in-a-row"\n', 'device.driver: "in-a-row" is not allowed: reference, '),
        (
            'name = "nat64"',
            REFERENCES + "static_neighbours = true\n",
            "device[1].static_neighbours: true is not allowed: false: it would take the other one for the Tester",
        ),
        ('name = "nat64"', REFERENCES + "mtu = 12\n", "device[1].mtu: 12 is not allowed"),
    ],
)  # fmt: skip
def test_lines(technology: str, devices: str, line: str) -> None:
    with pytest.raises(BenchError) as caught:
        bench(technology, devices)
    assert len(caught.value.lines) == 1, caught.value.lines
    assert caught.value.lines[0].startswith(f"b.toml: {line}")


def test_both_devices_are_looked_at() -> None:
    """Whatever is wrong with the other one; and no driver is offered that a file can't name."""
    with pytest.raises(BenchError) as caught:
        bench('name = "nat64"', '[[device]]\ncores = 1\n[[device]]\ndriver = "nobody"\n')
    keys, driver = caught.value.lines
    assert keys == "b.toml: device[0].cores: unknown key: did you mean core?"
    assert driver.startswith('b.toml: device[1].driver: "nobody" is not allowed: reference, ')
    assert "in-a-row" not in driver


def test_a_frame_that_one_of_them_cannot_carry() -> None:
    """By words: no key of the file is called so."""
    loss = "[[measure]]\nprocedure = 'frame_loss'\nconnections = [10]\nestablish_fps = 1000\nframe_sizes = [1400]\n"
    with pytest.raises(BenchError) as caught:
        parse_bench(f'technology.name = "map-t-ce"\n[[device]]\nmtu = 1300\n[[device]]\n{loss}', "b.toml")
    (line,) = caught.value.lines
    assert line.endswith("its packet has 1382 bytes, and the smaller mtu of both is 1300 (RFC 8219 §5.1)")


def test_names() -> None:
    """By which the folders of their campaigns are known."""
    for technology in PAIRS:
        left, right = bench(technology).alone
        assert left in LEFT_NAMES
        assert right in RIGHT_NAMES
