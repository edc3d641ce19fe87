"""R7915-V: a fault shows in the rules that are about it, and in no others."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.conformance.translator import FROM_IPV4, FROM_IPV6, Mutate, Translator, broken
from xlatperf.conformance.came import Came
from xlatperf.conformance.exchange import Exchanges
from xlatperf.conformance.packet import Ipv4, Ipv6, Packet, fragment_header
from xlatperf.conformance.rfc7915 import rules as rfc7915
from xlatperf.conformance.rule import Verdict
from xlatperf.conformance.trying import ATTEMPTS, MOST_SILENT, NOTHING, SINCE

WITHOUT_ERRORS = set(broken(Translator()))
"""What a translator of headers alone doesn't keep."""


def test_a_translator_of_headers_alone() -> None:
    """It forwards what it must refuse, and tells nobody: no other rule is broken."""
    assert {
        "RFC 7915 §4.1: a packet with an unexpired source route is discarded",
        "RFC 7915 §4.1: an unexpired source route draws ICMP 3/5",
        "RFC 7915 §4.1: a TTL of 1 draws ICMP 11/0",
        "RFC 7915 §4.2: fragmentation needed (3/4) to 2/0: without an MTU, by the plateau below (RFC 1191)",
        "RFC 7915 §4.2: ICMP extensions (RFC 4884): the length attribute follows the packet inside",
        "RFC 7915 §4.5: UDP without a checksum: dropped, or its checksum computed",
        "RFC 7915 §4.5: a first fragment of UDP without a checksum is dropped",
        "RFC 7915 §5.1: a hop limit of 1 draws ICMPv6 3/0",
        "RFC 7915 §5.1: a packet with a Routing header with segments left isn't translated",
        "RFC 7915 §5.1: a Routing header with segments left draws ICMPv6 4/0 with a pointer to their number",
        "RFC 7915 §5.1.1: a fragment that begins with one more extension header is dropped",
        "RFC 7915 §5.2: ICMP extensions (RFC 4884): the length attribute follows the packet inside",
    } == WITHOUT_ERRORS


def _told(mtu: int) -> Mutate:
    """In each packet too big."""

    def mutate(packet: Packet) -> Packet:
        if not isinstance(packet, Ipv6) or packet.next_header != 58 or packet.payload[0] != 2:
            return packet
        return replace(packet, payload=packet.payload[:4] + mtu.to_bytes(4, "big") + packet.payload[8:])

    return mutate


@pytest.mark.parametrize(("mtu", "right"), [(1492, True), (1500, True), (1280, False), (1512, False), (0, False)])
def test_an_mtu_that_the_router_does_not_tell(mtu: int, right: bool) -> None:
    """RFC 7915 §4.2: the plateau below 1500, or 20 more as far as the link takes them."""
    name = "RFC 7915 §4.2: fragmentation needed (3/4) to 2/0: without an MTU, by the plateau below (RFC 1191)"
    assert (name not in broken(Translator(_told(mtu)))) is right


def _extended(length: int, padding: int) -> Mutate:
    """Behind the packet in an error, from IPv4."""

    def mutate(packet: Packet) -> Packet:
        if not isinstance(packet, Ipv6) or packet.next_header != 58 or packet.payload[0] != 3:
            return packet
        extension = bytes.fromhex("20007a5d00080101186a1101")
        payload = packet.payload[:4] + bytes([length, 0, 0, 0]) + packet.payload[8:] + bytes(padding) + extension
        return replace(packet, payload=payload)

    return mutate


@pytest.mark.parametrize(
    ("length", "padding", "came"),
    [
        (24, 4, None),
        (24, 0, "it is 192 bytes, the extension is behind 188"),
        (0, 4, "it is 0 bytes, the extension is behind 192"),
    ],
)
def test_where_an_extension_is(length: int, padding: int, came: str | None) -> None:
    """RFC 4884 §4.5: in words of 8 bytes."""
    found = broken(Translator(_extended(length, padding)))
    one = found.get("RFC 7915 §4.2: ICMP extensions (RFC 4884): the length attribute follows the packet inside")
    assert (None if one is None else one.came) == came


def _of_ipv4(**fields: Any) -> Mutate:
    return lambda packet: replace(packet, **fields) if isinstance(packet, Ipv4) else packet


def _of_ipv6(**fields: Any) -> Mutate:
    return lambda packet: replace(packet, **fields) if isinstance(packet, Ipv6) else packet


def _checksum(packet: Packet) -> Packet:
    """Spoilt, of UDP."""
    number = packet.next_header if isinstance(packet, Ipv6) else packet.protocol
    if number != 17 or packet.is_fragment:
        return packet
    spoilt = (int.from_bytes(packet.payload[6:8], "big") ^ 0x5555).to_bytes(2, "big")
    return replace(packet, payload=packet.payload[:6] + spoilt + packet.payload[8:])


def _zero_checksum(packet: Packet) -> Packet:
    number = packet.next_header if isinstance(packet, Ipv6) else packet.protocol
    if number != 17 or packet.payload[6:8] != b"\xff\xff":
        return packet
    return replace(packet, payload=packet.payload[:6] + b"\0\0" + packet.payload[8:])


