"""Stateful gateways on this host, each with hosts of the kernel's own on both sides."""

from __future__ import annotations

import contextlib
import ipaddress
import os
import socket
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.devices.hosts import Arrived, Hosts, plan
from tests.lab.test_testbed import traces
from tests.system.requirements import needs_root, needs_tayga
from xlatperf.devices.device import Device, DeviceError
from xlatperf.devices.registry import BY_NAME

pytestmark = [
    needs_root,
    pytest.mark.skipif(
        not Path("/proc/sys/net/netfilter/nf_conntrack_max").exists(), reason="the kernel has no connection tracking"
    ),
]

LIMITS = [Path(f"/proc/sys/net/netfilter/nf_conntrack_{name}") for name in ("max", "buckets")]
SERVER = "198.19.0.2"
OTHER_SERVER = "198.19.0.3"
POOL = {"addresses": 1, "first_port": 1024, "last_port": 65535}


@dataclass(frozen=True)
class Kind:
    """A driver, what it's called by, and what it does to a packet."""

    driver: str
    technology: dict[str, Any]
    clients: tuple[str, str]
    network: str
    server_to_clients: str
    hops: int
    processes: frozenset[str] = frozenset()
    server: str = SERVER
    source: str = "198.19.0.1"


NAT44 = Kind("nft-nat44", {"name": "nat44"}, ("10.0.0.2", "10.0.0.3"), "10.0.0.0/16", SERVER, 1)
NAT66 = Kind(
    "nft-nat66",
    {"name": "nat66"},
    ("2001:2::2", "2001:2::1:2"),
    "2001:2::/96",
    "2001:2:0:8000::2",
    1,
    server="2001:2:0:8000::2",
    source="2001:2:0:8000::1",
)
NAT64 = Kind(
    "tayga-nat64",
    {"name": "nat64", "prefix": "2001:db8:6464::/96"},
    ("2001:2::2", "2001:2::1:2"),
    "2001:2::/96",
    "2001:db8:6464::c613:2",
    3,
    frozenset({"tayga"}),
)
TWICE = {"name": "nat44", "double_translation": True}
XLAT464 = Kind("464xlat", TWICE, NAT44.clients, NAT44.network, SERVER, 6, frozenset({"clat", "plat"}))
KINDS = [NAT44, NAT66, pytest.param(NAT64, marks=needs_tayga), pytest.param(XLAT464, marks=needs_tayga)]


class Gateway:
    """A prepared device and the hosts beside it."""

    def __init__(self, kind: Kind, device: Device, hosts: Hosts) -> None:
        self.kind = kind
        self.device = device
        self.hosts = hosts

    def exchange(self, client: int = 0, size: int = 18) -> Arrived:
        return self.hosts.exchange(self.kind.clients[client], self.kind.server_to_clients, self.kind.server, size=size)


def prepared(undo: contextlib.ExitStack, kind: Kind, pool: dict[str, object], **keys: object) -> Device:
    technology = {**kind.technology, "pool": {"first": kind.source, **POOL, **pool}}
    driver = BY_NAME[kind.driver].model_validate({"driver": kind.driver, **keys})
    servers = f"{kind.server}/{'127' if ':' in kind.server else '31'}"
    return driver.prepare(plan(technology, {kind.network: "foreground"}, {servers: "foreground"}), undo)


