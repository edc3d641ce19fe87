"""Stateful technologies in the bench file: defaults of RFC 9693, what must fit together, the engine's requests."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.config.test_errors import fault
from xlatperf.config.connections import AddressRange, Servers
from xlatperf.config.load import parse_bench
from xlatperf.config.request import configure_message, trial_connections
from xlatperf.procedures.capacity import Capacity
from xlatperf.procedures.connections import Connections
from xlatperf.procedures.establishment import Establishment
from xlatperf.procedures.teardown import Teardown
from xlatperf.procedures.throughput import Throughput
from xlatperf.procedures.trial_request import TrialRequest
from xlatperf.run.runs import cells

NAT44 = 'technology.name = "nat44"\n'
NAT64 = 'technology.name = "nat64"\n'

WHOLE = {"psid_offset": 0, "psid_length": 0, "psid": 0}
"""Of a pool whose addresses are the DUT's alone."""


def measures(*tables: str) -> str:
    return "measure = [" + ", ".join("{ " + table + " }" for table in tables) + "]\n"


def test_addresses_of_rfc_9693() -> None:
    """R9693-3.1, R9693-3.2."""
    nat44, nat64 = (configure_message(parse_bench(text, "b"), (1, 1)) for text in (NAT44, NAT64))
    assert nat44["technology"] == {
        "name": "nat44",
        "pool": {"first": "198.19.0.1", "addresses": 1, "first_port": 1024, "last_port": 65535} | WHOLE,
        "double_translation": False,
    }
    assert nat44["traffic"]["connections"] == {
        "clients": {"first": "10.0.0.2", "addresses": 1, "step": 1},
        "client_ports": {"first": 1024, "last": 65535},
        "servers": {"first": "198.19.0.2", "addresses": 1, "step": 1},
        "server_ports": {"first": 1, "last": 49151},
        "enumeration": "pseudorandom",
        "read_order": "pseudorandom",
        "write_order": "round_robin",
    }
    assert "hosts" not in nat44["left"]
    assert nat64["technology"]["prefix"] == "2001:2:0:6464::/96"
    assert nat64["traffic"]["connections"]["clients"] == {"first": "2001:2::2", "addresses": 1, "step": 65536}
    assert nat64["traffic"]["connections"]["servers"]["first"] == "198.19.0.2"
    nat66 = configure_message(parse_bench('technology.name = "nat66"', "b"), (1, 1))
    named = nat66["traffic"]["connections"]
    assert (named["clients"]["first"], named["servers"]["first"]) == ("2001:2::2", "2001:2:0:8000::2")
    assert nat66["technology"]["pool"]["first"] == "2001:2:0:8000::1"


def test_sizes_of_frames() -> None:
    """R8219-5.1.1-1: NAT64 as SIIT, the others by their only family."""

    def of(text: str) -> tuple[int, int]:
        sizes = (
            parse_bench(text + measures("procedure = 'establishment', connections = [1]"), "b").measure[0].single_sizes
        )
        return sizes[0], sizes[-1]

    assert of(NAT44) == (64, 1518)
    assert of(NAT64) == (84, 1518)
    assert of(NAT64 + 'traffic.frame_size_of = "ipv4"\n') == (64, 1498)
    assert of('technology.name = "nat66"\n') == (84, 1518)


def test_defaults_of_the_measures() -> None:
    """R9693-4.6-1, R9693-4.9, R9693-6-1."""
    text = NAT44 + measures(
        "procedure = 'capacity'",
        "procedure = 'teardown', connections = [1], establish_fps = 5",
        "procedure = 'establishment', connections = [1]",
    )
    capacity, teardown, establishment = parse_bench(text, "b").measure
    assert isinstance(capacity, Capacity)
    assert (capacity.beta, capacity.gamma, capacity.alpha, capacity.frame_sizes) == (0.1, 0.5, 0.8, (64,))
    assert isinstance(teardown, Teardown)
    assert (teardown.direction, teardown.frame_sizes) == ("forward", (64,))
    assert isinstance(establishment, Establishment)
    assert capacity.repetitions == teardown.repetitions == 10
    assert (establishment.alpha, establishment.repetitions, establishment.direction) == (None, 10, "forward")


