"""Sessions of UDP: which ports clients get, and what comes back to them (RFC 6146 §3.5.1; RFC 4787 §4, §5)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from xlatperf.conformance.bindings import Binding
from xlatperf.conformance.probe import kept
from xlatperf.conformance.rule import Finding, Level, Rule, Verdict
from xlatperf.conformance.stateful.standard import Standard
from xlatperf.conformance.stateful.talk import Scenario, Talk

_SEVERAL = 16
_REGISTERED = 1024


@dataclass(frozen=True)
class _Allocation:
    """The ports that several of a client's are mapped to: in no order, or those of a device that counts would fit."""

    pool: Rule
    apart: Rule
    paired: Rule
    port_range: Rule
    parity: Rule
    well_known: Rule

    @classmethod
    def of(cls, standard: Standard) -> _Allocation:
        """As that says."""
        return cls(
            standard.pool.rule("UDP of a client comes from an address and port of the pool"),
            standard.apart.rule("no two ports of a client have one mapping"),
            standard.paired.rule("all ports of a client are mapped to one address"),
            standard.port_range.rule("a port from 1024 on is mapped to one from 1024 on"),
            standard.parity.rule("an even port is mapped to an even one, an odd one to an odd one"),
            standard.port_range.rule("a port below 1024 is mapped to one below 1024"),
        )

    @property
    def scenario(self) -> Scenario:
        """Of all."""
        rules = (self.pool, self.apart, self.paired, self.port_range, self.parity, self.well_known)
        return Scenario(rules, self._told)

    def _told(self, talk: Talk) -> Iterator[Finding]:
        pool = talk.setup.pool
        bound = [talk.bound(talk.client().udp()) for _ in range(_SEVERAL)]
        known = [one for one in bound if one is not None]
        if len(known) < len(bound):
            text = f"{len(bound) - len(known)} of {len(bound)} datagrams didn't come out"
            for rule in (self.pool, self.apart, self.paired, self.port_range, self.parity):
                yield Finding(rule, Verdict.NOT_KEPT, text)
        else:
            foreign = [one for one in known if not pool.has(one)]
            yield kept(self.pool, not foreign, str(foreign[0].outside) if foreign else "")
            yield kept(self.apart, len({one.outside for one in known}) == len(known), "two of them have")
            addresses = {one.outside.address for one in known}
            if pool.addresses == 1:
                yield Finding(self.paired, Verdict.NOT_TRIED, "the pool has one address")
            else:
                yield kept(self.paired, len(addresses) == 1, f"{len(known)} ports, {len(addresses)} addresses")
            low = [one for one in known if one.outside.port < _REGISTERED]
            if pool.last_port < _REGISTERED:
                yield Finding(self.port_range, Verdict.NOT_TRIED, "the pool has no such port")
            else:
                yield kept(self.port_range, not low, _change(low[0]) if low else "")
            changed = [one for one in known if one.outside.port % 2 != one.inside.port % 2]
            if pool.last_port - pool.first_port < _SEVERAL:
                yield Finding(self.parity, Verdict.NOT_TRIED, "the pool has too few ports")
            else:
                yield kept(self.parity, not changed, f"{len(changed)} of {len(known)} aren't" if changed else "")
        yield self._below(talk)

    def _below(self, talk: Talk) -> Finding:
        if talk.setup.pool.first_port >= _REGISTERED:
            return Finding(
                self.well_known, Verdict.NOT_TRIED, f"the pool's ports begin at {talk.setup.pool.first_port}"
            )
        one = talk.bound(talk.client(_REGISTERED - 1 - talk.client().ports[0] % 256).udp())
        below = one is not None and one.outside.port < _REGISTERED
        return kept(self.well_known, below, "dropped" if one is None else _change(one))


def _change(one: Binding) -> str:
    return f"port {one.inside.port} became {one.outside.port}"


def _one_mapping(standard: Standard) -> Scenario:
    """To the server, to another port of it, and to another host."""
    says = "a client's port has one mapping, whatever it sends to (endpoint-independent mapping)"
    rule = standard.one_mapping.rule(says)

    def told(talk: Talk) -> Iterator[Finding]:
        texts = []
        for client in talk.whose_ports():
            source, port = client.ports
            to = {
                "the server": client,
                "another port of it": replace(client, ports=(source, port ^ 1)),
                str(talk.setup.other): replace(client, destination=talk.setup.outside(talk.setup.other)),
            }
            bound = {name: talk.bound(ends.udp()) for name, ends in to.items()}
            if None in bound.values() or len(set(bound.values())) > 1:
                seen = {name: "nothing" if one is None else str(one.outside) for name, one in bound.items()}
                texts.append(f"port {source}: " + ", ".join(f"to {name} from {one}" for name, one in seen.items()))
        yield kept(rule, not texts, "; ".join(texts))

    return Scenario((rule,), told)


def _unmapped(standard: Standard) -> Scenario:
    rule = standard.unmapped.rule("UDP to a port of the pool without a mapping isn't translated")
    answer = None
    if standard.told is not None:
        answer = standard.told.rule("UDP to a port of the pool without a mapping draws ICMP 3/1")

    def told(talk: Talk) -> Iterator[Finding]:
        came = talk.back(talk.unbound().udp())
        yield kept(rule, not came.far, "came out")
        if answer is not None:
            error = came.error
            text = "dropped without an error" if error is None else f"type {error[0]} code {error[1]}, must be 3/1"
            yield kept(answer, error is not None and error[:2] == (3, 1), text)

    return Scenario((rule,) if answer is None else (rule, answer), told, answered=answer is not None)


def _filtering(standard: Standard) -> Scenario:
    """A device filters by address, by port, or not at all."""
    by_ports = standard.by_ports
    port = standard.filtering.rule(
        "UDP from another port of the server" + (": translated, or filtered" if by_ports else " comes to the client")
    )
    host = Rule(
        standard.filtering.section,
        Level.STATES,
        "UDP from another host to a client's mapping: translated, or filtered",
    )
    through = "translated (endpoint-independent filtering)"

    def told(talk: Talk) -> Iterator[Finding]:
        binding = talk.bound(talk.client().udp())
        if binding is None:
            yield from (Finding(rule, Verdict.NOT_KEPT, "the client's own didn't come out") for rule in (port, host))
            return
        server = talk.server(binding)
        another = replace(server, ports=(server.ports[0] ^ 1, server.ports[1])).udp()
        came = talk.until_one_comes(talk.back, another) if by_ports else talk.back(another)
        if by_ports:
            yield Finding(port, Verdict.DECIDED, "translated" if came.far else f"filtered: {came.instead()}")
        else:
            yield kept(port, len(came.far) == 1, came.instead())
        came = talk.until_one_comes(talk.back, replace(server, source=talk.setup.other).udp())
        yield Finding(host, Verdict.DECIDED, through if came.far else f"filtered: {came.instead()}")

    return Scenario((port, host), told)


def udp_scenarios(standard: Standard) -> tuple[Scenario, ...]:
    """All of UDP."""
    return (
        _Allocation.of(standard).scenario,
        _one_mapping(standard),
        _unmapped(standard),
        _filtering(standard),
    )
