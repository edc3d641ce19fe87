"""A NAT44 (RFC 4787, RFC 5382, RFC 5508) as an engine's other end: it keeps all rules but for its faults."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from ipaddress import IPv4Address
from typing import Any

from tests.conformance.other_end import Joiner, OtherEnd, next_port
from xlatperf.conformance.bindings import Binding, End, ports_of
from xlatperf.conformance.exchange import Exchanges, Way
from xlatperf.conformance.nat44.clients import Nat44Clients, Nat44Setup
from xlatperf.conformance.nat44.ends import ClientEnds
from xlatperf.conformance.nat44.rewriting import rewritten
from xlatperf.conformance.nat44.rules import TWICE, Standard, findings
from xlatperf.conformance.nat44.twice import TwiceEnds
from xlatperf.conformance.nesting import quoted
from xlatperf.conformance.packet import ICMP, TCP, UDP, Ipv4, Packet
from xlatperf.conformance.rule import Finding
from xlatperf.conformance.stateful.clients import Pool
from xlatperf.conformance.translate import Pairs
from xlatperf.conformance.transport import SYN, checksum_of, icmp, icmp_error, right_checksum
from xlatperf.engine.message import SideName

CLIENT, SERVER, OTHER = IPv4Address("10.0.0.2"), IPv4Address("198.19.0.2"), IPv4Address("192.168.19.2")
POOL = Pool(IPv4Address("198.19.0.16"), addresses=2, first_port=512, last_port=65535)
OWN = IPv4Address("192.168.18.1")
_MAC = bytes(6)


def setup(kind: type[ClientEnds] = ClientEnds, hops: int = 1) -> Nat44Setup:
    """Clients on the left; `kind`: of 464XLAT, or not."""
    out = kind(CLIENT, SERVER, (1025, 7), Pairs({}), hops, outward=True)
    back = kind(SERVER, POOL.first, (9, 1025), Pairs({}), hops, outward=False)
    clients = Nat44Clients(Way(out, "left", "right", _MAC, _MAC), Way(back, "right", "left", _MAC, _MAC))
    return Nat44Setup(clients, OTHER, POOL)


@dataclass
class Nat44(OtherEnd):
    """What it does wrong is in `faults`, by name. `twice`: headers are translated to IPv6 and back (RFC 7915)."""

    faults: frozenset[str] = frozenset()
    twice: bool = False
    bindings: dict[Any, Binding] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._joiner = Joiner(in_order="in order only" in self.faults)

    def out(self, side: SideName, sent: Packet) -> Iterator[tuple[SideName, Packet]]:
        """As OtherEnd has it."""
        assert isinstance(sent, Ipv4)
        if sent.is_fragment:
            whole = self._joiner.joined(sent)
            if not isinstance(whole, Ipv4):
                return
            sent = whole
        if sent.ttl <= 1:
            if "no time exceeded" not in self.faults:
                yield side, Ipv4(OWN, sent.source, ICMP, icmp(OWN, sent.source, (11, 0), b"\0\0\0\0", bytes(sent)))
            return
        if icmp_error(sent) is not None and not self._takes(sent):
            return
        yield from self._outward(sent) if side == "left" else self._inward(sent)

    def _takes(self, sent: Ipv4) -> bool:
        """RFC 5508 §4.1."""
        about = quoted(sent)
        if "no look at checksums" in self.faults:
            return True
        return checksum_of(sent) == right_checksum(sent) and isinstance(about, Ipv4) and about.checksum_right

    def _outward(self, sent: Ipv4) -> Iterator[tuple[SideName, Packet]]:
        known = self._about(sent) if icmp_error(sent) is not None else self._opened(sent)
        if known is None:
            if icmp_error(sent) is not None and "passes any error" in self.faults:
                yield "right", self._made(sent, None, outward=True)
            return
        made = self._made(sent, known, outward=True)
        if any(one.outside.address == sent.destination for one in self.bindings.values()):
            other = self._bound(made)
            if other is not None and "no hairpinning" not in self.faults:
                yield "left", rewritten(made, (other,), outward=False)
            return
        yield "right", made

    def _made(self, sent: Ipv4, known: Binding | None, *, outward: bool) -> Ipv4:
        own = () if known is None else (known,)
        if not self.twice:
            made = rewritten(sent, own, outward=outward)
            return replace(made, ttl=made.ttl - 1)
        ends = TwiceEnds(sent.source, sent.destination, (0, 0), Pairs({}), 2, outward=outward, sessions=own)
        both = ends.translated(sent)
        assert isinstance(both, Ipv4)
        return replace(both, dont_fragment=sent.dont_fragment) if "DF kept" in self.faults else both

    def _opened(self, sent: Ipv4) -> Binding | None:
        ports = ports_of(sent)
        if ports is None or sent.protocol not in (UDP, TCP, ICMP):
            return None
        key: tuple[Any, ...] = (sent.protocol, sent.source, ports[0])
        if self.faults & {"a mapping per destination", "such a one that keeps free ports"}:
            key += (sent.destination, ports[1])
        if key not in self.bindings:
            if sent.protocol == TCP and not sent.payload[13] & SYN and "opens by any segment" not in self.faults:
                return None
            outside = End(POOL.first, self._port(ports[0]))
            self.bindings[key] = Binding(sent.protocol, End(sent.source, ports[0]), outside)
        return self.bindings[key]

    def _port(self, port: int) -> int:
        if "such a one that keeps free ports" in self.faults and port >= POOL.first_port:
            return port
        taken = {one.outside.port for one in self.bindings.values()}
        while port in taken or (port < POOL.first_port and "such a one that keeps free ports" in self.faults):
            port = next_port(port, step=2)
        return port

    def _inward(self, sent: Ipv4) -> Iterator[tuple[SideName, Packet]]:
        known = self._about(sent) if icmp_error(sent) is not None else self._bound(sent)
        if known is None or (sent.source == OTHER and "filters by address" in self.faults):
            return
        if icmp_error(sent) is not None and "errors end mappings" in self.faults:
            self.bindings = {key: one for key, one in self.bindings.items() if one != known}
        yield "left", self._made(sent, known, outward=False)

    def _bound(self, sent: Ipv4) -> Binding | None:
        """Of what comes to the pool."""
        ports = ports_of(sent)
        end = None if ports is None else End(sent.destination, ports[1])
        return next(
            (one for one in self.bindings.values() if (one.protocol, one.outside) == (sent.protocol, end)), None
        )

    def _about(self, sent: Ipv4) -> Binding | None:
        """Of an error: by the packet inside, which a client sent, or which came to one."""
        about = quoted(sent)
        ports = None if about is None else ports_of(about)
        if not isinstance(about, Ipv4) or ports is None or ("options" in self.faults and about.options):
            return None
        ends = (End(about.source, ports[0]), End(about.destination, ports[1]))
        return next((one for one in self.bindings.values() if one.outside in ends or one.inside in ends), None)


def tried(device: Nat44, standard: Standard) -> dict[str, Finding]:
    """Each rule's finding, by name; waits are none."""
    exchanges = Exchanges(device, sleep=lambda _: None)  # type: ignore[arg-type]
    own = setup(TwiceEnds if standard is TWICE else ClientEnds, hops=2 if device.twice else 1)
    return {one.rule.name: one for one in findings(exchanges, standard, own)}
