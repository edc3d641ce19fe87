"""What a client and servers send each other through a stateful translator, and the bindings that show in it."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from xlatperf.conformance.bindings import Binding
from xlatperf.conformance.came import Came
from xlatperf.conformance.ends import Ends
from xlatperf.conformance.exchange import ERRORS_S, Exchanges, Way
from xlatperf.conformance.handshake import segment, syn
from xlatperf.conformance.packet import Packet
from xlatperf.conformance.probe import kept
from xlatperf.conformance.rule import Finding, Rule
from xlatperf.conformance.stateful.clients import Setup
from xlatperf.conformance.transport import ACK, PUSH, SYN
from xlatperf.conformance.trying import ATTEMPTS, NO_SESSION, CannotTry

_DYNAMIC_PORTS = range(49152, 65536)
"""RFC 6335 §6: here those of the client that are tried; its traffic of the bench file may have any."""
_BELOW = 256
"""As many ports below the pool's first one."""


class Silent(Exception):
    """No ordinary packet came through."""


class Talk:
    """All of one scenario: its packets have one mark, and its client's ports are its own."""

    def __init__(self, exchanges: Exchanges, setup: Setup) -> None:
        """Raises CannotTry, Silent, EngineError, EngineDied."""
        self.setup = setup
        self.mark = secrets.token_bytes(8)
        self.sleep = exchanges.sleep
        self._exchanges = exchanges
        self._ports = iter(secrets.SystemRandom().sample(_DYNAMIC_PORTS, 64))
        bound = self.bound(setup.clients.outward.ends.marked(self.mark).udp())
        if bound is None:
            raise CannotTry(NO_SESSION)
        self.ordinary: Binding = bound
        self._inward = replace(setup.clients.inward, ends=setup.clients.back_by((bound,)))

    def client(self, port: int | None = None) -> Ends:
        """From one of its ports, a new one without `port`, to the server."""
        ends = self.setup.clients.outward.ends.marked(self.mark)
        return replace(ends, ports=(next(self._ports) if port is None else port, ends.ports[1]))

    def whose_ports(self) -> list[Ends]:
        """A client, and the same from a port that the pool doesn't have, if there is one.

        A device that keeps ports where they are free shows only there whether a mapping is of one session or of all.
        """
        first = self.setup.pool.first_port
        below = [] if first <= 1 else [self.client(first - 1 - secrets.randbelow(min(_BELOW, first - 1)))]
        return [self.client(), *below]

    def server(self, binding: Binding) -> Ends:
        """From the server to what a client has been bound to."""
        return self.setup.clients.back_by((binding,)).marked(self.mark)

    def unbound(self) -> Ends:
        """From the server to a port of the pool that nobody is known to have."""
        pool = self.setup.pool
        port = pool.first_port + secrets.randbelow(pool.last_port - pool.first_port + 1)
        ends = self.server(self.ordinary)
        return replace(ends, destination=pool.first, ports=(ends.ports[0], port))

    def out(self, *packets: Packet) -> Came:
        """From clients. Raises Silent, EngineError, EngineDied."""
        return self._sent(self.setup.clients.outward, packets)

    def back(self, *packets: Packet) -> Came:
        """From outside. Raises Silent, EngineError, EngineDied."""
        return self._sent(self._inward, packets)

    def until_one_comes(self, send: Callable[[Packet], Came], packet: Packet) -> Came:
        """Sent again if nothing comes: where both are right, one that was lost on a busy host decides nothing."""
        for _ in range(ATTEMPTS - 1):
            came = send(packet)
            if came.far:
                return came
        return send(packet)

    def silently_discarded(self, rule: Rule, send: Callable[[Packet], Came], packet: Packet) -> Finding:
        """Whether nothing comes of it on either side. Raises Silent, EngineError, EngineDied."""
        self._exchanges.until_errors_may_come()
        came = send(packet)
        return kept(rule, not came.far and not came.near, "translated" if came.far else came.instead())

    def _sent(self, way: Way, packets: Sequence[Packet], errors_s: float = ERRORS_S) -> Came:
        came = self._exchanges.came(way, packets, self.mark, errors_s)
        if came is None:
            raise Silent
        return came

    def bound(self, packet: Packet) -> Binding | None:
        """What a client's packet shows it to be bound to; None: it didn't come out, or not as one of a session."""
        return self.setup.clients.bound(packet, self._sent(self.setup.clients.outward, (packet,), errors_s=0.0))

    def connected(self, client: Ends) -> Binding | None:
        """By TCP's handshake (RFC 9293 §3.5); None: not all of it came through."""
        binding = self.bound(syn(client))
        if binding is None:
            return None
        answer = segment(self.server(binding), SYN | ACK, numbers=(0, 1))
        if len(self.back(answer).far) != 1 or len(self.out(segment(client, ACK | PUSH, numbers=(1, 1))).far) != 1:
            return None
        return binding


@dataclass(frozen=True)
class Scenario:
    """`rules`: all that `told` has a finding of. `answered`: it asks for errors, whose rate a device may limit."""

    rules: tuple[Rule, ...]
    told: Callable[[Talk], Iterable[Finding]]
    answered: bool = False


def several(bound: Iterable[Binding | None]) -> str:
    """Their ports or identifiers outside."""
    return " and ".join("nothing" if one is None else str(one.outside.port) for one in bound)
