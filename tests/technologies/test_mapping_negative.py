"""Which bits negative tests of MAP change, against a decoder of its own: standards.md §4.5."""

from __future__ import annotations

from hypothesis import assume, given
from hypothesis import strategies as st

from xlatperf.procedures.alteration import Change
from xlatperf.technologies.mapping_negative import RuleBits, another_of

lengths = st.tuples(st.integers(1, 64), st.integers(0, 32), st.integers(0, 48), st.integers(0, 15), st.integers(0, 16))


def changed(change: Change, value: int, width: int) -> int:
    """As docs/protocol.md says of `alter`."""
    keep = 2**width - 1 if change.keep is None else change.keep
    return (value & keep) ^ change.flip


def split(value: int, *widths: int) -> list[int]:
    """The fields of a number, from the highest bits to the lowest."""
    found = []
    for width in reversed(widths):
        found.append(value & (2**width - 1))
        value >>= width
    assert value == 0
    return found[::-1]


@given(lengths, st.data())
def test_each_change_is_of_one_thing(bits: tuple[int, int, int, int, int], data: st.DataObject) -> None:
    """RFC 7597 §5.1: a port is A, PSID, M. §5.2: an address is prefix, suffix, host; EA bits are suffix and PSID."""
    ipv6, ipv4, ea, offset, provisioned = bits
    in_ea = max(0, ea - (32 - ipv4))
    assume(ipv6 + ea <= 64 and in_ea <= 16 and (in_ea or provisioned) + offset <= 16)
    if in_ea:
        provisioned = 0
    draft_03 = data.draw(st.booleans())
    rule = RuleBits(ipv6, ipv4, ea, offset, provisioned, draft_03)
    psid = in_ea or provisioned
    host = max(0, 32 - ipv4 - ea)

    port = data.draw(st.integers(0, 65535))
    shape = (offset, psid, 16 - offset - psid)
    other = rule.another_port("source_port")
    assert (other is None) == (psid == 0)
    if other is not None:
        (a, id_, m), (a_then, id_then, m_then) = split(port, *shape), split(changed(other, port, 16), *shape)
        assert (a, m) == (a_then, m_then)
        assert id_ != id_then
    excluded = rule.excluded_port("source_port")
    assert (excluded is None) == (psid == 0 or offset == 0)
    if excluded is not None:
        (_, id_, m), then = split(port, *shape), split(changed(excluded, port, 16), *shape)
        assert then == [0, id_, m]

    address = data.draw(st.integers(0, 2**32 - 1))
    spoofed = rule.another_address("source")
    assert (spoofed is None) == (host == 32)
    if spoofed is not None:
        (own, behind), (own_then, behind_then) = (
            split(one, 32 - host, host) for one in (address, changed(spoofed, address, 32))
        )
        assert own != own_then
        assert behind == behind_then

    mapped = data.draw(st.integers(0, 2**128 - 1))
    fields = (ipv6, ea, 64 - ipv6 - ea, *((8, 48, 8) if draft_03 else (16, 48, 0)))
    for change, place in ((rule.another_ea("source"), 1), (rule.another_identifier("source"), 3)):
        assert (change is None) == (place == 1 and ea == 0)
        if change is not None:
            then = split(changed(change, mapped, 128), *fields)
            differs = [before != after for before, after in zip(split(mapped, *fields), then, strict=True)]
            assert differs == [index == place for index in range(6)]


def test_the_identifier_of_a_longer_prefix_is_cut() -> None:
    """What is behind 64 bits takes bits of the interface identifier: whether they're wrong isn't clear."""
    assert RuleBits(60, 16, 20, 6).another_identifier("source") is None


def test_another_of_several() -> None:
    """R7597-8.1: not the border relay of another domain, nor the subnet's anycast address (RFC 4291 §2.6.1)."""
    assert another_of("2001:db8::1", ["2001:db8::1"], 1) == 2
    assert another_of("2001:db8::1", ["2001:db8::1", "2001:db8::3"], 1) == 4
    assert another_of("2001:db8::/64", ["2001:db8::/64"]) == 2**64
    assert another_of("2001:db8::/64", ["2001:db8::/64", "2001:db8:0:1::/96"]) == 2**65
