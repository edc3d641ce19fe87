"""RFC 6146: a NAT64 keeps its rules, and a fault shows in those that are about it."""

from __future__ import annotations

import pytest

from tests.conformance.nat64 import Nat64, tried
from xlatperf.conformance.rule import Verdict

WITHOUT = {name: one for name, one in tried(Nat64()).items() if one.verdict is not Verdict.KEPT}
"""What one that translates headers alone and tells nobody doesn't keep, or decides."""
SECTION = "RFC 6146 §"


def test_all_of_its_own_are_kept() -> None:
    """RFC 6146 leaves two things open."""
    assert {name: (one.verdict, one.came) for name, one in WITHOUT.items() if name.startswith(SECTION)} == {
        "RFC 6146 §3.5.1: UDP from another host to a client's mapping: translated, or filtered": (
            Verdict.DECIDED,
            "translated (endpoint-independent filtering)",
        ),
        "RFC 6146 §1: other protocols than UDP, TCP and ICMP are out of its scope": (Verdict.DECIDED, "dropped"),
    }


def test_the_rest_is_what_a_translator_of_headers_does() -> None:
    """RFC 7915 in its sessions: it refuses nothing, and draws no errors (see test_rules.py)."""
    broken = {name for name, one in WITHOUT.items() if one.verdict is Verdict.NOT_KEPT}
    assert {name for name in broken if not name.startswith(SECTION)} == {
        "RFC 7915 §4.1: a packet with an unexpired source route is discarded",
        "RFC 7915 §4.1: an unexpired source route draws ICMP 3/5",
        "RFC 7915 §4.1: a TTL of 1 draws ICMP 11/0",
        "RFC 7915 §4.2: fragmentation needed (3/4) to 2/0: without an MTU, by the plateau below (RFC 1191)",
        "RFC 7915 §4.2: ICMP extensions (RFC 4884): the length attribute follows the packet inside",
        "RFC 7915 §5.2: ICMP extensions (RFC 4884): the length attribute follows the packet inside",
        "RFC 7915 §5.1: a hop limit of 1 draws ICMPv6 3/0",
        "RFC 7915 §5.1: a packet with a Routing header with segments left isn't translated",
        "RFC 7915 §5.1: a Routing header with segments left draws ICMPv6 4/0 with a pointer to their number",
    }


UDP, ALLOCATION = f"{SECTION}3.5.1: ", f"{SECTION}3.5.1.1: "
TCP, STATES, TUPLE = f"{SECTION}3.5.2: ", f"{SECTION}3.5.2.2: ", f"{SECTION}3.4: "
POOL = f"{ALLOCATION}UDP of a client comes from an address and port of the pool"
POOL_TCP = f"{SECTION}3.5.2.3: TCP of a client comes from an address and port of the pool"
HAIRPINS = {
    f"{SECTION}3.8: {what} to another client's mapping comes to it, from the sender's own mapping"
    for what in ("UDP", "TCP")
}
ONE_MAPPING = {
    f"{UDP}a client's port has one mapping, whatever it sends to (endpoint-independent mapping)",
    f"{TCP}a client's port of TCP has one mapping, whatever it connects to",
    f"{SECTION}3.5.3: a client's identifier has one mapping, whatever it sends to",
}


@pytest.mark.parametrize(
    ("fault", "rules"),
    [
        ("a mapping per destination", ONE_MAPPING | HAIRPINS),
        ("addresses in turn", {f"{ALLOCATION}all ports of a client are mapped to one address"}),
        ("outside the pool", {POOL, POOL_TCP}),
        ("other parity", {f"{ALLOCATION}an even port is mapped to an even one, an odd one to an odd one"}),
        ("a high port", {f"{ALLOCATION}a port below 1024 is mapped to one below 1024"}),
        ("no hairpinning", HAIRPINS),
        ("hairpins with the client's own address", HAIRPINS),
        ("loops", {f"{SECTION}3.5: a packet whose source is in the prefix is silently discarded"}),
        ("errors end mappings", {"RFC 4787 §9: an ICMP error doesn't end a mapping (REQ-12)"}),
        (
            "passes any error",
            {f"{TUPLE}an ICMPv6 error about a packet of no session is silently discarded"},
        ),
        (
            "opens by any segment",
            {f"{STATES}a segment of no connection that isn't a SYN is silently discarded, from a client"},
        ),
        ("no errors", {f"{UDP}UDP to a port of the pool without a mapping draws ICMP 3/1"}),
        (
            "translates what nobody has",
            {
                f"{UDP}UDP to a port of the pool without a mapping isn't translated",
                f"{UDP}UDP to a port of the pool without a mapping draws ICMP 3/1",
                f"{STATES}a SYN to a port of the pool without a mapping isn't translated",
                f"{STATES}a segment of no connection that isn't a SYN isn't translated, from outside",
                f"{SECTION}3.5.3: an Echo Request to an identifier without a mapping isn't translated",
            },
        ),
        (
            "filters by ports",
            {f"{UDP}UDP from another port of the server comes to the client"} | HAIRPINS,
        ),
        (
            "no checksum",
            {
                f"{TUPLE}UDP without a checksum from outside: its checksum is computed",
                f"{TUPLE}fragments of UDP without a checksum: its checksum is computed",
            },
        ),
        (
            "forgets fragments",
            {
                f"{TUPLE}fragments of UDP from {who} are translated when they come 1.5 s apart"
                for who in ("a client", "outside")
            },
        ),
        (
            "drops the last fragment first",
            {
                f"{TUPLE}fragments of UDP from {who} are translated when the last comes first"
                for who in ("a client", "outside")
            },
        ),
    ],
)
def test_a_fault_is_in_its_own_rules(fault: str, rules: set[str]) -> None:
    found = tried(Nat64(frozenset({fault})))
    assert {name for name, one in found.items() if one.verdict is Verdict.NOT_KEPT} - WITHOUT.keys() == rules


def test_ports_that_are_no_client_s_alone() -> None:
    """Two with one mapping, and a port from 1024 on below it: other rules fail with them."""
    apart = f"{ALLOCATION}no two ports of a client have one mapping"
    assert tried(Nat64(frozenset({"one port for all"})))[apart].came == "two of them have"
    low = tried(Nat64(frozenset({"a low port"})))[f"{ALLOCATION}a port from 1024 on is mapped to one from 1024 on"]
    assert low.verdict is Verdict.NOT_KEPT


def test_a_client_that_becomes_another_host() -> None:
    """What comes then says nothing of sessions."""
    found = tried(Nat64(frozenset({"the address of another host"})))
    assert {(one.verdict, one.came) for one in found.values()} == {
        (Verdict.NOT_TRIED, "a client's datagram opens no session")
    }


def test_address_dependent_filtering() -> None:
    """§3.5.1: allowed, and told."""
    found = tried(Nat64(frozenset({"filters by address"})))
    decided = found[f"{UDP}UDP from another host to a client's mapping: translated, or filtered"]
    assert (decided.verdict, decided.came) == (Verdict.DECIDED, "filtered: dropped")
    assert {name for name, one in found.items() if one.verdict is Verdict.NOT_KEPT} - WITHOUT.keys() <= HAIRPINS
