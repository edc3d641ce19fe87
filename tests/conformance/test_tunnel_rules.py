"""R2473-3.1, R2473-6.3, R7597-8.1, R7596-6.2: a tunnel's end keeps its rules, and a fault shows in those about it."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from tests.conformance.tunnel_end import TunnelEnd, tried
from xlatperf.conformance.rule import Finding, Verdict
from xlatperf.conformance.tunnel.standard import AFTR, B4, LWAFTR, LWB4, LWB4_NAT, MAP_E, MAP_E_NAT, Standard

STATELESS = {"MAP-E": MAP_E, "lwAFTR": LWAFTR, "lwB4": LWB4}
NATS = {"AFTR": AFTR, "CE": MAP_E_NAT, "lwB4": LWB4_NAT}


def broken(found: Mapping[str, Finding]) -> dict[str, str]:
    """The rules that aren't kept, and what came."""
    return {name: one.came for name, one in found.items() if one.verdict is Verdict.NOT_KEPT}


def found_of(standard: Standard, *faults: str) -> dict[str, Finding]:
    """On a device that has these faults alone."""
    return tried(TunnelEnd(standard, frozenset(faults)))


@pytest.mark.parametrize(
    "standard", [*STATELESS.values(), *NATS.values()], ids=[*STATELESS, *(f"{n}, NAT" for n in NATS)]
)
def test_all_are_kept(standard: Standard) -> None:
    found = found_of(standard)
    assert broken(found) == {}
    assert {one.verdict for one in found.values()} == {Verdict.KEPT, Verdict.DECIDED}


def test_a_b4_carries_every_protocol() -> None:
    """RFC 6333 §5: it looks at none."""
    assert broken(found_of(B4)) == {
        f"RFC 2473 §3.1: {way} the tunnel: protocols that it doesn't know come through": "dropped"
        for way in ("into", "out of")
    }


ERRORS = ("port unreachable (3/3)", "fragmentation needed (3/4)", "time exceeded (11/0)")
RELAYS = ("no route (1/0)", "address unreachable (1/3)", "hop limit exceeded (3/0)")
RELAYED = {
    *(f"RFC 7597 §8.2: from inside the tunnel: {name} is told as ICMP 3/1" for name in RELAYS),
    "RFC 7597 §8.2: from inside the tunnel: packet too big (2/0) is told as ICMP 3/4, the MTU less 40",
}


@pytest.mark.parametrize(
    ("fault", "rules"),
    [
        ("no decrement", {"RFC 2473 §3.1: into the tunnel: its TTL is decremented as ever"}),
        ("hop limit of the TTL", {"RFC 2473 §6.3: the outer hop limit doesn't follow the TTL"}),
        (
            "ECT(0) for CE",
            {"RFC 6040 §4.1: ECN: CE is copied to the outer header, unless in compatibility mode"},
        ),
        (
            "no ECN",
            {
                "RFC 6040 §4.2: ECN: CE outside, ECT(0) inside: CE comes out",
                "RFC 6040 §4.2: ECN: CE outside, Not-ECT inside: dropped",
            },
        ),
        ("outer hop limit", {"RFC 8200 §3: an outer hop limit of 1 is taken: the tunnel ends here"}),
        ("no options", {"RFC 2473 §3.3: a Tunnel Encapsulation Limit in front of the packet is taken"}),
        (
            "no look inside",
            {
                "RFC 1812 §5.2.2: inside a wrong header checksum is discarded",
                "RFC 1812 §5.2.2: inside a total length of more than what came is discarded",
            },
        ),
        (
            "no look at the source",
            {
                "RFC 7597 §8.1: what another subscriber sends with this one's IPv4 address and port is silently "
                "discarded"
            },
        ),
        (
            "no time exceeded",
            {f"RFC 1812 §5.3.1: {way} the tunnel: a TTL of 1 draws ICMP 11/0" for way in ("into", "out of")},
        ),
        (
            "fragments inside",
            {
                "RFC 7597 §8.3.1: DF 0 and too large for the tunnel: encapsulated, then fragmented as IPv6 "
                "(RFC 2473 §7.2 b)"
            },
        ),
        ("the link's MTU", {"RFC 2473 §7.2 a: DF 1 and too large for the tunnel: ICMP 3/4 with the tunnel's MTU"}),
        (
            "no fragments of tunnels",
            {
                f"RFC 8200 §4.5: out of the tunnel: a tunnel's packet in fragments is put together{how}"
                for how in ("", ", the last first")
            },
        ),
        (
            "no fragments of IPv4",
            {
                f"RFC {section}: {way} the tunnel: fragments of IPv4 come through{how}"
                for section, way in (("7597 §8.3.2", "into"), ("2473 §3.1", "out of"))
                for how in ("", ", the last first")
            },
        ),
        (
            "in order only",
            {
                "RFC 7597 §8.3.2: into the tunnel: fragments of IPv4 come through, the last first",
                "RFC 2473 §3.1: out of the tunnel: fragments of IPv4 come through, the last first",
                "RFC 8200 §4.5: out of the tunnel: a tunnel's packet in fragments is put together, the last first",
            },
        ),
        ("no relay", RELAYED),
    ],
)
def test_a_fault_is_in_its_own_rules(fault: str, rules: set[str]) -> None:
    assert set(broken(found_of(MAP_E, fault))) == rules


