"""CEs with NAPT44 in a bench file: what is asked of one, how many ports it has, what can't be."""

from __future__ import annotations

import pytest

from xlatperf.config.bench import Bench
from xlatperf.config.errors import BenchError
from xlatperf.config.load import parse_bench
from xlatperf.config.request import configure_message
from xlatperf.technologies.mapping_negative import RuleBits
from xlatperf.technologies.stateful import StatefulTechnology

RULE = 'ipv6 = "2001:db8::/40"\nipv4 = "192.0.2.0/24"\nea_bits = 16\n'
FAR = {"map-e-ce": 'br = "2001:db8:ffff::1"\n', "map-t-ce": 'dmr = "2001:db8:ffff::/64"\n'}
CES = tuple(FAR)


def bench(name: str, rule: str = RULE, more: str = "ea = 0x1234\n", rest: str = "") -> Bench:
    domain = f'technology.name = "{name}"\n[[technology.domains]]\n' + rule + FAR[name] + more
    return parse_bench(domain + rest, "b.toml")


@pytest.mark.parametrize("name", CES)
def test_defaults(name: str) -> None:
    found = parse_bench(f'technology.name = "{name}"', "b.toml")
    connections = found.traffic.connections
    assert connections is not None
    assert (connections.clients.first, connections.servers.first) == ("10.0.0.2", "198.19.0.2"), "R9693-3.1"
    assert isinstance(found.technology, StatefulTechnology)
    assert found.technology.pool_size == 2016
    assert connections.client_ports.model_dump() == {"first": 1024, "last": 1024 + 1008 - 1}, "half as many"
    several = parse_bench(f'technology.name = "{name}"\ntraffic.connections.clients.addresses = 200', "b.toml")
    assert several.traffic.connections is not None
    assert several.traffic.connections.client_ports.last == 1024 + 1008 // 200 - 1, "of all clients together"
    assert found.traffic.frame_size_of == "ipv6"
    message = configure_message(found, (1, 1))
    assert "hosts" not in message["left"]
    assert "hosts" not in message["right"]
    assert message["technology"]["domains"][0]["ea"] == 0x254


@pytest.mark.parametrize("name", CES)
def test_the_file_s_own_ports_count(name: str) -> None:
    given = bench(name, rest="[traffic.connections]\nclient_ports = { first = 2000, last = 65535 }\n")
    assert given.traffic.connections is not None
    assert given.traffic.connections.client_ports.model_dump() == {"first": 2000, "last": 65535}
    from_there = bench(name, rest="[traffic.connections]\nclient_ports = { first = 65530 }\n")
    assert from_there.traffic.connections is not None
    assert from_there.traffic.connections.client_ports.last == 65535


@pytest.mark.parametrize(
    ("bits", "ports"),
    [
        (RuleBits(40, 24, 16, 6), 252),  # RFC 7597 App. A: 63 ranges of 4
        (RuleBits(51, 24, 13, 0), 2047),  # one range of 2048, and 0 is none (RFC 768)
        (RuleBits(51, 24, 13, 1), 1024),
        (RuleBits(40, 24, 8, 6), 65535),  # an address of its own
        (RuleBits(40, 24, 8, 4, 8), 240),  # provisioned: 15 ranges of 16
        (RuleBits(40, 24, 24, 0), 1),
    ],
)
def test_ports_of_a_ce(bits: RuleBits, ports: int) -> None:
    """RFC 7597 App. B: (2^a - 1) 2^m, or 2^m with an offset of 0."""
    assert bits.ports == ports


