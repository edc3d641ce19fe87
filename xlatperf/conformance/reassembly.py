"""Fragments put together again (RFC 791 §3.2, RFC 8200 §4.5), as a receiver does."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from xlatperf.conformance.packet import FRAGMENT, Ipv4, Ipv6, Packet


def reassembled(came: Sequence[Packet]) -> Packet | None:
    """One packet, which may have come whole; None: the fragments don't join, or there are none."""
    if len(came) == 1 and not came[0].is_fragment:
        return came[0]
    parts = sorted(((*_place(one), one) for one in came), key=lambda part: part[0])
    at = 0
    for offset, more, _, one in parts:
        if offset != at or more == (one is parts[-1][3]):
            return None
        at += len(one.payload)
    if not parts or len({(type(one), identification) for _, _, identification, one in parts}) > 1:
        return None
    return _whole(parts[0][3], b"".join(one.payload for *_, one in parts))


def identification_of(packet: Packet) -> int:
    """Of a fragment."""
    return _place(packet)[2]


def _place(one: Packet) -> tuple[int, bool, int]:
    """Offset, whether more follow, identification."""
    if isinstance(one, Ipv4):
        return one.offset, one.more_fragments, one.identification
    own = one.fragment
    return (0, False, 0) if own is None else (own.offset, own.more_fragments, own.identification)


def _whole(first: Packet, payload: bytes) -> Packet:
    if isinstance(first, Ipv6):
        others = tuple(one for one in first.extensions if one.kind != FRAGMENT)
        return replace(first, extensions=others, payload=payload)
    return replace(first, more_fragments=False, offset=0, payload=payload)