@contextlib.contextmanager
def gateway(kind: Kind, *, pool: dict[str, object] | None = None, **keys: object) -> Iterator[Gateway]:
    before = [limit.read_text() for limit in LIMITS]
    with contextlib.ExitStack() as undo:
        device, hosts = prepared(undo, kind, pool or {}, **keys), Hosts()
        undo.callback(hosts.remove)
        length = 128 if ":" in kind.network else 32
        servers = (f"{SERVER}/32", f"{OTHER_SERVER}/32", f"{NAT66.server}/128")
        hosts.make(tuple(f"{client}/{length}" for client in kind.clients), servers)
        yield Gateway(kind, device, hosts)
    assert [limit.read_text() for limit in LIMITS] == before
    assert traces() == []
    assert not device.alive()


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.driver)
def test_translates_counts_and_forgets(kind: Kind) -> None:
    """R9693-4.4-2: a packet leaves with an address of the pool, the answer comes back, and the table can be emptied."""
    with gateway(kind) as running:
        device = running.device
        assert device.count_state() == 0
        arrived = running.exchange()
        assert (arrived.source, arrived.returned_from) == (kind.source, kind.server_to_clients)
        assert arrived.source_port in range(1024, 65536)
        assert 64 - arrived.hop_limit == kind.hops
        assert device.count_state() == 1
        assert running.exchange(client=1).source == kind.source
        # the largest packets, one of which is an IPv6 header longer on the other side
        assert running.exchange(size=1500 - 48 if ":" in kind.network else 1500 - 28).source == kind.source
        assert device.count_state() == 3
        device.clear_state()
        assert device.count_state() == 0
        assert device.alive()
        assert set(device.cpu_s()) == kind.processes
        assert device.diagnose() == []
        facts = device.facts()
        assert facts["net.netfilter.nf_conntrack_udp_timeout"] == "300"
        assert facts["net.netfilter.nf_conntrack_buckets"] == LIMITS[1].read_text().strip()
        assert facts["nft"].startswith("nftables v")
        assert facts["kernel"].startswith("Linux ")


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.driver)
def test_what_belongs_to_no_connection_is_dropped_without_a_trace(kind: Kind) -> None:
    """RFC 9693 §4.8: so the Tester sees that the table is empty, and the look doesn't fill it."""
    with gateway(kind) as running, contextlib.ExitStack() as sockets:
        client = sockets.enter_context(_socket(running, "left", kind.clients[0]))
        server = sockets.enter_context(_socket(running, "right", kind.server))
        client.sendto(b"open", (kind.server_to_clients, server.getsockname()[1]))
        _, mapped = server.recvfrom(100)
        server.sendto(b"back", mapped)
        assert client.recv(100) == b"back"
        running.device.clear_state()
        server.sendto(b"unknown", mapped)
        client.settimeout(0.1)
        with pytest.raises(TimeoutError):
            client.recv(100)
        assert running.device.count_state() == 0


def test_ports_as_the_kernel_maps_them() -> None:
    """RFC 4787 §4: a port is kept where it's free, and a source keeps its mapping towards other servers."""
    with gateway(NAT44) as running, contextlib.ExitStack() as sockets:
        servers = [sockets.enter_context(_socket(running, "right", server)) for server in (SERVER, OTHER_SERVER)]
        first, second = (sockets.enter_context(_socket(running, "left", client, 5000)) for client in NAT44.clients)
        mapped = []
        for client in (first, second):
            for server in servers:
                client.sendto(b"x", server.getsockname())
                mapped.append(server.recvfrom(100)[1])
        assert mapped[:2] == [(NAT44.source, 5000)] * 2
        assert mapped[2] != mapped[0]
        assert mapped[2] == mapped[3]


def test_range_of_ports_and_addresses() -> None:
    """Four ports of two addresses: no address towards one server has a fifth."""
    pool = {"first": "198.18.0.1", "addresses": 2, "first_port": 7000, "last_port": 7003}
    with gateway(NAT44, pool=pool) as running, contextlib.ExitStack() as sockets:
        server = sockets.enter_context(_socket(running, "right", SERVER))
        mapped = set()
        for number in range(5):
            client = sockets.enter_context(_socket(running, "left", NAT44.clients[0], 5000 + number))
            with contextlib.suppress(PermissionError):
                client.sendto(b"x", server.getsockname())
            server.settimeout(3 if number < 4 else 0.1)
            with contextlib.suppress(TimeoutError):
                mapped.add(server.recvfrom(100)[1])
        assert len({address for address, _ in mapped}) == 1
        assert {port for _, port in mapped} == set(range(7000, 7004))
        assert running.device.count_state() == 4