@pytest.mark.parametrize("name", CES)
@pytest.mark.parametrize(
    ("rule", "more", "rest", "message"),
    [
        (RULE, "", "", "technology.domains[0].ea: missing: the EA bits of the CE that the DUT is"),
        (RULE, "ea = 1\nces = 2\n", "", "technology.domains[0].ces: 2 is not allowed: 1 with ea"),
        (
            RULE.replace("= 16", "= 4"),
            "ea = 1\n",
            "",
            "technology.domains[0].ea_bits: 4 is not allowed: with ipv4 at least 32 bits: a CE with a prefix needs no "
            "NAPT44",
        ),
        (
            RULE,
            "ea = 1\n",
            '[traffic.connections]\nservers = { first = "192.0.2.7" }\n',
            "traffic.connections.servers.first: 192.0.2.7 is not allowed: addresses outside of "
            "technology.domains[0].ipv4, 192.0.2.0/24, which are on the left",
        ),
        (
            RULE,
            "ea = 1\n",
            '[traffic.left]\nhosts = { prefix = "10.0.0.0/8" }\n',
            "traffic.left.hosts: a table is not allowed: with technology {name}, traffic.connections.clients in its",
        ),
        (
            RULE,
            "ea = 1\n",
            "[[measure]]\nprocedure = 'establishment'\nconnections = [253]\n"
            "[traffic.connections]\nclient_ports = { first = 1024, last = 2000 }\n",
            "measure[0].connections[0]: 253 is not allowed: at most 252: the 252 ports of the CE towards so many "
            "servers and server ports",
        ),
    ],
)
def test_lines(name: str, rule: str, more: str, rest: str, message: str) -> None:
    with pytest.raises(BenchError) as refused:
        bench(name, rule, more, rest)
    assert message.format(name=name) in str(refused.value)


@pytest.mark.parametrize("name", CES)
def test_two_domains(name: str) -> None:
    with pytest.raises(BenchError) as refused:
        bench(name, rest="[[technology.domains]]\n" + RULE + FAR[name] + "ea = 1\n")
    assert "technology.domains" in str(refused.value)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize("name", CES)
def test_what_it_must_refuse(name: str) -> None:
    """RFC 7597 §8.1, RFC 7599 §8.2: from the right; what goes there is its NAPT44's own."""
    tests = bench(name).technology.negative_tests()
    assert {test.direction for test in tests} == {"reverse"}
    names = [test.name for test in tests]
    assert {"interface_identifier", "destination_port", "destination_port_0"} <= set(names)
    assert ("border_relay" in names, "dmr" in names) == (name == "map-e-ce", name == "map-t-ce")


def mesh(name: str, rule: str = RULE, more: str = "ea = 0x1234\n", rest: str = "") -> Bench:
    domain = f'[technology]\nname = "{name}"\nmesh = true\n[[technology.domains]]\n' + rule + FAR[name] + more
    return parse_bench(domain + rest, "b.toml")


@pytest.mark.parametrize("name", CES)
@pytest.mark.parametrize(
    ("rule", "more", "servers", "ports"),
    [
        (RULE, "ea = 0x1234\n", ("192.0.2.19", 100), (1024, 49151)),
        (RULE, "ea = 0xff34\n", ("192.0.2.155", 100), (1024, 49151)),
        (RULE.replace("= 16", "= 8"), "ea = 18\n", ("192.0.2.19", 100), (1, 49151)),
        (RULE, "ea = 0x1234\npsid_offset = 0\n", ("192.0.2.19", 100), (1, 49151)),
        (RULE, "ea = 0x1234\npsid_offset = 1\n", ("192.0.2.19", 100), (32768, 49151)),
        (
            RULE.replace("= 16", "= 8"),
            "ea = 18\npsid = 0x34\npsid_length = 8\n",
            ("192.0.2.19", 100),
            (1232, 1235),
        ),
        (
            RULE.replace("= 16", "= 8"),
            "ea = 18\npsid = 3\npsid_length = 2\npsid_offset = 0\n",
            ("192.0.2.19", 100),
            (49152, 65535),
        ),
        ('ipv6 = "2001:db8::/40"\nipv4 = "192.0.2.0/31"\nea_bits = 6\n', "ea = 33\n", ("192.0.2.0", 1), (1024, 49151)),
    ],
)
def test_servers_in_a_mesh(name: str, rule: str, more: str, servers: tuple[str, int], ports: tuple[int, int]) -> None:
    """R7597-5: behind other CEs of the domain, at addresses beside the DUT's and at ports that a CE has (§5.1)."""
    found = mesh(name, rule, more)
    connections = found.traffic.connections
    assert connections is not None
    assert (connections.servers.first, connections.servers.addresses) == servers
    assert (connections.server_ports.first, connections.server_ports.last) == ports
    assert configure_message(found, (1, 1))["technology"]["mesh"] is True
    assert found.technology.in_words(found.technology.model_dump()).endswith("NAPT44, to other CEs and back")
    given = mesh(
        name, rule, more, f'[traffic.connections]\nservers = {{ first = "{servers[0]}" }}\n'
    ).traffic.connections
    assert given is not None
    assert given.servers.addresses == 1


