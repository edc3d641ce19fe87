"""A stateful NAT64 (RFC 6146) as an engine's other end: headers by RFC 7915, no errors but those of §3.5.1."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from ipaddress import IPv4Address, IPv6Address, IPv6Network
from typing import Any

from tests.conformance.other_end import Joiner, OtherEnd, next_port
from xlatperf.conformance.bindings import Binding, End, binding_of, ports_of
from xlatperf.conformance.embedding import embedded
from xlatperf.conformance.ends import Ends
from xlatperf.conformance.exchange import Exchanges, Way
from xlatperf.conformance.packet import ICMP, ICMPV6, TCP, UDP, Ipv4, Ipv6, Packet
from xlatperf.conformance.rfc6146.rules import of_nat64
from xlatperf.conformance.rfc6146.setup import setup
from xlatperf.conformance.rule import Finding
from xlatperf.conformance.stateful.clients import Pool
from xlatperf.conformance.translate import Pairs, to_ipv4, to_ipv6
from xlatperf.conformance.transport import SYN, checksum_of, icmp, icmp_error, protocol_of, with_checksum
from xlatperf.engine.message import SideName
from xlatperf.engine.messages import ExchangeAnswer

PREFIX = IPv6Network("2001:2:0:6464::/96")
CLIENT, SERVER, OTHER = IPv6Address("2001:2::2"), IPv4Address("198.19.0.2"), IPv4Address("192.168.19.2")
POOL = Pool(IPv4Address("198.19.0.16"), addresses=2, first_port=512, last_port=65535)
_MAC = bytes(6)
_PAIRS = Pairs({POOL.first: CLIENT, SERVER: embedded(SERVER, PREFIX)})
SETUP = setup(
    Way(Ends(CLIENT, embedded(SERVER, PREFIX), (1025, 7), _PAIRS, hops=1), "left", "right", _MAC, _MAC),
    Way(Ends(SERVER, POOL.first, (9, 1025), _PAIRS, hops=1), "right", "left", _MAC, _MAC),
    OTHER,
    PREFIX,
    POOL,
)


@dataclass
class Nat64(OtherEnd):
    """What it does wrong is in `faults`, by name."""

    faults: frozenset[str] = frozenset()
    bindings: dict[Any, Binding] = field(default_factory=dict)
    peers: set[tuple[Binding, IPv4Address, int]] = field(default_factory=set)

    def __post_init__(self) -> None:
        self._joiner = Joiner(in_order="drops the last fragment first" in self.faults)

    def exchange(self, frames: Sequence[tuple[SideName, bytes]], **how: Any) -> ExchangeAnswer:
        """As Engine does."""
        if "forgets fragments" in self.faults:
            self._joiner.forget()
        return super().exchange(frames, **how)

    def out(self, _: SideName, sent: Packet) -> Iterator[tuple[SideName, Packet]]:
        """As OtherEnd has it."""
        if sent.is_fragment:
            whole = self._joiner.joined(sent)
            if whole is None:
                return
            sent = whole
        if isinstance(sent, Ipv6):
            yield from self._outward(replace(sent, extensions=()))
        else:
            yield from self._inward(sent)

    def _outward(self, sent: Ipv6) -> Iterator[tuple[SideName, Packet]]:
        if sent.source in PREFIX and "loops" not in self.faults:
            return
        server = IPv4Address(sent.destination.packed[12:])
        if icmp_error(sent) is not None:
            known = binding_of(sent, tuple(self.bindings.values()))
            if known is not None and "errors end mappings" in self.faults:
                self.bindings = {key: one for key, one in self.bindings.items() if one != known}
            if known is not None or "passes any error" in self.faults:
                yield from self._translated(sent, known)
            return
        known, ports = self._opened(sent), ports_of(sent)
        if known is None:
            return
        self.peers.add((known, server, ports[1] if ports else 0))
        if any(one.outside.address == server for one in self.bindings.values()):
            yield from () if ports is None else self._hairpinned(sent, known, server, ports[1])
            return
        yield from self._translated(sent, known)

    def _translated(self, sent: Ipv6, known: Binding | None) -> Iterator[tuple[SideName, Packet]]:
        server = IPv4Address(sent.destination.packed[12:])
        own = {POOL.first: sent.source} if known is None else {}
        pairs = Pairs({server: sent.destination, **own}, () if known is None else (known,))
        made = to_ipv4(sent, pairs, hops=1)
        if made is not None:
            yield "right", made

    def _hairpinned(self, sent: Ipv6, own: Binding, to: IPv4Address, port: int) -> Iterator[tuple[SideName, Packet]]:
        """By IPv4 in between, of one address of the pool to one of the pool."""
        if "no hairpinning" in self.faults:
            return
        between = Ipv4(own.pair[0], to, sent.next_header, _with_ports(sent, own.outside.port, port))
        other = self._bound(between)
        if other is None or not self._lets_in(other, between):
            return
        source = CLIENT if "hairpins with the client's own address" in self.faults else embedded(own.pair[0], PREFIX)
        payload = _with_ports(sent, own.outside.port, other.inside.port)
        made = with_checksum(source, other.pair[1], sent.next_header, payload)
        yield "left", Ipv6(source, other.pair[1], sent.next_header, made)

    def _opened(self, sent: Ipv6) -> Binding | None:
        """An entry of the BIB, new for what may open one."""
        protocol = ICMP if sent.next_header == ICMPV6 else sent.next_header
        ports = ports_of(sent)
        if ports is None or protocol not in (UDP, TCP, ICMP):
            return None
        key: tuple[Any, ...] = (protocol, sent.source, ports[0])
        if "a mapping per destination" in self.faults:
            key += (sent.destination, ports[1])
        if key not in self.bindings:
            if protocol == TCP and not sent.payload[13] & SYN and "opens by any segment" not in self.faults:
                return None
            outside = End(self._address(), self._port(ports[0]))
            self.bindings[key] = Binding(protocol, End(sent.source, ports[0]), outside)
        return self.bindings[key]

    def _address(self) -> IPv4Address:
        if "outside the pool" in self.faults:
            return POOL.first + 7
        if "the address of another host" in self.faults:
            return OTHER
        return POOL.first + (len(self.bindings) % 2 if "addresses in turn" in self.faults else 0)

    def _port(self, port: int) -> int:
        if "one port for all" in self.faults:
            return 4000
        if "a low port" in self.faults and port > 1024:
            return 600 + port % 400
        if "a high port" in self.faults and port < 1024:
            return port + 1024
        taken = {one.outside.port for one in self.bindings.values()}
        while port in taken or ("other parity" in self.faults and port % 2 == 0):
            port = next_port(port, step=2 if "other parity" not in self.faults else 1)
        return port

    def _inward(self, sent: Ipv4) -> Iterator[tuple[SideName, Packet]]:
        known = self._bound(sent)
        if known is None:
            if "translates what nobody has" in self.faults and (ports := ports_of(sent)):
                protocol = sent.protocol
                known = Binding(protocol, End(CLIENT, ports[1]), End(sent.destination, ports[1]))
            else:
                if sent.protocol != ICMP and "no errors" not in self.faults:
                    yield "right", self._unreachable(sent)
                return
        if not self._lets_in(known, sent):
            return
        if protocol_of(sent) == UDP and not checksum_of(sent):
            if "no checksum" in self.faults:
                return
            sent = replace(sent, payload=with_checksum(sent.source, sent.destination, UDP, sent.payload))
        made = to_ipv6(sent, Pairs({sent.source: embedded(sent.source, PREFIX)}, (known,)), hops=1)
        if made is not None:
            yield "left", made

    def _bound(self, sent: Ipv4) -> Binding | None:
        """Whose a packet from outside is: by where it goes, an error by what is inside."""
        if icmp_error(sent) is not None:
            return binding_of(sent, tuple(self.bindings.values()))
        ports, address = ports_of(sent), sent.destination
        if ports is None:
            return None
        return next((one for one in self.bindings.values() if one.is_of(sent.protocol, address, ports[1])), None)

    def _lets_in(self, known: Binding, sent: Ipv4) -> bool:
        ports = ports_of(sent)
        if ports is None or sent.protocol == ICMP:
            return True
        if "filters by ports" in self.faults:
            return (known, sent.source, ports[0]) in self.peers
        if "filters by address" in self.faults:
            return any(one[:2] == (known, sent.source) for one in self.peers)
        return True

    def _unreachable(self, sent: Ipv4) -> Ipv4:
        router = IPv4Address("192.168.19.1")
        message = icmp(router, sent.source, (3, 1), b"\0\0\0\0", bytes(sent)[:28])
        return Ipv4(router, sent.source, ICMP, message)


def _with_ports(packet: Packet, source: int, destination: int) -> bytes:
    return source.to_bytes(2, "big") + destination.to_bytes(2, "big") + packet.payload[4:]


def tried(device: Nat64) -> dict[str, Finding]:
    """Each rule's finding, by name; waits are none."""
    exchanges = Exchanges(device, sleep=lambda _: None)  # type: ignore[arg-type]
    return {one.rule.name: one for one in of_nat64(exchanges, SETUP)}
