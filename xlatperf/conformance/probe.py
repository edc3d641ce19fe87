"""Single packets, where they are sent, and what is made of what comes back."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from xlatperf.conformance.came import Came
from xlatperf.conformance.differences import Field, differences
from xlatperf.conformance.ends import Ends
from xlatperf.conformance.packet import ICMP, ICMPV6, Ipv4, Packet
from xlatperf.conformance.rule import Finding, Rule, Verdict

Judge = Callable[[Came], Iterable[Finding]]


@dataclass(frozen=True)
class Probe:
    """`rules`: all that `judge` has a finding of.

    `answered`: it asks for errors, whose rate a device may limit. `silent`: it asks for none, which a limit is no
    reason for.
    """

    packets: tuple[Packet, ...]
    rules: tuple[Rule, ...]
    judge: Judge
    answered: bool = False
    silent: bool = False


Make = Callable[[Ends], Probe]
"""A probe between two ends, with their mark."""


def kept(rule: Rule, holds: bool, came: str) -> Finding:
    """A finding of a rule that is kept or not."""
    return Finding(rule, Verdict.KEPT) if holds else Finding(rule, Verdict.NOT_KEPT, came)


def fields_of(packet: Packet, expected: Packet | None, rules: Mapping[Field, Rule]) -> Probe:
    """One packet that must come as `expected`: a rule for each field, and no other field is looked at."""

    def judge(came: Came) -> Iterable[Finding]:
        if len(came.far) != 1 or expected is None:
            for rule in rules.values():
                yield Finding(rule, Verdict.NOT_KEPT, came.instead())
            return
        differ = differences(expected, came.far[0])
        for about, rule in rules.items():
            yield kept(rule, about not in differ, differ.get(about, ""))

    return Probe((packet,), tuple(rules.values()), judge)


def whole(
    packets: Sequence[Packet], expected: Sequence[Packet | None], rule: Rule, only: Collection[Field] = tuple(Field)
) -> Probe:
    """Packets each of which must come as expected, in these fields, in any order; what is None must not come."""
    wanted = [one for one in expected if one is not None]

    def judge(came: Came) -> Iterable[Finding]:
        if len(came.far) != len(wanted):
            some = f"{len(came.far)} of {len(wanted)} packets came" if came.far and wanted else ""
            text = some or (came.instead() if wanted else describe(came.far[0]))
            yield Finding(rule, Verdict.NOT_KEPT, text)
            return
        left = list(came.far)
        texts: list[str] = []
        for one in wanted:
            nearest = min(left, key=lambda other: len(differences(one, other)))
            left.remove(nearest)
            texts += [text for about, text in differences(one, nearest).items() if about in only]
        yield kept(rule, not texts, "; ".join(dict.fromkeys(texts)))

    return Probe(tuple(packets), (rule,), judge)


def dropped(packets: Sequence[Packet], rule: Rule, *, silently: bool = False) -> Probe:
    """Packets none of which may come out on the other side; `silently`: nor draw an error."""

    def judge(came: Came) -> Iterable[Finding]:
        if came.far:
            yield Finding(rule, Verdict.NOT_KEPT, f"came out: {', '.join(describe(one) for one in came.far)}")
        elif silently and came.error is not None:
            yield Finding(rule, Verdict.NOT_KEPT, came.instead())
        else:
            yield Finding(rule, Verdict.KEPT)

    return Probe(tuple(packets), (rule,), judge, silent=silently)


def answered(packet: Packet, kind: tuple[int, int], rule: Rule, rest: bytes | None = None) -> Probe:
    """A packet that draws an ICMP error of that type and code to its sender, with these bytes 4 to 7."""

    def judge(came: Came) -> Iterable[Finding]:
        error = came.error
        if came.far:
            yield Finding(rule, Verdict.NOT_KEPT, f"came out: {', '.join(describe(one) for one in came.far)}")
        elif error is None:
            yield Finding(rule, Verdict.NOT_KEPT, "dropped without an error")
        elif error[:2] != kind:
            yield Finding(rule, Verdict.NOT_KEPT, f"type {error[0]} code {error[1]}, must be {kind[0]}/{kind[1]}")
        else:
            number = int.from_bytes(error[2], "big")
            wanted = None if rest is None else int.from_bytes(rest, "big")
            yield kept(rule, wanted in (None, number), f"its bytes 4 to 7 are {number}, must be {wanted}")

    return Probe((packet,), (rule,), judge, answered=True)


def decided(packet: Packet, rule: Rule) -> Probe:
    """A packet of which the standard doesn't say what becomes of it."""

    def judge(came: Came) -> Iterable[Finding]:
        text = f"forwarded: {', '.join(describe(one) for one in came.far)}" if came.far else came.instead()
        yield Finding(rule, Verdict.DECIDED, text)

    return Probe((packet,), (rule,), judge)


def untried(rule: Rule, why: str) -> Probe:
    """What the bench has no packets for."""
    return Probe((), (rule,), lambda _: (Finding(rule, Verdict.NOT_TRIED, why),))


def describe(packet: Packet) -> str:
    """In a few words."""
    if isinstance(packet, Ipv4):
        name, number = "IPv4", packet.protocol
    else:
        name, number = "IPv6", packet.next_header
    kind = ""
    if number in (ICMP, ICMPV6) and len(packet.payload) >= 2 and not packet.is_fragment:
        kind = f" type {packet.payload[0]} code {packet.payload[1]}"
    return f"{name}{' fragment' if packet.is_fragment else ''}, protocol {number}{kind}"
