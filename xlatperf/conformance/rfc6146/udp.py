"""RFC 6146 §3.5.1: sessions of UDP."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from xlatperf.conformance.bindings import Binding
from xlatperf.conformance.probe import kept
from xlatperf.conformance.rfc6146.talk import Scenario, Talk
from xlatperf.conformance.rule import Finding, Level, Rule, Verdict

_SESSION, _ALLOCATION = "RFC 6146 §3.5.1", "RFC 6146 §3.5.1.1"
MUST, SHOULD, STATES = Level.MUST, Level.SHOULD, Level.STATES
_SEVERAL = 16
_REGISTERED = 1024

_POOL = Rule(_ALLOCATION, MUST, "UDP of a client comes from an address and port of the pool")
_APART = Rule(_ALLOCATION, MUST, "no two ports of a client have one mapping")
_PAIRED = Rule(_ALLOCATION, SHOULD, "all ports of a client are mapped to one address")
_RANGE = Rule(_ALLOCATION, SHOULD, "a port from 1024 on is mapped to one from 1024 on")
_WELL_KNOWN = Rule(_ALLOCATION, SHOULD, "a port below 1024 is mapped to one below 1024")
_PARITY = Rule(_ALLOCATION, SHOULD, "an even port is mapped to an even one, an odd one to an odd one")


def _allocation(talk: Talk) -> Iterator[Finding]:
    """The ports that several of a client's are mapped to: in no order, or those of a device that counts would fit."""
    pool = talk.setup.pool
    bound = [talk.bound(talk.client().udp()) for _ in range(_SEVERAL)]
    known = [one for one in bound if one is not None]
    if len(known) < len(bound):
        for rule in (_POOL, _APART, _PAIRED, _RANGE, _PARITY):
            yield Finding(
                rule, Verdict.NOT_KEPT, f"{len(bound) - len(known)} of {len(bound)} datagrams didn't come out"
            )
    else:
        foreign = [one for one in known if not pool.has(one)]
        yield kept(_POOL, not foreign, _outside(foreign[0]) if foreign else "")
        outsides = [(one.ipv4, one.ipv4_port) for one in known]
        yield kept(_APART, len(set(outsides)) == len(outsides), "two of them have")
        addresses = {one.ipv4 for one in known}
        if pool.addresses == 1:
            yield Finding(_PAIRED, Verdict.NOT_TRIED, "the pool has one address")
        else:
            yield kept(_PAIRED, len(addresses) == 1, f"{len(known)} ports, {len(addresses)} addresses")
        low = [one for one in known if one.ipv4_port < _REGISTERED]
        if pool.last_port < _REGISTERED:
            yield Finding(_RANGE, Verdict.NOT_TRIED, "the pool has no such port")
        else:
            yield kept(_RANGE, not low, _change(low[0]) if low else "")
        changed = [one for one in known if one.ipv4_port % 2 != one.ipv6_port % 2]
        if pool.last_port - pool.first_port < _SEVERAL:
            yield Finding(_PARITY, Verdict.NOT_TRIED, "the pool has too few ports")
        else:
            yield kept(_PARITY, not changed, f"{len(changed)} of {len(known)} aren't" if changed else "")
    yield from _well_known(talk)


def _well_known(talk: Talk) -> Iterator[Finding]:
    if talk.setup.pool.first_port >= _REGISTERED:
        yield Finding(_WELL_KNOWN, Verdict.NOT_TRIED, f"the pool's ports begin at {talk.setup.pool.first_port}")
        return
    one = talk.bound(talk.client(_REGISTERED - 1 - talk.client().ports[0] % 256).udp())
    below = one is not None and one.ipv4_port < _REGISTERED
    yield kept(_WELL_KNOWN, below, "dropped" if one is None else _change(one))


def _outside(one: Binding | None) -> str:
    return "nothing" if one is None else f"{one.ipv4} port {one.ipv4_port}"


def _change(one: Binding) -> str:
    return f"port {one.ipv6_port} became {one.ipv4_port}"


_ONE_MAPPING = Rule(
    _SESSION, MUST, "a client's port has one mapping, whatever it sends to (endpoint-independent mapping)"
)


def _one_mapping(talk: Talk) -> Iterator[Finding]:
    """To the server, to another port of it, and to another host."""
    client = talk.client()
    source, port = client.ports
    to = {
        "the server": client,
        "another port of it": replace(client, ports=(source, port ^ 1)),
        str(talk.setup.other): replace(client, destination=talk.setup.outside(talk.setup.other)),
    }
    bound = {name: talk.bound(ends.udp()) for name, ends in to.items()}
    told = ", ".join(f"to {name} from {_outside(one)}" for name, one in bound.items())
    yield kept(_ONE_MAPPING, None not in bound.values() and len(set(bound.values())) == 1, told)


_UNMAPPED = Rule(_SESSION, MUST, "UDP to a port of the pool without a mapping isn't translated")
_UNMAPPED_TOLD = Rule(_SESSION, SHOULD, "UDP to a port of the pool without a mapping draws ICMP 3/1")


def _unmapped(talk: Talk) -> Iterator[Finding]:
    came = talk.back(talk.unbound().udp())
    yield kept(_UNMAPPED, not came.far, "came out")
    error = came.error
    told = "dropped without an error" if error is None else f"type {error[0]} code {error[1]}, must be 3/1"
    yield kept(_UNMAPPED_TOLD, error is not None and error[:2] == (3, 1), told)


_OTHER_PORT = Rule(_SESSION, STATES, "UDP from another port of the server comes to the client")
_OTHER_HOST = Rule(_SESSION, STATES, "UDP from another host to a client's mapping: translated, or filtered")


def _filtering(talk: Talk) -> Iterator[Finding]:
    """A device filters by address, or not at all; by ports too would be RFC 4787 §5, and isn't in RFC 6146."""
    binding = talk.bound(talk.client().udp())
    if binding is None:
        yield from (Finding(rule, Verdict.NOT_KEPT, "the client's own didn't come out") for rule in _FILTERS)
        return
    server = talk.server(binding)
    came = talk.back(replace(server, ports=(server.ports[0] ^ 1, server.ports[1])).udp())
    yield kept(_OTHER_PORT, len(came.far) == 1, came.instead())
    came = talk.until_one_comes(talk.back, replace(server, source=talk.setup.other).udp())
    through = "translated (endpoint-independent filtering)"
    yield Finding(_OTHER_HOST, Verdict.DECIDED, through if came.far else f"filtered: {came.instead()}")


_FILTERS = (_OTHER_PORT, _OTHER_HOST)

SCENARIOS = (
    Scenario((_POOL, _APART, _PAIRED, _RANGE, _PARITY, _WELL_KNOWN), _allocation),
    Scenario((_ONE_MAPPING,), _one_mapping),
    Scenario((_UNMAPPED, _UNMAPPED_TOLD), _unmapped, answered=True),
    Scenario(_FILTERS, _filtering),
)
