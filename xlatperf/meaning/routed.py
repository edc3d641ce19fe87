"""What is wrong with frames that the DUT must only route: all of native forwarding, and native IPv6 beside others."""

from __future__ import annotations

from xlatperf.engine.message import TrafficClass
from xlatperf.meaning.meanings import WRONG

ROUTED = {
    "wrong_address": "the DUT changed an address, which a router does not: does a NAT or a translator take these "
    "frames? Have it leave them alone",
    "wrong_port": "the DUT changed a UDP port, which a router does not: does a NAT take these frames? Have it leave "
    "them alone",
    "wrong_length": "the length of the frame or in a header was changed, which a router does not (RFC 2544 §10): is "
    "there a tunnel or a translator on their way?",
    "hop_limit": "hop limit or TTL was not decremented as often as the bench file or the first frames say (RFC 1812 "
    "§5.3.1, RFC 8200 §3: by one at each router): is there another router on their way, or a switch in place of a "
    'router? Set traffic.hops, or traffic.background_hops, to what the DUT does, or to "learn"',
    "traffic_class": "traffic class or TOS was changed: does the DUT mark these frames anew (RFC 2474)? Have it leave "
    "them as they are",
    "ip_header": "another field of the IP header was changed, which a router does not: a flag, fragment offset or next "
    "header",
    "ip_checksum": "the IPv4 header checksum is wrong (RFC 1812 §5.3.1: it follows the TTL)",
    "udp_checksum": "the UDP checksum was changed, which a router does not: on a virtual port an interface may leave "
    "it to hardware that isn't there (Linux: `ethtool -K INTERFACE tx off`)",
    "payload": "the data after the UDP header was changed, which a router does not",
    "fragment": "the DUT fragments frames of this size: its MTU is smaller than the frames; raise it, or use a smaller "
    "size",
}
"""By the counter of it; all others mean the same as of translated frames."""


def wrong_meaning(reason: str, traffic_class: TrafficClass, only_routes: bool) -> str:
    """In words; `only_routes`: of a DUT that neither translates nor encapsulates. Background is always routed."""
    if only_routes or traffic_class == "background":
        return ROUTED.get(reason, WRONG[reason])
    return WRONG[reason]
