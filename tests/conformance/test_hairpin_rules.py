"""R7596-6.2: from a tunnel to another one, by a device in Python; each fault is in its own rules."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from ipaddress import IPv4Address, IPv6Address

import pytest

from tests.conformance.other_end import OtherEnd
from tests.conformance.tunnel_end import ANOTHER, FAR, NEAR, ROUTER, TunnelEnd
from xlatperf.conformance.exchange import Exchanges, Way
from xlatperf.conformance.packet import Ipv6, Packet
from xlatperf.conformance.rule import Finding, Verdict
from xlatperf.conformance.translate import Pairs
from xlatperf.conformance.tunnel.ends import Outer
from xlatperf.conformance.tunnel.hairpin import HairpinEnds, findings
from xlatperf.conformance.tunnel.standard import LWAFTR
from xlatperf.engine.message import SideName

OTHER_B4 = IPv6Address("2001:2:0:4777::2")
ENDS = HairpinEnds(
    IPv4Address("198.18.0.18"),
    IPv4Address("198.18.0.19"),
    (1045, 2077),
    Pairs({}),
    1,
    outer=Outer(FAR, NEAR, ROUTER, another=ANOTHER),
    beyond=Outer(NEAR, OTHER_B4, ROUTER),
    enters=False,
)
WAY = Way(ENDS, "left", "left", bytes(6), bytes(6))


class Hairpin(OtherEnd):
    """Out of a tunnel by one end, into the other by another one, which decrements no TTL."""

    def __init__(self, faults: frozenset[str]) -> None:
        self._out_of = TunnelEnd(LWAFTR, faults)
        self._into = TunnelEnd(LWAFTR, faults | {"no decrement"})

    def out(self, _: SideName, sent: Packet) -> Iterator[tuple[SideName, Packet]]:
        """As OtherEnd has it."""
        for _, packet in self._out_of.out("right", sent):
            if isinstance(packet, Ipv6):
                yield "left", packet
                continue
            for _, other in self._into.out("left", packet):
                assert isinstance(other, Ipv6)
                yield "left", replace(other, destination=OTHER_B4)


def tried(*faults: str) -> dict[str, Finding]:
    """Waits are none."""
    exchanges = Exchanges(Hairpin(frozenset(faults)), sleep=lambda _: None)  # type: ignore[arg-type]
    return {one.rule.name: one for one in findings(exchanges, LWAFTR, WAY)}


def broken(*faults: str) -> set[str]:
    return {name for name, one in tried(*faults).items() if one.verdict is Verdict.NOT_KEPT}


def test_all_are_kept() -> None:
    """Both ends are on one side: what goes on is told from what goes back."""
    found = tried()
    assert len(found) == 42
    assert {one.verdict for one in found.values()} == {Verdict.KEPT, Verdict.DECIDED}


@pytest.mark.parametrize(
    ("fault", "rules"),
    [
        ("ECT(0) for CE", {"RFC 6040 §4.1: ECN: CE is copied to the outer header, unless in compatibility mode"}),
        ("no time exceeded", {"RFC 1812 §5.3.1: to another lwB4: a TTL of 1 draws ICMP 11/0"}),
        ("no traffic class", {"RFC 6333 §7.1: the TOS becomes the outer traffic class"}),
        (
            "no look at the source",
            {
                "RFC 7596 §6.2: what another subscriber sends with this one's IPv4 address and port is discarded",
            },
        ),
        (
            "no fragments of tunnels",
            {
                f"RFC 6333 §6.3: out of the tunnel: a tunnel's packet in fragments is put together{how}"
                for how in ("", ", the last first")
            },
        ),
        (
            "no ECN",
            {
                "RFC 6040 §4.2: ECN: CE outside, ECT(0) inside: CE comes out",
                "RFC 6040 §4.2: ECN: CE outside, Not-ECT inside: dropped",
            },
        ),
    ],
)
def test_a_fault_is_in_its_rules(fault: str, rules: set[str]) -> None:
    assert broken(fault) == rules
