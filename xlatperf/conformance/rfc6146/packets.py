"""RFC 6146 §3.4: fragments, UDP without a checksum, and other protocols."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial

from xlatperf.conformance.came import Came
from xlatperf.conformance.differences import Field, differences
from xlatperf.conformance.ends import Ends
from xlatperf.conformance.packet import UDP, Ipv4, Packet, fragment_header
from xlatperf.conformance.probe import kept
from xlatperf.conformance.reassembly import reassembled
from xlatperf.conformance.rfc6146.talk import Scenario, Talk
from xlatperf.conformance.rule import Finding, Level, Rule, Verdict
from xlatperf.conformance.transport import checksum_of, without_checksum

_SECTION = "RFC 6146 §3.4"
MUST, STATES = Level.MUST, Level.STATES
_CUT = 48
_APART_S = 1.5
"""FRAGMENT_MIN, for which a NAT64 waits at the least, is 2 s (§4)."""
_OTHER_PROTOCOL = 253
"""For experiments (RFC 3692 §2.1)."""


def _fragments(ends: Ends, whole: Packet) -> list[Packet]:
    """Three of a datagram."""
    cuts = range(0, len(whole.payload), _CUT)
    identification = int.from_bytes(ends.mark[:2], "big")
    parts = [(at, whole.payload[at : at + _CUT], at != cuts[-1]) for at in cuts]
    if isinstance(whole, Ipv4):
        return [
            ends.packet(UDP, part, offset=at, more_fragments=more, identification=identification)
            for at, part, more in parts
        ]
    return [
        ends.packet(UDP, part, extensions=(fragment_header(at, more=more, identification=identification),))
        for at, part, more in parts
    ]


def _judged(came: Sequence[Packet], expected: Packet | None) -> str:
    """What is wrong; empty: it came, whole or in fragments. DF and identification are the device's choice."""
    if not came:
        return "dropped"
    whole = reassembled(came)
    if whole is None or expected is None:
        return f"{len(came)} packets came, which don't join"
    ours = {Field.DONT_FRAGMENT, Field.IDENTIFICATION, Field.FRAGMENT_HEADER}
    return "; ".join(text for about, text in differences(expected, whole).items() if about not in ours)


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
        whole = ends.udp(2 * _CUT + 8)
        parts = _fragments(ends, whole)
        came: list[Came] = []
        if apart_s:
            came.append(send(parts[0]))
            talk.sleep(apart_s)
            came.append(send(*parts[1:]))
        else:
            came.append(send(*(parts[at] for at in order)))
        fault = _judged([packet for one in came for packet in one.far], ends.translated(whole))
        yield kept(rule, not fault, fault)


def _fragmented(how: str, order: tuple[int, ...] = (0, 1, 2), apart_s: float = 0.0) -> Scenario:
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
        right = server.udp(2 * _CUT + 8)
        without = replace(right, payload=without_checksum(right))
        came = talk.back(*((without,) if rule is _COMPUTED else _fragments(server, without)))
        fault = _judged(came.far, server.translated(right))
        whole = reassembled(came.far)
        if whole is not None and not checksum_of(whole):
            fault = "came without one"
        yield kept(rule, not fault, came.instead() if not came.far else fault)


_OTHERS = Rule("RFC 6146 §1", STATES, "other protocols than UDP, TCP and ICMP are out of its scope")


def _other_protocol(talk: Talk) -> Iterator[Finding]:
    client = talk.client()
    came = talk.until_one_comes(talk.out, client.packet(_OTHER_PROTOCOL, client.data(24)))
    yield Finding(_OTHERS, Verdict.DECIDED, "translated" if came.far else came.instead())


SCENARIOS = (
    _fragmented(""),
    _fragmented(" when the last comes first", (2, 1, 0)),
    _fragmented(f" when they come {_APART_S} s apart", apart_s=_APART_S),
    Scenario((_COMPUTED, _COMPUTED_OF_FRAGMENTS), _no_checksum),
    Scenario((_OTHERS,), _other_protocol),
)
