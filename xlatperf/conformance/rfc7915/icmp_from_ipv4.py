"""RFC 7915 §4.2 and §4.3: ICMP to ICMPv6."""

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
from xlatperf.conformance.rfc7915.plateau import unknown_mtu
from xlatperf.conformance.rule import Level, Rule
from xlatperf.conformance.transport import ECHO, ECHO_REPLY

_SECTION = "RFC 7915 §4.2"
_SINGLE_HOP = {
    4: "Source Quench (4)",
    5: "Redirect (5)",
    6: "Alternative Host Address (6)",
    9: "Router Advertisement (9)",
    10: "Router Solicitation (10)",
    13: "Timestamp (13)",
    14: "Timestamp Reply (14)",
    15: "Information Request (15)",
    16: "Information Reply (16)",
    17: "Address Mask Request (17)",
    18: "Address Mask Reply (18)",
    200: "an unknown type (200)",
}
_UNREACHABLE = {
    0: "net unreachable (3/0) to 1/0",
    1: "host unreachable (3/1) to 1/0",
    2: "protocol unreachable (3/2) to 4/1 with pointer 6",
    3: "port unreachable (3/3) to 1/4",
    5: "source route failed (3/5) to 1/0",
    6: "3/6 to 1/0",
    7: "3/7 to 1/0",
    8: "3/8 to 1/0",
    9: "net prohibited (3/9) to 1/1",
    10: "host prohibited (3/10) to 1/1",
    11: "3/11 to 1/0",
    12: "3/12 to 1/0",
    13: "administratively prohibited (3/13) to 1/1",
    14: "host precedence violation (3/14) is dropped",
    15: "precedence cutoff (3/15) to 1/1",
    16: "an unknown code (3/16) is dropped",
}
_POINTERS = {1: "1 to 1", 2: "2 to 4", 8: "8 to 7", 9: "9 to 6", 12: "12 to 8", 16: "16 to 24", 4: "4: dropped"}


def _mtu(mtu: int, says: str) -> Make:
    rule = Rule(_SECTION, Level.MUST, says)
    return partial(one_error, kind=(3, 4), rest=mtu.to_bytes(4, "big"), rule=rule)


_reply = partial(echo, section=_SECTION, kind=ECHO_REPLY, says="Echo Reply (0) to 129")

PROBES: tuple[Make, ...] = (
    partial(echo, section=_SECTION, kind=ECHO, says="Echo Request (8) to 128"),
    _reply,
    *nobodys_types(_SECTION, _SINGLE_HOP),
    *each_error(_SECTION, 3, _UNREACHABLE),
    _mtu(1400, "fragmentation needed (3/4) to 2/0: an MTU of 1400 becomes 1420"),
    _mtu(1000, "fragmentation needed (3/4) to 2/0: an MTU below 1260 becomes 1280"),
    unknown_mtu,
    *each_error(_SECTION, 11, {0: "time exceeded (11/0) to 3/0", 1: "time exceeded (11/1) to 3/1"}),
    *each_error(_SECTION, 12, {0: "parameter problem (12/0) to 4/0, pointer {}"}, pointers=_POINTERS),
    *each_error(_SECTION, 12, {1: "a missing option (12/1) is dropped", 2: "a bad length (12/2) to 4/0"}),
    partial(extension, section=_SECTION),
    *around_and_inside(header="RFC 7915 §4.1", inside="RFC 7915 §4.3"),
)
"""From IPv4 to IPv6: each message."""
OF_SERVERS = frozenset({_reply})
"""What no client of a NAT44 begins with (RFC 5508 §3.1)."""
