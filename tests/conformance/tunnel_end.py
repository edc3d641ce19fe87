"""A tunnel's end (RFC 2473), a NAT44 or none, as an engine's other end: it keeps all rules but for its faults."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from ipaddress import IPv4Address, IPv6Address

from tests.conformance.napt44 import CLIENT, PORT, Napt44
from tests.conformance.other_end import Joiner, OtherEnd
from xlatperf.conformance.exchange import Exchanges, Way
from xlatperf.conformance.packet import ICMP, IPV4, TCP, Ipv4, Ipv6, Packet, fragment_header, parse
from xlatperf.conformance.rule import Finding
from xlatperf.conformance.translate import Pairs
from xlatperf.conformance.transport import icmp, icmp_error
from xlatperf.conformance.tunnel.ends import Outer, TunnelEnds
from xlatperf.conformance.tunnel.rules import findings
from xlatperf.conformance.tunnel.standard import Standard
from xlatperf.engine.message import SideName

NEAR, FAR = IPv6Address("2001:2:0:6000::1"), IPv6Address("2001:2:0:4000::2")
ANOTHER, ROUTER = IPv6Address("2001:2:0:4001::2"), IPv6Address("2001:2:0:7fff::2")
SERVER, PUBLIC = IPv4Address("198.19.0.2"), IPv4Address("198.18.0.18")
OWN = IPv4Address("192.168.18.1")
SERVERS_PORT = 7
_TOS_OF_CE, _ECN = 3, 3
_MTU, _TUNNEL_MTU = 1500, 1460
_MAC = bytes(6)


@dataclass
class TunnelEnd(OtherEnd):
    """IPv4 on the left, the tunnel on the right. What it does wrong is in `faults`, by name."""

    standard: Standard
    faults: frozenset[str] = frozenset()

    def __post_init__(self) -> None:
        self._joiner = Joiner(in_order="in order only" in self.faults)
        self._nat = Napt44(PUBLIC, self.faults)
        self._unknown = {253, *([TCP, ICMP] if "UDP alone" in self.faults else [])}

    def out(self, _: SideName, sent: Packet) -> Iterator[tuple[SideName, Packet]]:
        """As OtherEnd has it."""
        for packet in self._out(sent):
            yield "right" if isinstance(packet, Ipv6) else "left", packet

    def _out(self, sent: Packet) -> Iterator[Packet]:
        if isinstance(sent, Ipv4):
            yield from self._into(sent)
            return
        if sent.is_fragment:
            whole = self._joined(sent, "no fragments of tunnels")
            if not isinstance(whole, Ipv6):
                return
            sent = whole
        if "no options" in self.faults and sent.extensions:
            return
        if "outer hop limit" in self.faults and sent.hop_limit == 1:
            return
        if sent.next_header == IPV4:
            yield from self._out_of(sent)
        elif (error := icmp_error(sent)) is not None:
            yield from self._relayed(sent, error)

    def _joined(self, part: Packet, fault: str) -> Packet | None:
        return None if fault in self.faults else self._joiner.joined(part)

    def _into(self, packet: Ipv4) -> Iterator[Packet]:
        if packet.is_fragment:
            whole = self._joined(packet, "no fragments of IPv4")
            if not isinstance(whole, Ipv4):
                return
            packet = whole
        if packet.ttl <= 1:
            if "no time exceeded" not in self.faults:
                yield _error_about(packet, (11, 0), 0)
            return
        hops = 0 if "no decrement" in self.faults else 1
        inner = replace(self._natted(packet, outward=self.standard.edge), ttl=packet.ttl - hops)
        if packet.protocol in self._unknown:
            return
        if len(bytes(inner)) > _TUNNEL_MTU and inner.dont_fragment:
            yield _error_about(packet, (3, 4), _MTU if "the link's MTU" in self.faults else _TUNNEL_MTU)
            return
        if len(bytes(inner)) > _TUNNEL_MTU and "fragments inside" in self.faults:
            cut = 1424
            yield self._outer(replace(inner, payload=inner.payload[:cut], more_fragments=True))
            yield self._outer(replace(inner, payload=inner.payload[cut:], offset=cut))
            return
        outer = self._outer(inner)
        if len(bytes(outer)) > _MTU:
            for at, more in ((0, True), (1400, False)):
                part = outer.payload[at : at + 1400]
                yield replace(outer, payload=part, extensions=(fragment_header(at, more=more, identification=7),))
        else:
            yield outer

    def _outer(self, inner: Ipv4) -> Ipv6:
        traffic_class = 0 if "no traffic class" in self.faults else inner.tos
        if "ECT(0) for CE" in self.faults and inner.tos & _ECN == _TOS_OF_CE:
            traffic_class = inner.tos & ~_ECN | 2
        hop_limit = inner.ttl if "hop limit of the TTL" in self.faults else 64
        return Ipv6(NEAR, FAR, IPV4, bytes(inner), traffic_class=traffic_class, hop_limit=hop_limit)

    def _out_of(self, outer: Ipv6) -> Iterator[Packet]:
        if outer.source != FAR:
            if "no look at the source" not in self.faults:
                return
            outer = replace(outer, source=FAR)
        inner = parse(outer.payload)
        wrong = not isinstance(inner, Ipv4) or not inner.checksum_right or inner.total_length is not None
        if wrong and isinstance(inner, Ipv4) and "no look inside" in self.faults:
            yield replace(inner, ttl=inner.ttl - 1)
        if wrong or not isinstance(inner, Ipv4):
            return
        if inner.is_fragment:
            whole = self._joined(inner, "no fragments of IPv4")
            if not isinstance(whole, Ipv4):
                return
            inner = whole
        if inner.ttl <= 1:
            if "no time exceeded" not in self.faults:
                yield self._outer(_error_about(inner, (11, 0), 0))
            return
        tos = inner.tos
        if outer.traffic_class & _ECN == _TOS_OF_CE and "no ECN" not in self.faults:
            if not tos & _ECN:
                return
            tos |= _TOS_OF_CE
        if inner.protocol in self._unknown:
            return
        yield replace(self._natted(inner, outward=not self.standard.edge), ttl=inner.ttl - 1, tos=tos)

    def _relayed(self, sent: Ipv6, error: tuple[int, int, bytes]) -> Iterator[Packet]:
        """RFC 2473 §8.3."""
        about = parse(sent.payload[8:])
        inner = parse(about.payload) if isinstance(about, Ipv6) else None
        if not isinstance(inner, Ipv4) or "no relay" in self.faults:
            return
        if self.standard.nat and "no NAT in relays" not in self.faults:
            inner = self._nat.moved(inner, source=self.standard.edge, outward=not self.standard.edge)
        if error[0] == 2:
            if inner.dont_fragment:
                yield _error_about(inner, (3, 4), int.from_bytes(error[2], "big") - 40)
        else:
            yield _error_about(inner, (3, 1), 0)

    def _natted(self, packet: Ipv4, *, outward: bool) -> Ipv4:
        return self._nat.rewritten(packet, outward=outward) if self.standard.nat else packet


def _error_about(about: Ipv4, kind: tuple[int, int], rest: int) -> Ipv4:
    message = icmp(OWN, about.source, kind, rest.to_bytes(4, "big"), bytes(about)[:548])
    return Ipv4(OWN, about.source, ICMP, message)


def _way(*, enters: bool, sender: IPv4Address, receiver: IPv4Address, subscriber: int, ports: tuple[int, int]) -> Way:
    outer = Outer(NEAR, FAR, ROUTER) if enters else Outer(FAR, NEAR, ROUTER, another=ANOTHER)
    ends = TunnelEnds(sender, receiver, ports, Pairs({}), 1, outer=outer, enters=enters, subscriber=subscriber)
    sides: tuple[SideName, SideName] = ("left", "right") if enters else ("right", "left")
    return Way(ends, *sides, _MAC, _MAC)


def both_ways(*, edge: bool) -> tuple[Way, Way]:
    """Into the tunnel, and out of it. `edge`: the client is on the left."""
    left, right = (CLIENT, SERVER) if edge else (SERVER, CLIENT)
    ports = (PORT, SERVERS_PORT) if edge else (SERVERS_PORT, PORT)
    mine = 0 if edge else 1
    into = _way(enters=True, sender=left, receiver=right, subscriber=mine, ports=ports)
    return into, _way(enters=False, sender=right, receiver=left, subscriber=1 - mine, ports=ports[::-1])


def tried(end: TunnelEnd) -> dict[str, Finding]:
    """All rules of its standard, by name; waits are none."""
    exchanges = Exchanges(end, sleep=lambda _: None)  # type: ignore[arg-type]
    found = findings(exchanges, end.standard, *both_ways(edge=end.standard.edge))
    return {one.rule.name: one for one in found}
