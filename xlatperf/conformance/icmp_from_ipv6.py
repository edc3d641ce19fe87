"""RFC 7915 §5.2 and §5.3: ICMPv6 to ICMP."""

from __future__ import annotations

from functools import partial

from xlatperf.conformance.ends import Ends
from xlatperf.conformance.icmp_messages import (
    MESSAGE,
    an_error_inside,
    each_error,
    header_of_an_error,
    inner,
    nobodys_types,
    packet_inside,
)
from xlatperf.conformance.probe import Make, Probe, whole
from xlatperf.conformance.rule import Level, Rule
from xlatperf.conformance.transport import ECHO_REPLY_V6, ECHO_V6

_SECTION = "RFC 7915 §5.2"
MUST = Level.MUST
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


def _echo(ends: Ends, kind: int, says: str) -> Probe:
    packet = ends.echo(kind)
    return whole((packet,), (ends.translated(packet),), Rule(_SECTION, MUST, says))


def _mtu(ends: Ends, mtu: int, says: str) -> Probe:
    packet = ends.error((2, 0), inner(ends), mtu.to_bytes(4, "big"))
    return whole((packet,), (ends.translated(packet),), Rule(_SECTION, MUST, says), MESSAGE)


PROBES: tuple[Make, ...] = (
    partial(_echo, kind=ECHO_V6, says="Echo Request (128) to 8"),
    partial(_echo, kind=ECHO_REPLY_V6, says="Echo Reply (129) to 0"),
    *nobodys_types(_SECTION, _SINGLE_HOP),
    *each_error(_SECTION, 1, _UNREACHABLE),
    partial(_mtu, mtu=1400, says="packet too big (2/0) to 3/4: an MTU of 1400 becomes 1380"),
    *each_error(_SECTION, 3, {0: "time exceeded (3/0) to 11/0", 1: "time exceeded (3/1) to 11/1"}),
    *each_error(_SECTION, 4, {0: "parameter problem (4/0) to 12/0, pointer {}"}, pointers=_POINTERS, last=True),
    *each_error(_SECTION, 4, {1: "unknown next header (4/1) to 3/2", 2: "unknown option (4/2) is dropped"}),
    *each_error(_SECTION, 100, {0: "an unknown error (100) is dropped"}),
    partial(header_of_an_error, section="RFC 7915 §5.1"),
    partial(packet_inside, section="RFC 7915 §5.3"),
    partial(an_error_inside, section="RFC 7915 §5.3"),
)
"""From IPv6 to IPv4: each message."""