def _no_unknown(packet: Packet) -> Packet | None:
    number = packet.next_header if isinstance(packet, Ipv6) else packet.protocol
    return None if number == 253 else packet


def _high_identification(packet: Packet) -> Packet:
    if not isinstance(packet, Ipv6) or packet.fragment is None:
        return packet
    own = packet.fragment
    new = fragment_header(own.offset, more=own.more_fragments, identification=own.identification | 0x10000)
    return replace(packet, extensions=(new,))


def _atomic(packet: Packet) -> Packet:
    if not isinstance(packet, Ipv6) or packet.extensions or packet.next_header == 58:
        return packet
    return replace(packet, extensions=(fragment_header(0, more=False, identification=0x1234),))


def _mtu(packet: Packet) -> Packet:
    """Of Packet Too Big as it was told."""
    if not isinstance(packet, Ipv6) or packet.next_header != 58 or packet.payload[0] != 2:
        return packet
    return replace(packet, payload=packet.payload[:4] + (1400).to_bytes(4, "big") + packet.payload[8:])


FAULTS: list[tuple[Mutate, set[str]]] = [
    (_of_ipv6(traffic_class=0), {"RFC 7915 §4.1: all 8 bits of the TOS become the traffic class"}),
    (_of_ipv4(tos=0), {"RFC 7915 §5.1: all 8 bits of the traffic class become the TOS"}),
    (
        _zero_checksum,
        {
            "RFC 7915 §4.5: a checksum of UDP that comes to 0 is sent as 0xffff (RFC 768)",
            "RFC 7915 §5.5: a checksum of UDP that comes to 0 is sent as 0xffff (RFC 768)",
        },
    ),
    (
        _no_unknown,
        {
            "RFC 7915 §4.5: protocols that it doesn't know are forwarded",
            "RFC 7915 §5.5: protocols that it doesn't know are forwarded",
        },
    ),
    (
        _high_identification,
        {"RFC 7915 §4.1: fragments: offset, M flag and the low 16 bits of the identification are kept"},
    ),
    (
        _mtu,
        {
            "RFC 7915 §4.2: fragmentation needed (3/4) to 2/0: an MTU of 1400 becomes 1420",
            "RFC 7915 §4.2: fragmentation needed (3/4) to 2/0: an MTU below 1260 becomes 1280",
        },
    ),
]


@pytest.mark.parametrize(("mutate", "rules"), FAULTS)
def test_a_fault_is_in_its_own_rule(mutate: Mutate, rules: set[str]) -> None:
    assert set(broken(Translator(mutate))) - WITHOUT_ERRORS == rules


def test_what_is_seen_is_told() -> None:
    """What came, and what must come."""
    found = broken(Translator(_of_ipv4(tos=0x18)))
    assert found["RFC 7915 §5.1: all 8 bits of the traffic class become the TOS"].came == "TOS 0x18, must be 0xb8"
    found = broken(Translator(_checksum))
    assert found["RFC 7915 §4.5: the checksum of UDP follows the addresses"].came.startswith("checksum 0x")
    found = broken(Translator(_atomic))
    for df in (0, 1):
        rule = f"RFC 7915 §4: no Fragment Header for what isn't a fragment (DF {df})"
        assert found[rule].came == "a Fragment Header"
    found = broken(Translator(_of_ipv4(dont_fragment=True)))
    assert found["RFC 7915 §5.1: DF is 0 of 1260 bytes, which are 1280 as IPv6"].came == "DF 1, must be 0"
    assert "RFC 7915 §5.1: DF is 1 of more than 1260 bytes" not in found
    assert found["RFC 7915 §5.1: the IP header of an ICMP error is translated like any other"].came == "DF 1, must be 0"
    assert "RFC 7915 §5.2: port unreachable (1/4) to 3/3" not in found


def test_each_rule_has_one_name_and_one_finding() -> None:
    exchanges = Exchanges(Translator(), sleep=lambda _: None)  # type: ignore[arg-type]
    names = [one.rule.name for one in rfc7915.findings(exchanges, FROM_IPV4, FROM_IPV6)]
    probes = [make(way.ends) for way, makes in BOTH for make in makes]
    assert names == [rule.name for probe in probes for rule in probe.rules]
    assert len(set(names)) == len(names)


BOTH = ((FROM_IPV4, rfc7915.FROM_IPV4), (FROM_IPV6, rfc7915.FROM_IPV6))


def test_a_packet_that_is_lost_once() -> None:
    """The host's fault, perhaps: tried again."""
    lossy = Translator(loses=lambda number: number % 2 == 1)
    assert set(broken(lossy)) == WITHOUT_ERRORS


def test_nothing_comes_through() -> None:
    """Then nothing is known of any rule, and the wait for it is short."""
    translator = Translator(loses=lambda _: True)
    exchanges = Exchanges(translator, sleep=lambda _: None)  # type: ignore[arg-type]
    found = list(rfc7915.findings(exchanges, FROM_IPV4, FROM_IPV6))
    assert {one.verdict for one in found} == {Verdict.NOT_TRIED}
    assert {one.came for one in found} == {NOTHING}
    assert translator.exchanges == len(BOTH) * MOST_SILENT * ATTEMPTS


