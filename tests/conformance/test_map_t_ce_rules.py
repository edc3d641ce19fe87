"""R7599-8: a MAP-T CE with NAPT44 in Python; what it does wrong is in that rule, and in no other."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from ipaddress import IPv4Address, IPv6Address

import pytest

from tests.conformance.napt44 import CLIENT, PORT, Napt44
from tests.conformance.other_end import Joiner, OtherEnd
from tests.conformance.test_rules import WITHOUT_ERRORS
from xlatperf.conformance.exchange import Exchanges, Way
from xlatperf.conformance.packet import FRAGMENT, Ipv4, Ipv6, Packet
from xlatperf.conformance.rfc7599.napt44 import MapTClientEnds
from xlatperf.conformance.rfc7599.rules import of_clients
from xlatperf.conformance.rule import Finding, Verdict
from xlatperf.conformance.translate import Pairs, to_ipv4, to_ipv6
from xlatperf.engine.message import SideName

SERVER, SHARED = IPv4Address("198.19.0.2"), IPv4Address("198.18.0.18")
SERVER6, CE = IPv6Address("2001:2:0:c000:c6:1300:200:0"), IPv6Address("2001:2:0:2254:0:c612:12:14")
PAIRS = Pairs({SERVER: SERVER6, CLIENT: CE, SHARED: CE})
_MAC = bytes(6)
OUT = Way(MapTClientEnds(CLIENT, SERVER, (PORT, 7), PAIRS, 1, outward=True, shared=SHARED), "left", "right", _MAC, _MAC)
BACK = Way(MapTClientEnds(SERVER6, CE, (7, 1), PAIRS, 1, outward=False, shared=SHARED), "right", "left", _MAC, _MAC)
MISSING = {one for one in WITHOUT_ERRORS if "fragment of UDP" not in one and "fragment that begins" not in one}
"""It tells nobody of anything, and its fragments are put together."""


@dataclass
class Ce(OtherEnd):
    faults: frozenset[str] = frozenset()
    _joiner: Joiner = field(default_factory=lambda: Joiner(in_order=False))

    def out(self, side: SideName, sent: Packet) -> Iterator[tuple[SideName, Packet]]:
        """As OtherEnd has it."""
        made = self._made(sent)
        if made is not None:
            yield "right" if side == "left" else "left", made

    def _made(self, sent: Packet) -> Packet | None:
        nat = Napt44(IPv4Address("198.18.0.19") if "another's address" in self.faults else SHARED, self.faults)
        if isinstance(sent, Ipv6):
            sent = replace(sent, extensions=tuple(one for one in sent.extensions if one.kind == FRAGMENT))
        if sent.is_fragment:
            whole = None if "no fragments" in self.faults else self._joiner.joined(sent)
            if whole is None:
                return None
            sent = whole
        if isinstance(sent, Ipv4):
            pairs = replace(PAIRS, ipv6={**PAIRS.ipv6, nat.public: IPv6Address("2001:2:0:2255::1")})
            return to_ipv6(nat.rewritten(sent, outward=True), pairs if nat.public != SHARED else PAIRS, hops=1)
        made = to_ipv4(sent, PAIRS, hops=1)
        return made if made is None or "one way" in self.faults else nat.rewritten(made, outward=False)


def tried(ce: Ce) -> dict[str, Finding]:
    exchanges = Exchanges(ce, sleep=lambda _: None)  # type: ignore[arg-type]
    return {one.rule.name: one for one in of_clients(exchanges, OUT, BACK)}


def broken(ce: Ce) -> set[str]:
    return {name for name, one in tried(ce).items() if one.verdict is Verdict.NOT_KEPT}


def test_what_a_napt44_before_a_translator_keeps() -> None:
    """All sessions are there, echos of a client are tried, those to it aren't."""
    found = tried(Ce())
    assert {name for name, one in found.items() if one.verdict is Verdict.NOT_KEPT} == MISSING
    assert [one.came for one in found.values() if one.verdict is Verdict.NOT_TRIED] == [
        "the IPv6 link takes 1520 bytes"
    ]
    assert {name for name in found if "Echo" in name} == {
        "RFC 5508 §3.1: a client's Echo Request comes through",
        "RFC 7915 §4.2: Echo Request (8) to 128",
        "RFC 7915 §5.2: Echo Reply (129) to 0",
    }


_FRAGMENTS = {
    f"RFC 7599 {section}: fragments from {family} come through{how}"
    for section, family in (("§10.2", "IPv4"), ("§10.3", "IPv6"))
    for how in ("", ", the last first")
}


@pytest.mark.parametrize(
    ("fault", "rules"),
    [
        ("no fragments", _FRAGMENTS),
        (
            "nothing in errors",
            {
                "RFC 7915 §4.3: the packet inside of an ICMP error is translated, its TTL or hop limit not decremented",
                "RFC 7915 §5.3: the packet inside of an ICMP error is translated, its TTL or hop limit not decremented",
            },
        ),
    ],
)
def test_a_fault_is_in_its_rules(fault: str, rules: set[str]) -> None:
    assert broken(Ce(frozenset({fault}))) - MISSING == rules


def test_an_address_that_is_not_the_ces() -> None:
    """No session is seen to be opened: nothing can be tried, and nothing is said of the device."""
    found = tried(Ce(frozenset({"another's address"}))).values()
    assert {(one.verdict, one.came) for one in found} == {(Verdict.NOT_TRIED, "a client's datagram opens no session")}


def test_only_one_way() -> None:
    """What comes to clients isn't theirs."""
    names = {name.split(" §")[1].split(":")[0] for name in broken(Ce(frozenset({"one way"}))) - MISSING}
    assert {"5", "5.1", "5.2", "5.3", "10.3"} <= names
    assert not any(one.startswith("4") for one in names)
