"""RFC 4787, RFC 5382, RFC 5508: a NAT44 keeps its rules, alone and as 464XLAT, and a fault shows in its own."""

from __future__ import annotations

import pytest

from tests.conformance.nat44 import Nat44, tried
from xlatperf.conformance.nat44.rules import ALONE, TWICE
from xlatperf.conformance.rule import Finding, Verdict

ONE_MAPPING = {
    "RFC 4787 §4.1: a client's port has one mapping, whatever it sends to (endpoint-independent mapping)",
    "RFC 5382 §4.1: a client's port of TCP has one mapping, whatever it connects to",
    "RFC 5508 §3.1: a client's identifier has one mapping, whatever it sends to",
}
HAIRPINS = {
    f"{section}: {what} to another client's mapping comes to it, from the sender's own mapping"
    for section, what in (("RFC 4787 §6", "UDP"), ("RFC 5382 §7.2", "TCP"))
}
WAYS = ("from a client", "to a client")


def names(found: dict[str, Finding], verdict: Verdict) -> set[str]:
    return {name for name, one in found.items() if one.verdict is verdict}


def test_all_are_kept() -> None:
    found = tried(Nat44(), ALONE)
    assert names(found, Verdict.NOT_KEPT) | names(found, Verdict.NOT_TRIED) == set()
    assert {name: found[name].came for name in names(found, Verdict.DECIDED)} == {
        "RFC 4787 §5: UDP from another port of the server: translated, or filtered": "translated",
        "RFC 4787 §5: UDP from another host to a client's mapping: translated, or filtered": (
            "translated (endpoint-independent filtering)"
        ),
        "RFC 5382 §4.2: a segment of no connection that isn't a SYN, from a client": "dropped",
        **{f"RFC 3022 §4.1: {way}: a protocol without ports": "dropped" for way in WAYS},
    }


def test_all_are_kept_by_464xlat() -> None:
    """Headers are those of RFC 7915: UDP without a checksum may be dropped, and options are."""
    found = tried(Nat44(twice=True), TWICE)
    assert names(found, Verdict.NOT_KEPT) | names(found, Verdict.NOT_TRIED) == set()
    assert {f"RFC 7915 §4.5: {way}: UDP without a checksum" for way in WAYS} < names(found, Verdict.DECIDED)


def test_464xlat_that_keeps_df() -> None:
    found = tried(Nat44(frozenset({"DF kept"}), twice=True), TWICE)
    assert names(found, Verdict.NOT_KEPT) == {
        f"RFC 7915 §4.1, §5.1: {way}: its DF is 0 up to 1260 bytes" for way in WAYS
    }


def test_a_nat44_is_no_464xlat() -> None:
    """Nor the other way round: what stays, and what is translated."""
    alone, twice = tried(Nat44(), TWICE), tried(Nat44(twice=True), ALONE)
    assert {one.split(": ")[2] for one in names(alone, Verdict.NOT_KEPT)} >= {
        "its DF is 0 up to 1260 bytes",
        "IPv4 options are ignored",
    }
    assert {one.split(": ")[2] for one in names(twice, Verdict.NOT_KEPT)} >= {
        "its DF is unchanged",
        "IPv4 options stay",
    }


@pytest.mark.parametrize(
    ("fault", "rules"),
    [
        ("a mapping per destination", ONE_MAPPING | HAIRPINS),
        ("such a one that keeps free ports", ONE_MAPPING),
        ("no hairpinning", HAIRPINS),
        ("in order only", {f"RFC 4787 §11: {way}: fragments of IPv4 come through, the last first" for way in WAYS}),
        ("no time exceeded", {f"RFC 1812 §5.3.1: {way}: a TTL of 1 draws ICMP 11/0" for way in WAYS}),
        ("errors end mappings", {"RFC 4787 §9: an ICMP error doesn't end a mapping (REQ-12)"}),
        (
            "passes any error",
            {"RFC 5508 §4.2: from a client an ICMP error about a packet of no session is silently discarded"},
        ),
        (
            "options",
            {
                f"RFC 5508 §4.1: {way}: in an ICMP error ports are found behind the IPv4 options of the packet inside "
                "(REQ-3 b)"
                for way in WAYS
            },
        ),
        (
            "no look at checksums",
            {
                f"RFC 5508 §4.1: {way}: an ICMP error {what} is silently dropped ({which})"
                for way in WAYS
                for what, which in (
                    ("with a wrong checksum", "REQ-3"),
                    ("about a packet with a wrong header checksum", "REQ-3 a"),
                )
            },
        ),
    ],
)
def test_a_fault_is_in_its_own_rules(fault: str, rules: set[str]) -> None:
    assert names(tried(Nat44(frozenset({fault})), ALONE), Verdict.NOT_KEPT) == rules


@pytest.mark.parametrize(
    ("fault", "rule", "came"),
    [
        (
            "filters by address",
            "RFC 4787 §5: UDP from another host to a client's mapping: translated, or filtered",
            "filtered: dropped",
        ),
        (
            "opens by any segment",
            "RFC 5382 §4.2: a segment of no connection that isn't a SYN, from a client",
            "translated",
        ),
    ],
)
def test_what_it_decides(fault: str, rule: str, came: str) -> None:
    found = tried(Nat44(frozenset({fault})), ALONE)
    assert (found[rule].verdict, found[rule].came) == (Verdict.DECIDED, came)
    assert names(found, Verdict.NOT_KEPT) == set()


def test_each_rule_has_one_name() -> None:
    """66 in each."""
    assert len(tried(Nat44(), ALONE)) == len(tried(Nat44(twice=True), TWICE)) == 66
