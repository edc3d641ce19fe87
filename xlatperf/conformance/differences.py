"""How a packet that came differs from the one that must come, field by field."""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum

from xlatperf.conformance.packet import FRAGMENT, Ipv4, Ipv6, Packet, parse
from xlatperf.conformance.transport import checksum_of, icmp_error, right_checksum, without_checksum


class Field(Enum):
    """What a rule is about."""

    ADDRESSES = "addresses"
    TRAFFIC_CLASS = "TOS or traffic class"
    FLOW_LABEL = "flow label"
    LENGTH = "length"
    PROTOCOL = "protocol or next header"
    HOP_LIMIT = "TTL or hop limit"
    IDENTIFICATION = "identification"
    DONT_FRAGMENT = "DF"
    FRAGMENT = "offset and more fragments"
    FRAGMENT_HEADER = "Fragment Header"
    HEADER_CHECKSUM = "header checksum"
    HEADERS = "options or extension headers"
    CHECKSUM = "transport checksum"
    DATA = "data"
    MESSAGE = "ICMP type, code and what goes with them"
    INSIDE = "the packet inside of an ICMP error"


def differences(expected: Packet, came: Packet) -> dict[Field, str]:
    """What was seen and what must be, of each field that differs; nothing: all is right.

    The identification of what isn't a fragment is the device's choice.
    """
    if isinstance(expected, Ipv4) and isinstance(came, Ipv4):
        found = dict(_of_ipv4(expected, came))
    elif isinstance(expected, Ipv6) and isinstance(came, Ipv6):
        found = dict(_of_ipv6(expected, came))
    else:
        family = 6 if isinstance(came, Ipv6) else 4
        return dict.fromkeys(Field, f"IPv{family}: not translated")
    return {**found, **dict(_of_both(expected, came))}


def _differ(what: str, came: object, expected: object) -> str:
    return f"{what} {came}, must be {expected}"


def _of_both(expected: Packet, came: Packet) -> Iterator[tuple[Field, str]]:
    for name in ("source", "destination"):
        seen, wanted = getattr(came, name), getattr(expected, name)
        if seen != wanted:
            yield Field.ADDRESSES, _differ(name, seen, wanted)
    if icmp_error(expected) is not None:
        yield from _of_errors(expected, came)
        return
    if len(came.payload) != len(expected.payload):
        yield Field.LENGTH, _differ("bytes of data", len(came.payload), len(expected.payload))
    elif without_checksum(came) != without_checksum(expected):
        pairs = zip(without_checksum(came), without_checksum(expected), strict=True)
        at = next(i for i, (one, other) in enumerate(pairs) if one != other)
        yield Field.DATA, f"byte {at} behind the headers differs"
    seen, wanted = checksum_of(came), checksum_of(expected)
    if seen != wanted:
        right = right_checksum(came) == seen and not came.is_fragment and seen != 0
        if not right:  # over what came, data that differ are told already
            text = "none" if seen is None else f"0x{seen:04x}"
            yield Field.CHECKSUM, _differ("checksum", text, "none" if wanted is None else f"0x{wanted:04x}")


def _of_errors(expected: Packet, came: Packet) -> Iterator[tuple[Field, str]]:
    wanted, seen = icmp_error(expected), icmp_error(came)
    if wanted is None or seen is None:
        yield Field.MESSAGE, "no ICMP error" if seen is None else "an ICMP error"
        return
    if seen[:2] != wanted[:2]:
        yield Field.MESSAGE, _differ("type and code", f"{seen[0]}/{seen[1]}", f"{wanted[0]}/{wanted[1]}")
    elif seen[2] != wanted[2]:
        yield Field.MESSAGE, _differ("bytes 4 to 7", f"0x{seen[2].hex()}", f"0x{wanted[2].hex()}")
    if checksum_of(came) != right_checksum(came):
        yield Field.CHECKSUM, "checksum of the message wrong"
    inner_seen, inner_wanted = parse(came.payload[8:]), parse(expected.payload[8:])
    if inner_wanted is None:
        return
    if inner_seen is None:
        yield Field.INSIDE, "no packet inside"
    elif texts := differences(inner_wanted, inner_seen).values():
        yield Field.INSIDE, f"inside: {'; '.join(texts)}"


def _of_ipv4(expected: Ipv4, came: Ipv4) -> Iterator[tuple[Field, str]]:
    if came.tos != expected.tos:
        yield Field.TRAFFIC_CLASS, _differ("TOS", f"0x{came.tos:02x}", f"0x{expected.tos:02x}")
    if came.total_length != expected.total_length:
        yield Field.LENGTH, _differ("total length", came.total_length, expected.total_length or "that of the packet")
    if came.protocol != expected.protocol:
        yield Field.PROTOCOL, _differ("protocol", came.protocol, expected.protocol)
    if came.ttl != expected.ttl:
        yield Field.HOP_LIMIT, _differ("TTL", came.ttl, expected.ttl)
    if expected.is_fragment and came.identification != expected.identification:
        yield Field.IDENTIFICATION, _differ("identification", came.identification, expected.identification)
    if came.dont_fragment != expected.dont_fragment:
        yield Field.DONT_FRAGMENT, _differ("DF", int(came.dont_fragment), int(expected.dont_fragment))
    seen, wanted = ((one.offset, int(one.more_fragments)) for one in (came, expected))
    if seen != wanted:
        yield Field.FRAGMENT, f"offset {seen[0]} and MF {seen[1]}, must be {wanted[0]} and {wanted[1]}"
    if not came.checksum_right:
        yield Field.HEADER_CHECKSUM, "header checksum wrong"
    if came.options != expected.options:
        yield Field.HEADERS, f"{len(came.options)} bytes of options"


def _of_ipv6(expected: Ipv6, came: Ipv6) -> Iterator[tuple[Field, str]]:
    if came.traffic_class != expected.traffic_class:
        seen, wanted = f"0x{came.traffic_class:02x}", f"0x{expected.traffic_class:02x}"
        yield Field.TRAFFIC_CLASS, _differ("traffic class", seen, wanted)
    if came.flow_label != expected.flow_label:
        yield Field.FLOW_LABEL, _differ("flow label", f"0x{came.flow_label:05x}", f"0x{expected.flow_label:05x}")
    if came.payload_length != expected.payload_length:
        wanted_length = expected.payload_length or "that of the packet"
        yield Field.LENGTH, _differ("payload length", came.payload_length, wanted_length)
    if came.next_header != expected.next_header:
        yield Field.PROTOCOL, _differ("next header", came.next_header, expected.next_header)
    if came.hop_limit != expected.hop_limit:
        yield Field.HOP_LIMIT, _differ("hop limit", came.hop_limit, expected.hop_limit)
    others = [one.kind for one in came.extensions if one.kind != FRAGMENT]
    if others:
        yield Field.HEADERS, f"extension headers {', '.join(map(str, others))}"
    own, wanted_header = came.fragment, expected.fragment
    if (own is None) != (wanted_header is None):
        yield Field.FRAGMENT_HEADER, "no Fragment Header" if own is None else "a Fragment Header"
    if own is None or wanted_header is None:
        return
    at, wanted_at = ((one.offset, int(one.more_fragments)) for one in (own, wanted_header))
    if at != wanted_at:
        yield Field.FRAGMENT, f"offset {at[0]} and M {at[1]}, must be {wanted_at[0]} and {wanted_at[1]}"
    if own.identification != wanted_header.identification:
        text = _differ("identification", f"0x{own.identification:08x}", f"0x{wanted_header.identification:08x}")
        yield Field.IDENTIFICATION, text
