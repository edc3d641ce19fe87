"""Types, codes, pointers and MTUs of ICMP and ICMPv6, and what becomes of each (RFC 7915 §4.2, §5.2)."""

from __future__ import annotations

from dataclasses import dataclass

LEAST_IPV6_MTU, GROWTH = 1280, 20
UNREACHABLE, SOURCE_QUENCH, REDIRECT, TIME_EXCEEDED, PARAMETER_PROBLEM = 3, 4, 5, 11, 12
ERRORS = frozenset({UNREACHABLE, SOURCE_QUENCH, REDIRECT, TIME_EXCEEDED, PARAMETER_PROBLEM})
UNREACHABLE_V6, TOO_BIG, TIME_EXCEEDED_V6, PARAMETER_PROBLEM_V6 = 1, 2, 3, 4
NEXT_HEADER_AT = 6
"""The IPv6 header's octet that a pointer names for "protocol unreachable"."""
POINTERS_TO_IPV6 = {
    0: 0,
    1: 1,
    2: 4,
    3: 4,
    8: 7,
    9: 6,
    **dict.fromkeys(range(12, 16), 8),
    **dict.fromkeys(range(16, 20), 24),
}
"""RFC 7915 figure 3: of an IPv4 header's octet; what isn't there has no counterpart."""
POINTERS_TO_IPV4 = {
    0: 0,
    1: 1,
    4: 2,
    5: 2,
    6: 9,
    7: 8,
    **dict.fromkeys(range(8, 24), 12),
    **dict.fromkeys(range(24, 40), 16),
}
"""RFC 7915 figure 6."""
UNREACHABLE_TO_IPV6 = {
    **dict.fromkeys((0, 1, 5, 6, 7, 8, 11, 12), (UNREACHABLE_V6, 0)),
    **dict.fromkeys((9, 10, 13, 15), (UNREACHABLE_V6, 1)),
    2: (PARAMETER_PROBLEM_V6, 1),
    3: (UNREACHABLE_V6, 4),
    4: (TOO_BIG, 0),
}
"""By the code of Destination Unreachable; all others are silently dropped."""
UNREACHABLE_TO_IPV4 = {0: 1, 1: 10, 2: 1, 3: 1, 4: 3}
"""The same from ICMPv6's, to the code in ICMP's."""


@dataclass(frozen=True)
class Message:
    """Type and code, bytes 4 to 7, and whether a packet is inside."""

    kind: tuple[int, int]
    rest: bytes
    error: bool = False


def _error(kind: tuple[int, int], rest: bytes = b"\0\0\0\0") -> Message:
    return Message(kind, rest, error=True)


def to_ipv6(kind: tuple[int, int], rest: bytes) -> Message | None:
    """§4.2, but for an MTU of 0, from which one is guessed. None: silently dropped."""
    number, code = kind
    if number in (8, 0):
        return Message((128 if number == 8 else 129, 0), rest)
    if number == UNREACHABLE and code in UNREACHABLE_TO_IPV6:
        to = UNREACHABLE_TO_IPV6[code]
        if to[0] == PARAMETER_PROBLEM_V6:
            return _error(to, NEXT_HEADER_AT.to_bytes(4, "big"))
        if to[0] == TOO_BIG:
            return _error(to, max(int.from_bytes(rest[2:], "big") + GROWTH, LEAST_IPV6_MTU).to_bytes(4, "big"))
        return _error(to)
    if number == TIME_EXCEEDED:
        return _error((TIME_EXCEEDED_V6, code))
    if number == PARAMETER_PROBLEM and code in (0, 2) and rest[0] in POINTERS_TO_IPV6:
        return _error((PARAMETER_PROBLEM_V6, 0), POINTERS_TO_IPV6[rest[0]].to_bytes(4, "big"))
    return None


def to_ipv4(kind: tuple[int, int], rest: bytes) -> Message | None:
    """§5.2; None: silently dropped."""
    number, code = kind
    if number in (128, 129):
        return Message((8 if number == 128 else 0, 0), rest)
    if number == UNREACHABLE_V6 and code in UNREACHABLE_TO_IPV4:
        return _error((UNREACHABLE, UNREACHABLE_TO_IPV4[code]))
    if number == TOO_BIG:
        mtu = int.from_bytes(rest, "big") - GROWTH
        return _error((UNREACHABLE, 4), b"\0\0" + min(mtu, 0xFFFF).to_bytes(2, "big"))
    if number == TIME_EXCEEDED_V6:
        return _error((TIME_EXCEEDED, code))
    pointer = int.from_bytes(rest, "big")
    if number == PARAMETER_PROBLEM_V6 and code == 0 and pointer in POINTERS_TO_IPV4:
        return _error((PARAMETER_PROBLEM, 0), bytes([POINTERS_TO_IPV4[pointer], 0, 0, 0]))
    if number == PARAMETER_PROBLEM_V6 and code == 1:
        return _error((UNREACHABLE, 2))
    return None
