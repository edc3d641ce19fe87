"""[technology] of DS-Lite: defaults, what must fit together, what the engine is told."""

from __future__ import annotations

import json
from ipaddress import IPv6Address

import pytest
from hypothesis import given
from hypothesis import strategies as st

from xlatperf.config.errors import BenchError
from xlatperf.config.load import parse_bench
from xlatperf.config.request import configure_message
from xlatperf.config.series import more_subscribers
from xlatperf.technologies.b4s import B4s
from xlatperf.technologies.dslite import Dslite

AFTR = 'technology.name = "dslite"\n'
MEASURE = '[[measure]]\nprocedure = "establishment"\nframe_sizes = [104]\n'

WHOLE = {"psid_offset": 0, "psid_length": 0, "psid": 0}
"""Of a pool whose addresses are the DUT's alone."""


def fault(text: str) -> str:
    with pytest.raises(BenchError) as error:
        parse_bench(text, "b.toml")
    return str(error.value).removeprefix("b.toml: ")


def test_defaults() -> None:
    """RFC 9693 §3.1's client and server, a thousand B4s in the benchmarking range."""
    bench = parse_bench(AFTR, "b.toml")
    message = configure_message(bench, (1, 1))
    assert message["technology"] == {
        "name": "dslite",
        "aftr": "2001:2:0:6000::1",
        "b4s": {"first": "2001:2:0:4000::2", "count": 1000, "network_length": 64},
        "pool": {"addresses": 1, "first": "198.19.0.1", "first_port": 1024, "last_port": 65535} | WHOLE,
    }
    assert message["traffic"]["connections"]["clients"] == {"first": "10.0.0.2", "addresses": 1, "step": 1}
    assert message["traffic"]["tunnel"] == {"hop_limit": 64, "dut_hop_limit": 64}
    assert "hosts" not in message["left"]
    assert bench.four_tuples().of_one_server_port == 1000 * 64512
    assert bench.four_tuples(7).of_one_server_port == 7 * 64512
    assert bench.traffic.hops == "learn"
    b4 = configure_message(parse_bench('technology.name = "dslite-b4"', "b.toml"), (1, 1))
    assert b4["technology"] == {"name": "dslite-b4", "b4": "2001:2:0:4000::2", "aftr": "2001:2:0:c000::1"}
    assert (b4["left"]["hosts"]["prefix"], b4["right"]["hosts"]["prefix"]) == ("10.0.0.0/24", "198.19.0.0/24")