_PROVISIONED = "ea = 18\npsid = 0x34\npsid_length = 8\n"
_COLUMN = "[[measure]]\nprocedure = 'establishment'\ncolumns = [{{ connections = 10, server_ports = {} }}]\n"


@pytest.mark.parametrize("name", CES)
@pytest.mark.parametrize(
    ("rule", "more", "rest", "message"),
    [
        (
            RULE.replace("24", "32").replace("= 16", "= 8"),
            "ea = 1\n",
            "",
            "technology.domains[0].ea_bits: 8 is not allowed: with mesh, some of the IPv4 address: no other CE of the "
            "domain has another one",
        ),
        (
            RULE,
            "ea = 0x1234\n",
            'servers = { first = "198.19.0.2" }\n',
            "traffic.connections.servers.first: 198.19.0.2 is not allowed: with technology.mesh addresses in "
            "technology.domains[0].ipv4, 192.0.2.0/24, other than the DUT's, 192.0.2.18",
        ),
        (
            RULE,
            "ea = 0x1234\n",
            'servers = { first = "192.0.2.10", addresses = 10 }\n',
            "traffic.connections.servers.addresses: 10 is not allowed: as many as are, from 192.0.2.10 on, with "
            "technology.mesh addresses in",
        ),
        (
            RULE,
            "ea = 0x1234\n",
            'servers = { first = "192.0.2.250", addresses = 10 }\n',
            "traffic.connections.servers.addresses: 10 is not allowed: as many as are, from 192.0.2.250 on",
        ),
        (
            RULE,
            "ea = 0x1234\n",
            "server_ports = { first = 80 }\n",
            "traffic.connections.server_ports.first: 80 is not allowed: with technology.mesh ports that CEs of the "
            "domain have, 1024 to 65535 (RFC 7597 §5.1)",
        ),
        (
            RULE.replace("= 16", "= 8"),
            _PROVISIONED,
            "server_ports = { first = 1233, last = 1236 }\n",
            "traffic.connections.server_ports.last: 1236 is not allowed: with technology.mesh ports that CEs of the "
            "domain have, 1232 to 1235, 2256 to 2259 ..., of one of its 63 ranges (RFC 7597 §5.1)",
        ),
        (
            RULE,
            "ea = 0x1234\n",
            _COLUMN.format("{ last = 2000 }"),
            "measure[0].columns[0].server_ports.first: 1 is not allowed: with technology.mesh ports",
        ),
    ],
)
def test_lines_of_a_mesh(name: str, rule: str, more: str, rest: str, message: str) -> None:
    with pytest.raises(BenchError) as refused:
        mesh(name, rule, more, rest if rest.startswith("[[") else f"[traffic.connections]\n{rest}")
    assert message in str(refused.value)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize("name", CES)
def test_what_is_refused_in_a_mesh(name: str) -> None:
    """What is checked of the sender is what a CE checks that has no NAPT44 (RFC 7597 §8.1, RFC 7599 §8.2)."""
    found = {one.name: one for one in mesh(name).technology.negative_tests()}
    assert len(found) == {"map-e-ce": 10, "map-t-ce": 8}[name]
    assert {"sender_port", "sender_ea_bits", "sender_identifier", "stranger", "destination_port"} < set(found)
    assert [one.name for one in found.values() if one.direction == "forward"] == ["nobodys_port"]
    assert not {"border_relay", "dmr"} & set(found)