def test_order_and_series() -> None:
    """R9693-4.2-2: the establishment rate first; R9693-5.1, R9693-5.2: series over connections and cores."""
    wanted = "frame_sizes = [64], connections = [10, 20], device_cores = [1, 2]"
    text = (
        NAT44
        + "traffic.mix = [[1, 1], [5, 10]]\n"
        + measures(
            f"procedure = 'latency', {wanted}",
            f"procedure = 'throughput', {wanted}",
            "procedure = 'capacity', device_cores = [1]",
            f"procedure = 'teardown', {wanted}",
            f"procedure = 'establishment', alpha = 0.5, {wanted}",
        )
    )
    found = cells(parse_bench(text, "b"))
    order = list(dict.fromkeys(cell.measure.procedure for cell in found))
    assert order == ["establishment", "teardown", "capacity", "throughput", "latency"]
    assert len({cell.key for cell in found}) == len(found) == 4 + 4 + 1 + 8 + 8
    assert [(cell.series.device_cores, cell.connections) for cell in found[:4]] == [(1, 10), (1, 20), (2, 10), (2, 20)]
    assert found[0].name == "validated establishment, 10 connections, 1 core"
    assert found[0].key == "5-establishment/mix=1of1/size=64/forward/connections=10/cores=1"


def test_the_pool_of_several_addresses_is_elsewhere() -> None:
    """R9693-3.2: several addresses of the DUT are 198.18.0.1 and following."""
    bench = parse_bench("technology = { name = 'nat44', pool = { addresses = 100 } }", "b")
    assert bench.technology.model_dump()["pool"]["first"] == "198.18.0.1"