def test_the_traffic_class() -> None:
    """R2473-6.4: carried over by DS-Lite (RFC 6333 §7.1) and Lw4o6, and by MAP-E if it likes; ECN is another matter."""
    rule = "the TOS becomes the outer traffic class"
    assert broken(found_of(LWAFTR, "no traffic class")) == {
        f"RFC 6333 §7.1: {rule}": "traffic class 0x00, of a TOS of 0xb8"
    }
    found = found_of(MAP_E, "no traffic class")
    assert broken(found) == {}
    assert found[f"RFC 2473 §6.4: {rule}"].came == "traffic class 0x00, of a TOS of 0xb8"
    for name in ("ECT(0)", "CE"):
        one = found[f"RFC 6040 §4.1: ECN: {name} is copied to the outer header, unless in compatibility mode"]
        assert one.came == "the outer header has 0: compatibility mode"


@pytest.mark.parametrize("standard", NATS.values(), ids=NATS)
def test_a_nat_of_udp_alone(standard: Standard) -> None:
    """That it opens no other session isn't kept; what would be tried in one isn't tried."""
    found = found_of(standard, "UDP alone")
    assert {name for name in broken(found) if "ICMP's" not in name} == {
        "RFC 5382 §4.2: a client's SYN, its answer and the segments behind them come through",
        "RFC 5508 §3.1: a client's Echo Request comes through",
    }
    untried = [one.came for one in found.values() if one.verdict is Verdict.NOT_TRIED]
    assert sorted(untried) == [f"the device has opened no session of {what} to try it in" for what in ECHOS_AND_TCP]


ECHOS_AND_TCP = ("ICMP queries", "ICMP queries", "TCP", "TCP")


@pytest.mark.parametrize("standard", NATS.values(), ids=NATS)
def test_errors_of_a_nat(standard: Standard) -> None:
    """RFC 5508 §4.2: the packet inside is translated too, also in what is relayed."""
    found = broken(found_of(standard, "nothing in errors"))
    assert set(found) == {
        f"RFC 5508 §4.2: {way} the tunnel: ICMP's {name} goes where it belongs"
        for way in ("into", "out of")
        for name in ERRORS
    }
    relayed = broken(found_of(standard, "no NAT in relays"))
    assert len(relayed) == len(RELAYED)
    assert all("not about the packet in the tunnel" in came for came in relayed.values())


def test_one_subscriber() -> None:
    """Then nobody else's address is known."""
    found = found_of(LWB4)
    assert not any("another subscriber" in name for name in found)
    ours = [name for name in found_of(LWAFTR) if name.startswith("RFC 7596 §6.2")]
    assert len(ours) == 4


def test_each_rule_has_one_name() -> None:
    for standard in (*STATELESS.values(), B4):
        found = found_of(standard)
        assert len(found) >= 66