def test_a_limit_is_for_the_negative_test_alone() -> None:
    bench = parse_bench('technology = { name = "dslite", sessions = 64 }', "b.toml")
    assert "sessions" not in json.dumps(configure_message(bench, (1, 1)))
    (test,) = [one for one in bench.technology.negative_tests() if one.name == "sessions"]
    assert (test.beyond, test.part, test.must) == (64, 0, False)
    assert bench.technology.part(0).message()["b4s"]["count"] == 1
    without = parse_bench(AFTR + "technology.pool.first_port = 1023", "b.toml").technology.negative_tests()
    assert {one.name: one.impossible for one in without} == {
        "source_address": "",
        "aftr": "",
        "nobodys_port": "technology.pool has ports below 1024",
        "sessions": "technology.sessions isn't set",
    }


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (
            AFTR + 'technology.aftr = "2001:2:0:4001::2"',
            "technology.aftr: 2001:2:0:4001::2 is not allowed: an address that no B4 of b4s has",
        ),
        (
            AFTR + 'technology.b4s = { first = "ffff:ffff:ffff:fff0::1", count = 17 }',
            "technology.b4s.count: 17 is not allowed: the addresses end before that",
        ),
        (
            AFTR + "technology.b4s.network_length = 31",
            "technology.b4s.network_length: 31 is not allowed: a whole number, 32 to 128",
        ),
        (
            AFTR + 'technology.b4s.first = "2001:2:0:7ff0::1"',
            "technology.b4s.first: 2001:2:0:7ff0::1 is not allowed: 1000 address(es) from there on without the DUT's "
            "address on the link 2001:2:0:7fff::/64, 2001:2:0:7fff::1",
        ),
        (
            AFTR + "traffic.connections.clients.addresses = 16778",
            "traffic.connections.clients.addresses: 16778 is not allowed: 1000 gateways x clients are 16778000, at "
            "most 16777216 are possible",
        ),
        (
            AFTR + "traffic.connections.clients.addresses = 67",
            "traffic.connections.clients.addresses: 67 is not allowed: 1000 gateways x clients x servers x client "
            "ports are 4322304000, at most 4294967295 are possible",
        ),
        (
            AFTR + 'traffic.connections.clients.first = "2001:db8::1"',
            "traffic.connections.clients.first: 2001:db8::1 is not allowed: an IPv4 address with technology dslite",
        ),
        (
            AFTR
            + "traffic.connections.client_ports = { first = 1, last = 1 }\n"
            + "traffic.connections.server_ports = { first = 1, last = 5 }\n"
            + MEASURE
            + "connections = [5000]\nsubscribers = [1000, 999]",
            "measure[0].connections[0]: 5000 is not allowed: at most 4995: 999 gateways x clients x client ports x "
            "servers x server ports of traffic.connections, and what one trial can have",
        ),
        (
            AFTR + "technology.sessions = 64\ntraffic.connections.client_ports = { first = 1, last = 73 }",
            "technology.sessions: 64 is not allowed: with one server, and at least 10 less than clients x client ports "
            "of traffic.connections; they are 73, to 1 server(s)",
        ),
        (
            'technology = { name = "dslite", sessions = 64 }\ntraffic.connections.servers.addresses = 2',
            "technology.sessions: 64 is not allowed: with one server, and at least 10 less than clients x client ports "
            "of traffic.connections; they are 64512, to 2 server(s)",
        ),
        (
            AFTR
            + 'technology.b4s = { first = "2001:db8::2", count = 16777216 }\n'
            + "traffic.connections.clients.addresses = 2\n"
            + MEASURE
            + "connections = [10]\nsubscribers = [1]",
            "traffic.connections.clients.addresses: 2 is not allowed: 16777216 gateways x clients are 33554432, at "
            "most 16777216 are possible",
        ),
        (
            AFTR
            + 'technology.b4s.first = "2001:2:0:7000::1"\n'
            + MEASURE
            + "connections = [10]\nsubscribers = [1, 4096]",
            "technology.b4s.first: 2001:2:0:7000::1 is not allowed: 4096 address(es) from there on without the DUT's "
            "address on the link 2001:2:0:7fff::/64, 2001:2:0:7fff::1",
        ),
        (
            AFTR + 'technology.aftr = "2001:2:0:5000::2"\n' + MEASURE + "connections = [10]\nsubscribers = [4097]",
            "measure[0].subscribers[0]: 4097 is not allowed: 1 to 4096, by technology.b4s",
        ),
        (
            'technology = { name = "dslite-b4", sessions = 1 }',
            "technology.sessions: unknown key",
        ),
    ],
)
def test_lines(text: str, line: str) -> None:
    assert fault(text).startswith(line)


def test_the_dut_is_prepared_for_the_longest_series() -> None:
    text = AFTR + MEASURE + "connections = [10]\nsubscribers = [1, {}]\n"
    for count, more in ((1000, None), (1001, 1001)):
        bench = parse_bench(text.format(count), "b.toml")
        assert more_subscribers(bench.technology, bench.measure) == more
    wanted = configure_message(bench, (1, 1), subscribers=1001)
    assert wanted["technology"]["b4s"]["count"] == 1001


@given(
    first=st.integers(0, 2**128 - 1),
    count=st.integers(1, 50),
    length=st.integers(120, 128),
    low=st.integers(0, 2**128 - 1),
    near=st.integers(-3000, 3000),
    size=st.integers(0, 3000),
)
def test_which_addresses_b4s_have(first: int, count: int, length: int, low: int, near: int, size: int) -> None:
    """Compared with all of them, one by one."""
    addresses = [first + i * 2 ** (128 - length) for i in range(count)]
    if addresses[-1] >= 2**128:
        with pytest.raises(ValueError, match="the addresses end before that"):
            B4s(first=str(IPv6Address(first)), count=count, network_length=length)
        return
    b4s = B4s(first=str(IPv6Address(first)), count=count, network_length=length)
    assert b4s.bounds == (addresses[0], addresses[-1])
    for start in (low, max(0, first + near)):
        held = any(start <= address <= start + size for address in addresses)
        assert b4s.holds_any(start, start + size) == held


def test_how_many_b4s_there_can_be() -> None:
    technology = parse_bench(AFTR, "b.toml").technology
    assert isinstance(technology, Dslite)
    assert (technology.possible_subscribers[0], technology.possible_subscribers[-1]) == (1, 2**24)
    few = technology.model_copy(update={"b4s": B4s(first="ffff:ffff:ffff:fff0::1", count=1)})
    assert few.possible_subscribers[-1] == 16
