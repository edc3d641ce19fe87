"""A subscriber's ports in the words of nftables (nft(8)), and what of ICMP is its own. Pure: no I/O.

Of ICMP that's the identifier of an echo, and of an error the ports of the packet inside (RFC 7597 §8.2, RFC 7596 §8.1).
"""

from __future__ import annotations

from collections.abc import Sequence

_WITH_PORTS = "meta l4proto { tcp, udp }"
_ECHO = "icmp type { echo-request, echo-reply }"
# Of the packet in an ICMP error, without options: 8 bytes of ICMP and 9 of IPv4 stand before its protocol, another 11
# before its ports or its ICMP header.
_ERROR = "icmp type { destination-unreachable, time-exceeded, parameter-problem } @th,136,8"
_ABOUT_PORT, _ABOUT_ECHO = f"{_ERROR} {{ 6, 17 }}", f"{_ERROR} 1"
_INNER_SOURCE, _INNER_DESTINATION, _INNER_IDENTIFIER = "@th,224,16", "@th,240,16", "@th,256,16"

_ECHOES = (_ECHO, "icmp id"), (_ABOUT_ECHO, _INNER_IDENTIFIER)
TO = ((_WITH_PORTS, "th dport"), (_ABOUT_PORT, _INNER_SOURCE), *_ECHOES)
"""Packets to a subscriber, and where each has a port that must be the subscriber's; first TCP and UDP."""
FROM = ((_WITH_PORTS, "th sport"), (_ABOUT_PORT, _INNER_DESTINATION), *_ECHOES)
"""The same of packets from a subscriber."""


def ranges(ports: Sequence[range]) -> Sequence[str]:
    """Each by itself."""
    return [str(one.start) if len(one) == 1 else f"{one.start}-{one.stop - 1}" for one in ports]


def matches(packets: Sequence[tuple[str, str]], ports: Sequence[range]) -> Sequence[str]:
    """What matches these, of `TO` or `FROM`, if the port is among these."""
    return [f"{which} {port} {{ {', '.join(ranges(ports))} }}" for which, port in packets]
