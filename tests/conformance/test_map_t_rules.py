"""R7599-8: MAP-T's rules are RFC 7915's but for what has no ports, and who sends with another's port is refused."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from ipaddress import IPv6Address

from tests.conformance.test_rules import WITHOUT_ERRORS
from tests.conformance.translator import FROM_IPV4, FROM_IPV6, Translator
from xlatperf.conformance.exchange import Exchanges
from xlatperf.conformance.packet import Ipv6, Packet
from xlatperf.conformance.rfc7599.rules import Setup, findings, from_ipv4, from_ipv6
from xlatperf.conformance.rule import Finding, Verdict
from xlatperf.engine.message import SideName

ANOTHER = IPv6Address("2001:2::3")
ECHOED = replace(FROM_IPV4, ends=replace(FROM_IPV4.ends, subscriber=1))
DROPPED = "RFC 7599 §8.3: what another CE sends with this one's port is dropped"
TOLD = "RFC 7599 §8.3: who sends with another's port is told: ICMPv6 1/5"


class BorderRelay(Translator):
    """`looks`: at who sends."""

    def __init__(self, *, looks: bool) -> None:
        super().__init__()
        self._looks = looks

    def _out(self, side: SideName, sent: Packet) -> Iterator[Packet]:
        if isinstance(sent, Ipv6) and sent.source == ANOTHER:
            if self._looks:
                return
            sent = replace(sent, source=FROM_IPV6.ends.source)  # type: ignore[arg-type]
        yield from super()._out(side, sent)


def tried(relay: BorderRelay, another: IPv6Address | None = ANOTHER) -> dict[str, Finding]:
    exchanges = Exchanges(relay, sleep=lambda _: None)  # type: ignore[arg-type]
    return {one.rule.name: one for one in findings(exchanges, Setup(ECHOED, FROM_IPV6, True, another))}


def broken(found: dict[str, Finding]) -> dict[str, str]:
    return {name: one.came for name, one in found.items() if one.verdict is Verdict.NOT_KEPT}


def test_what_a_translator_of_headers_keeps() -> None:
    """It passes fragments on, and tells nobody of anything."""
    found = tried(BorderRelay(looks=True))
    assert broken(found).keys() - WITHOUT_ERRORS == {TOLD}
    assert found["RFC 7599 §10.2: fragments from IPv4 come through"].came == "as fragments"
    assert found[DROPPED].verdict is Verdict.KEPT
    assert not any("protocols that it doesn't know" in name for name in found)


def test_a_relay_that_does_not_look() -> None:
    found = broken(tried(BorderRelay(looks=False)))
    assert (found[DROPPED], found[TOLD]) == ("came out: IPv4, protocol 17", "came out: IPv4, protocol 17")


def test_one_ce_alone() -> None:
    found = tried(BorderRelay(looks=True), None)
    assert {(one.verdict, one.came) for name, one in found.items() if name in (DROPPED, TOLD)} == {
        (Verdict.NOT_TRIED, "the traffic has just one CE")
    }


def test_each_rule_has_one_name() -> None:
    """Of a CE there are two less."""
    of_ce = from_ipv6(border_relay=False, another=None)
    probes = [make(way.ends) for way, makes in ((ECHOED, from_ipv4()), (FROM_IPV6, of_ce)) for make in makes]
    names = [rule.name for probe in probes for rule in probe.rules]
    assert len(set(names)) == len(names) == len(tried(BorderRelay(looks=True))) - 2
