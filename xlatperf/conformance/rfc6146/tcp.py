"""RFC 6146 §3.5.2: sessions of TCP."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from xlatperf.conformance.handshake import segment, syn
from xlatperf.conformance.probe import kept
from xlatperf.conformance.rfc6146.talk import Scenario, Talk
from xlatperf.conformance.rule import Finding, Level, Rule
from xlatperf.conformance.transport import ACK, PUSH

_SESSION, _STATES = "RFC 6146 §3.5.2", "RFC 6146 §3.5.2.2"
MUST, STATES = Level.MUST, Level.STATES

_HANDSHAKE = Rule(_STATES, MUST, "a client's SYN, its answer and the segments behind them are translated")
_POOL = Rule("RFC 6146 §3.5.2.3", MUST, "TCP of a client comes from an address and port of the pool")


def _connection(talk: Talk) -> Iterator[Finding]:
    client = talk.client()
    binding = talk.connected(client)
    yield kept(_HANDSHAKE, binding is not None, "not all of them came through")
    foreign = "nothing came" if binding is None else f"{binding.ipv4} port {binding.ipv4_port}"
    yield kept(_POOL, binding is not None and talk.setup.pool.has(binding), foreign)


_ONE_MAPPING = Rule(_SESSION, MUST, "a client's port of TCP has one mapping, whatever it connects to")


def _one_mapping(talk: Talk) -> Iterator[Finding]:
    client = talk.client()
    other = replace(client, ports=(client.ports[0], client.ports[1] ^ 1))
    bound = [talk.bound(syn(one)) for one in (client, other)]
    told = " and ".join("nothing" if one is None else f"port {one.ipv4_port}" for one in bound)
    yield kept(_ONE_MAPPING, bound[0] is not None and bound[0] == bound[1], told)


_NO_SYN = Rule(_STATES, STATES, "a segment of no connection that isn't a SYN is silently discarded, from a client")
_NO_SYN_BACK = Rule(_STATES, STATES, "a segment of no connection that isn't a SYN isn't translated, from outside")


def _of_no_connection(talk: Talk) -> Iterator[Finding]:
    yield talk.silently_discarded(_NO_SYN, talk.out, segment(talk.client(), ACK | PUSH, numbers=(1, 1)))
    yield kept(_NO_SYN_BACK, not talk.back(segment(talk.unbound(), ACK | PUSH, numbers=(1, 1))).far, "translated")


_SYN_BACK = Rule(_STATES, STATES, "a SYN to a port of the pool without a mapping isn't translated")


def _from_outside(talk: Talk) -> Iterator[Finding]:
    """What the device says of it after 6 s (TCP_INCOMING_SYN) isn't waited for."""
    yield kept(_SYN_BACK, not talk.back(syn(talk.unbound())).far, "translated")


SCENARIOS = (
    Scenario((_HANDSHAKE, _POOL), _connection),
    Scenario((_ONE_MAPPING,), _one_mapping),
    Scenario((_NO_SYN, _NO_SYN_BACK), _of_no_connection),
    Scenario((_SYN_BACK,), _from_outside),
)