def test_a_range_with_steps_may_pass_by() -> None:
    servers = Servers(first="10.0.0.1", addresses=3, step=256)
    assert [servers.holds_any(low, low) for low in (0x0A000001, 0x0A000002, 0x0A000101, 0x0A000201, 0x0A000301)] == [
        True,
        False,
        True,
        True,
        False,
    ]
    assert AddressRange.model_fields["step"].default == 1


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (
            NAT44 + measures("procedure = 'establishment'"),
            "measure[0].connections: missing: a list of numbers of connections, such as [10000], with technology nat44",
        ),
        (
            'technology.name = "siit"\n' + measures("procedure = 'throughput', connections = [5]"),
            "measure[0].connections: [5] is not allowed: only with technology nat44, nat64, nat66, map-e-ce, "
            "map-t-ce, lw4o6-b4, dslite; siit has no connections",
        ),
        (
            'technology.name = "siit"\n' + measures("procedure = 'capacity'"),
            "measure[0].procedure: capacity is not allowed: with technology nat44, nat64, nat66, map-e-ce, map-t-ce, "
            "lw4o6-b4, dslite; siit has no connections",
        ),
        (
            'technology.name = "siit"\ntraffic.connections = {}',
            "traffic.connections: a table is not allowed: nothing with technology siit; only nat44, nat64, "
            "nat66, map-e-ce, map-t-ce, lw4o6-b4, dslite have connections",
        ),
        (
            NAT44 + "traffic.left.hosts.networks = 3",
            "traffic.left.hosts: a table is not allowed: with technology nat44, traffic.connections.clients in its "
            "place",
        ),
        (
            NAT44 + "traffic.connections.client_ports = { first = 1024, last = 1123 }\n"
            "traffic.connections.server_ports.last = 10\n"
            + measures("procedure = 'establishment', connections = [10, 1001]"),
            "measure[0].connections[1]: 1001 is not allowed: at most 1000: clients x client ports x servers x server "
            "ports of traffic.connections, and what one trial can have",
        ),
        (
            NAT44 + "traffic.connections.client_ports = { first = 1024, last = 1123 }\n"
            "traffic.connections.server_ports.last = 10\n"
            + measures("procedure = 'capacity', safe_connections = 2000"),
            "measure[0].safe_connections: 2000 is not allowed: at most 1000: clients x client ports x servers x server "
            "ports of traffic.connections, and what one trial can have",
        ),
        (
            NAT44
            + "traffic.connections.clients.addresses = 2\n"
            + measures("procedure = 'establishment', connections = [64513]"),
            "measure[0].connections[0]: 64513 is not allowed: at most 64512: the 64512 pairs of address and port of "
            "technology.pool towards so many servers and server ports",
        ),
        (
            NAT44 + measures("procedure = 'throughput', frame_sizes = [64], connections = [10]"),
            "measure[0].establish_fps: nothing is not allowed: a rate, or a measure with procedure = establishment and "
            "frame sizes 64 and connections 10 in this file",
        ),
        (
            NAT44
            + measures(
                "procedure = 'establishment', connections = [10], frame_sizes = [64], device_cores = [1]",
                "procedure = 'throughput', connections = [10], frame_sizes = [64], device_cores = [1, 2]",
            ),
            "measure[1].establish_fps: nothing is not allowed: a rate, or a measure with procedure = establishment and "
            "frame sizes 64 and connections 10 and device_cores 2 in this file",
        ),
        (
            NAT44
            + measures("procedure = 'capacity', device_cores = [1]", "procedure = 'establishment', connections = [10]"),
            "measure[1].device_cores: nothing is not allowed: a number, as other measures or columns have it",
        ),
        (
            NAT44
            + measures(
                "procedure = 'throughput', frame_sizes = [64], connections = [10], establish_fps = 5",
                "procedure = 'latency', frame_sizes = [64], connections = [10, 20], establish_fps = 5",
            ),
            "measure[1].rate_fps: nothing is not allowed: a rate, or a measure with procedure = throughput, direction "
            "= bidirectional and frame sizes 64 and connections 20 in this file",
        ),
        (
            NAT44 + measures("procedure = 'reset', connections = [10], rate_fps = 5, establish_fps = 5"),
            "measure[0].procedure: reset is not allowed: with a stateless technology; a stateful DUT that is reset "
            "loses its connections, so phase 2 can't go on",
        ),
        (
            NAT44 + 'technology.pool.first = "2001:2::1"',
            'technology.pool.first: "2001:2::1" is not allowed: an IPv4 address such as 198.19.0.1, no server\'s',
        ),
        (
            NAT44 + 'technology.pool = { first = "198.19.0.1", addresses = 2 }',
            "technology.pool.first: 198.19.0.1 is not allowed: 2 address(es) from there on, none of "
            "traffic.connections.servers.first",
        ),
        (
            NAT44 + 'technology.pool.first = "192.168.18.1"',
            "technology.pool.first: 192.168.18.1 is not allowed: 1 address(es) from there on outside of the link "
            "192.168.18.0/30 of tester.left",
        ),
        (
            NAT64 + 'traffic.connections.servers.first = "2001:2:0:8000::2"',
            "traffic.connections.servers.first: 2001:2:0:8000::2 is not allowed: an IPv4 address with technology nat64",
        ),
        (
            NAT64 + 'technology.prefix = "64:ff9b::/96"',
            "technology.prefix: 64:ff9b::/96 is not allowed: RFC 6052 §3.1 forbids the Well-Known Prefix for "
            "198.19.0.2 and a translator must drop such packets; use a network-specific prefix such as "
            "2001:2:0:6464::/96",
        ),
        (
            NAT44 + 'traffic.frame_size_of = "ipv6"',
            "traffic.frame_size_of: ipv6 is not allowed: ipv4, the only family of the traffic",
        ),
        (
            NAT44 + measures("procedure = 'establishment', connections = [10, 10]"),
            "measure[0].connections: [10, 10] is not allowed: each number once",
        ),
        (
            NAT44 + measures("procedure = 'capacity', safe_connections = 10, maximum_connections = 5"),
            "measure[0].maximum_connections: 5 is not allowed: at least safe_connections, which is 10",
        ),
        (
            NAT44 + measures("procedure = 'throughput', connections = [1], establish_fps = 5, establish_share = 0.3"),
            "measure[0].establish_share: 0.3 is not allowed: without establish_fps",
        ),
    ],
)
def test_lines(text: str, line: str) -> None:
    assert fault(text) == f"b.toml: {line}"


def test_trial_connections() -> None:
    """With one frame for each connection the duration is the engine's to say."""
    request = TrialRequest(64, "ipv4", 100.0, 5.0, connections=Connections(7, "steady", 10.0))
    assert trial_connections(request) == {"connections": {"count": 7, "phase": "steady"}, "duration_s": 5.0}
    once = request.experiment(Connections(7, "each_once", 10.0), 10.0, "validate")
    assert trial_connections(once) == {"connections": {"count": 7, "phase": "each_once"}}
    assert trial_connections(replace(request, connections=None)) == {"duration_s": 5.0}


def test_stateless_measures_are_as_before() -> None:
    text = 'technology.name = "siit"\n' + measures("procedure = 'throughput', frame_sizes = [84]")
    (measure,) = parse_bench(text, "b").measure
    assert isinstance(measure, Throughput)
    assert (measure.connections, measure.direction, measure.duration_s) == (None, "bidirectional", 60)