@pytest.mark.alone
@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.driver)
def test_sizes_of_the_table_for_a_time(kind: Kind) -> None:
    """R9693-6-2."""
    size, buckets = (int(limit.read_text()) for limit in LIMITS)
    with gateway(kind, table_size=size + 1000, hash_size=buckets // 2, udp_timeout_s=77) as running:
        facts = running.device.facts()
        assert facts["net.netfilter.nf_conntrack_max"] == str(size + 1000)
        assert int(LIMITS[1].read_text()) == int(facts["net.netfilter.nf_conntrack_buckets"]) < buckets
        assert facts["net.netfilter.nf_conntrack_udp_timeout"] == "77"
        running.exchange()
        running.device.set_table(size + 2000, None)
        running.device.set_table(size + 3000, 1024)  # what columns of a measure do
        facts = running.device.facts()
        assert facts["net.netfilter.nf_conntrack_max"] == str(size + 3000)
        assert facts["net.netfilter.nf_conntrack_buckets"] == "1024"
        running.exchange()
        with pytest.raises(DeviceError, match="nf_conntrack_buckets: 1000 was asked for, the kernel made 1024 of it"):
            running.device.set_table(None, 1000)


@pytest.mark.alone
def test_a_full_table_is_diagnosed() -> None:
    with gateway(NAT44, table_size=1) as running:
        running.exchange()
        assert running.device.diagnose() == [
            "the DUT's connection tracking table is full: 1 entries, nf_conntrack_max is 1"
        ]


@pytest.mark.alone
def test_limits_are_as_before_after_a_failure() -> None:
    before = [limit.read_text() for limit in LIMITS]
    with (
        contextlib.ExitStack() as undo,
        pytest.raises(DeviceError, match=r"can't set net\.netfilter\.nf_conntrack_buckets=2147483647: .*"),
    ):
        prepared(undo, NAT44, {}, table_size=12345, hash_size=2**31 - 1)
    assert [limit.read_text() for limit in LIMITS] == before
    assert traces() == []


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.driver)
def test_cores(kind: Kind) -> None:
    """RFC 9693 §5.2."""
    with gateway(kind) as running:
        device = running.device
        device.set_cores(1)
        assert "cores 0 (RPS)" in device.facts()["cores"] or os.sched_getaffinity(0) != {0, 1}
        running.exchange()
        used = device.cpu_s()
        assert set(used) == kind.processes or set(used) == {"kernel"}
        if kind.processes:
            assert all(seconds > 0 for seconds in used.values())
        everything = len(os.sched_getaffinity(0))
        with pytest.raises(DeviceError, match=f"device_cores: {everything + 1} is not allowed: 1 to {everything}"):
            device.set_cores(everything + 1)


@needs_tayga
@pytest.mark.parametrize("mended", [True, False])
def test_a_udp_checksum_that_would_be_zero_in_ipv6(mended: bool) -> None:
    """RFC 8200 §8.1: it must be 0xffff. TAYGA 0.9.2 sends 0, and such a packet is lost."""
    with gateway(XLAT464, mend_udp_checksum=mended) as running, contextlib.ExitStack() as sockets:
        client = sockets.enter_context(_socket(running, "left", XLAT464.clients[0], 5000))
        server = sockets.enter_context(_socket(running, "right", SERVER, 7))
        # as the packet is between CLAT and PLAT: pseudo header (RFC 8200 §8.1), header, data
        between = ["2001:db8:c1a7::a00:2", "2001:2:0:6464::c613:2"]
        words = b"".join(ipaddress.ip_address(address).packed for address in between)
        words += struct.pack("!6H", 17, 10, 5000, 7, 10, 0)
        total = sum(struct.unpack(f"!{len(words) // 2}H", words)) % 0xFFFF
        client.sendto(struct.pack("!H", 0xFFFF - total), (SERVER, 7))
        server.settimeout(3 if mended else 0.2)
        if mended:
            server.recv(100)
        else:
            with pytest.raises(TimeoutError):
                server.recv(100)


@pytest.mark.parametrize("kind", KINDS[2:], ids=lambda kind: kind.driver)
def test_restart(kind: Kind) -> None:
    with gateway(kind) as running:
        running.exchange()
        before = running.device.cpu_s()
        running.device.restart()
        assert running.exchange().source == kind.source
        after = running.device.cpu_s()
        assert all(after[name] > before[name] for name in kind.processes)


def _socket(running: Gateway, side: str, address: str, port: int = 0) -> socket.socket:
    namespace = running.hosts.left if side == "left" else running.hosts.right
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    made = namespace.inside(lambda: socket.socket(family, socket.SOCK_DGRAM))
    made.settimeout(3)
    made.bind((address, port))
    return made
