"""RFC 6146 §3.4: fragments, UDP without a checksum, and other protocols."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial

from xlatperf.conformance.came import Came
from xlatperf.conformance.ends import Ends
from xlatperf.conformance.fragmented import DATA, IN_ORDER, LAST_FIRST, fragments
from xlatperf.conformance.fragmented import fault as fault_of
from xlatperf.conformance.packet import EXPERIMENT
from xlatperf.conformance.probe import kept
from xlatperf.conformance.reassembly import reassembled
from xlatperf.conformance.rule import Finding, Level, Rule, Verdict
from xlatperf.conformance.stateful.talk import Scenario, Talk
from xlatperf.conformance.transport import checksum_of, without_checksum

_SECTION = "RFC 6146 §3.4"
MUST, STATES = Level.MUST, Level.STATES
_APART_S = 1.5
"""FRAGMENT_MIN, for which a NAT64 waits at the least, is 2 s (§4)."""


def _client(talk: Talk) -> tuple[Ends, Ends] | None:
    """From a client whose mapping is known, and from the server to it."""
    client = talk.client()
    binding = talk.bound(client.udp())
    if binding is None:
        return None
    pairs = replace(client.pairs, bindings=(binding,))
    return replace(client, pairs=pairs), talk.server(binding)


def _in_order(talk: Talk, rules: tuple[Rule, Rule], order: tuple[int, ...], apart_s: float) -> Iterator[Finding]:
    both = _client(talk)
    if both is None:
        yield from (Finding(rule, Verdict.NOT_KEPT, "a whole datagram didn't come out") for rule in rules)
        return
    for rule, ends, send in zip(rules, both, (talk.out, talk.back), strict=True):
        whole = ends.udp(DATA)
        parts = fragments(ends, whole)
        came: list[Came] = []
        if apart_s:
            came.append(send(parts[0]))
            talk.sleep(apart_s)
            came.append(send(*parts[1:]))
        else:
            came.append(send(*(parts[at] for at in order)))
        fault = fault_of([packet for one in came for packet in one.far], ends.translated(whole))
        yield kept(rule, not fault, fault)


def _fragmented(how: str, order: tuple[int, ...] = IN_ORDER, apart_s: float = 0.0) -> Scenario:
    rules = (
        Rule(_SECTION, MUST, f"fragments of UDP from a client are translated{how}"),
        Rule(_SECTION, MUST, f"fragments of UDP from outside are translated{how}"),
    )
    return Scenario(rules, partial(_in_order, rules=rules, order=order, apart_s=apart_s))


_COMPUTED = Rule(_SECTION, MUST, "UDP without a checksum from outside: its checksum is computed")
_COMPUTED_OF_FRAGMENTS = Rule(_SECTION, MUST, "fragments of UDP without a checksum: its checksum is computed")


def _no_checksum(talk: Talk) -> Iterator[Finding]:
    both = _client(talk)
    for rule in (_COMPUTED, _COMPUTED_OF_FRAGMENTS):
        if both is None:
            yield Finding(rule, Verdict.NOT_KEPT, "a datagram with one didn't come out")
            continue
        server = both[1]
        right = server.udp(DATA)
        without = replace(right, payload=without_checksum(right))
        came = talk.back(*((without,) if rule is _COMPUTED else fragments(server, without)))
        fault = fault_of(came.far, server.translated(right))
        whole = reassembled(came.far)
        if whole is not None and not checksum_of(whole):
            fault = "came without one"
        yield kept(rule, not fault, came.instead() if not came.far else fault)


_OTHERS = Rule("RFC 6146 §1", STATES, "other protocols than UDP, TCP and ICMP are out of its scope")


def _other_protocol(talk: Talk) -> Iterator[Finding]:
    client = talk.client()
    came = talk.until_one_comes(talk.out, client.packet(EXPERIMENT, client.data(24)))
    yield Finding(_OTHERS, Verdict.DECIDED, "translated" if came.far else came.instead())


SCENARIOS = (
    _fragmented(""),
    _fragmented(" when the last comes first", LAST_FIRST),
    _fragmented(f" when they come {_APART_S} s apart", apart_s=_APART_S),
    Scenario((_COMPUTED, _COMPUTED_OF_FRAGMENTS), _no_checksum),
    Scenario((_OTHERS,), _other_protocol),
)