def test_a_packet_that_the_device_doesn_t_survive() -> None:
    """It is said which."""
    last = 5
    exchanges = Exchanges(Translator(loses=lambda number: number > last), sleep=lambda _: None)  # type: ignore[arg-type]
    found = list(exchanges.findings(FROM_IPV6, rfc7915.FROM_IPV6))
    told = [one.came for one in found if one.verdict is Verdict.NOT_TRIED]
    assert told == [SINCE, *([NOTHING] * (len(told) - 1))]
    assert len(told) > 1
    assert len(found) == sum(len(make(FROM_IPV6.ends).rules) for make in rfc7915.FROM_IPV6)


def test_an_error_is_asked_for_three_times() -> None:
    """A device may limit their rate (RFC 4443 §2.4 f): a second passes in between."""
    slept: list[float] = []
    translator = Translator()
    made = next(make for make in rfc7915.FROM_IPV6 if make(FROM_IPV6.ends).answered)
    list(Exchanges(translator, sleep=slept.append).findings(FROM_IPV6, [made]))  # type: ignore[arg-type]
    assert translator.exchanges == ATTEMPTS
    assert all(one > 1 for one in slept)
    assert len(slept) == ATTEMPTS - 1


packets = st.one_of(
    st.builds(
        Ipv4,
        source=st.just(FROM_IPV4.ends.source),
        destination=st.just(FROM_IPV4.ends.destination),
        protocol=st.sampled_from([1, 6, 17, 253]),
        payload=st.binary(max_size=80),
        more_fragments=st.booleans(),
    ),
    st.builds(
        Ipv6,
        source=st.just(FROM_IPV6.ends.source),
        destination=st.just(FROM_IPV6.ends.destination),
        next_header=st.sampled_from([58, 6, 17, 253]),
        payload=st.binary(max_size=80),
        extensions=st.sampled_from([(), (fragment_header(0, more=True, identification=5),)]),
    ),
)


@given(far=st.lists(packets, max_size=3), near=st.lists(packets, max_size=2))
@settings(max_examples=60)
def test_whatever_comes_is_judged(far: list[Packet], near: list[Packet]) -> None:
    """Each rule of each probe has a finding, once."""
    for way, makes in BOTH:
        for make in makes:
            probe = make(way.ends)
            found = list(probe.judge(Came(tuple(far), tuple(near))))
            assert [one.rule for one in found] == list(probe.rules)


@pytest.mark.parametrize(
    ("mtu", "verdict"),
    [(1480, Verdict.KEPT), (1380, Verdict.NOT_TRIED), (1500, Verdict.NOT_KEPT), (0, Verdict.NOT_KEPT)],
)
def test_what_the_next_link_takes_isn_t_known(mtu: int, verdict: Verdict) -> None:
    """§4.1: of a link that takes less than Ethernet's 1500 bytes, less is told."""
    ends = FROM_IPV4.ends
    probe = next(one for one in (make(ends) for make in rfc7915.FROM_IPV4) if one.rules[0].says.startswith("DF 1 and"))
    error = ends.back().error((3, 4), probe.packets[0], mtu.to_bytes(4, "big"))
    assert [one.verdict for one in probe.judge(Came(near=(error,)))] == [verdict]
    whole = ends.translated(probe.packets[0])
    assert whole is not None
    assert [one.verdict for one in probe.judge(Came(far=(whole,)))] == [Verdict.NOT_TRIED]


def test_fragments_that_the_translator_makes() -> None:
    """§4.1: they join to the packet, with its identification; more than 1280 bytes are the administrator's choice."""
    ends = FROM_IPV4.ends
    probe = next(one for one in (make(ends) for make in rfc7915.FROM_IPV4) if one.rules[0].says.startswith("DF 0 and"))
    whole = ends.translated(probe.packets[0])
    assert isinstance(whole, Ipv6)

    def cut(at: int, identification: int = 0x4567, then: int | None = None) -> Came:
        parts = ((0, whole.payload[:at], True), (at if then is None else then, whole.payload[at:], False))
        return Came(
            tuple(
                replace(
                    whole,
                    payload=part,
                    extensions=(fragment_header(offset, more=more, identification=identification),),
                )
                for offset, part, more in parts
            )
        )

    def verdict(came: Came) -> Verdict:
        (found,) = probe.judge(came)
        return found.verdict

    assert verdict(cut(1232)) is Verdict.KEPT
    assert verdict(cut(1240)) is Verdict.DECIDED
    assert verdict(Came((whole,))) is Verdict.DECIDED
    assert verdict(cut(1232, identification=0x14567)) is Verdict.NOT_KEPT
    assert verdict(cut(1232, then=1240)) is Verdict.NOT_KEPT
    assert verdict(Came(cut(1232).far[:1])) is Verdict.NOT_KEPT
    assert verdict(Came((replace(whole, traffic_class=1),))) is Verdict.NOT_KEPT
    assert verdict(Came()) is Verdict.NOT_KEPT
