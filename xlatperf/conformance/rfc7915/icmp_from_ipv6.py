"""RFC 7915 §5.2 and §5.3: ICMPv6 to ICMP."""

from __future__ import annotations

from functools import partial

from xlatperf.conformance.probe import Make
from xlatperf.conformance.rfc7915.icmp_extensions import extension
from xlatperf.conformance.rfc7915.icmp_messages import (
    around_and_inside,
    each_error,
    echo,
    nobodys_types,
    one_error,
)
from xlatperf.conformance.rule import Level, Rule
from xlatperf.conformance.transport import ECHO_REPLY_V6, ECHO_V6

_SECTION = "RFC 7915 §5.2"
_SINGLE_HOP = {
    130: "Multicast Listener Query (130)",
    131: "Multicast Listener Report (131)",
    132: "Multicast Listener Done (132)",
    133: "Router Solicitation (133)",
    134: "Router Advertisement (134)",
    135: "Neighbor Solicitation (135)",
    136: "Neighbor Advertisement (136)",
    137: "Redirect (137)",
    200: "an unknown message (200)",
}
_UNREACHABLE = {
    0: "no route (1/0) to 3/1",
    1: "administratively prohibited (1/1) to 3/10",
    2: "beyond scope (1/2) to 3/1",
    3: "address unreachable (1/3) to 3/1",
    4: "port unreachable (1/4) to 3/3",
    7: "an unknown code (1/7) is dropped",
}
_POINTERS = {
    1: "1 to 1",
    4: "4 to 2",
    6: "6 to 9",
    7: "7 to 8",
    8: "8 to 12",
    24: "24 to 16",
    2: "2: dropped",
    40: "40: dropped",
}


def _mtu(mtu: int, says: str) -> Make:
    rule = Rule(_SECTION, Level.MUST, says)
    return partial(one_error, kind=(2, 0), rest=mtu.to_bytes(4, "big"), rule=rule)


_request = partial(echo, section=_SECTION, kind=ECHO_V6, says="Echo Request (128) to 8")

PROBES: tuple[Make, ...] = (
    _request,
    partial(echo, section=_SECTION, kind=ECHO_REPLY_V6, says="Echo Reply (129) to 0"),
    *nobodys_types(_SECTION, _SINGLE_HOP),
    *each_error(_SECTION, 1, _UNREACHABLE),
    _mtu(1400, "packet too big (2/0) to 3/4: an MTU of 1400 becomes 1380"),
    *each_error(_SECTION, 3, {0: "time exceeded (3/0) to 11/0", 1: "time exceeded (3/1) to 11/1"}),
    *each_error(_SECTION, 4, {0: "parameter problem (4/0) to 12/0, pointer {}"}, pointers=_POINTERS, last=True),
    *each_error(_SECTION, 4, {1: "unknown next header (4/1) to 3/2", 2: "unknown option (4/2) is dropped"}),
    *each_error(_SECTION, 100, {0: "an unknown error (100) is dropped"}),
    partial(extension, section=_SECTION),
    *around_and_inside(header="RFC 7915 §5.1", inside="RFC 7915 §5.3"),
)
"""From IPv6 to IPv4: each message."""
OF_CLIENTS = frozenset({_request})
"""What only a client of a NAT44 begins with (RFC 5508 §3.1)."""
