"""What is wrong with frames that come out of a DUT, by what it does to packets; native IPv6 beside others is routed."""

from __future__ import annotations

from collections.abc import Mapping

from xlatperf.engine.message import TrafficClass
from xlatperf.keys.does import Does
from xlatperf.meaning.meanings import OR_A_CABLE, REMARKS, REMARKS_OF_OTHERS, WRONG

_OFFLOADED = (
    "on a virtual port an interface may leave it to hardware that isn't there (Linux: `ethtool -K INTERFACE tx off`)"
)
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
    "dont_fragment": "the frame has another DF, which neither a router nor a NAT changes (RFC 791 §3.1)",
    "identification": "the frame has another identification in its IPv4 header, which neither a router nor a NAT "
    "changes (RFC 791 §3.1)",
    "flow_label": "the frame has another flow label, which neither a router nor a NAT changes (RFC 6437 §3)",
    "ip_header": "another field of the IP header was changed, which a router does not: a flag, fragment offset or next "
    "header",
    "ip_checksum": "the IPv4 header checksum is wrong (RFC 1812 §5.3.1: it follows the TTL)",
    "udp_checksum": f"the UDP checksum was changed, which a router does not: {_OFFLOADED}",
    "payload": "the data after the UDP header was changed, which a router does not",
    "fragment": "the DUT fragments frames of this size: its MTU is smaller than the frames; raise it, or use a smaller "
    "size",
}
"""By the counter of it; all others mean the same as of translated frames."""
CHANGED = {
    **ROUTED,
    "wrong_address": "an address isn't what it must be (RFC 3022 §4.1): compare [technology] of the bench file with "
    "the DUT's configuration",
    "wrong_port": "a UDP port isn't what it must be (RFC 3022 §4.1): a NAT changes only the client's, and in what "
    "comes back gives it the client's own",
    "wrong_length": "the length of the frame or in a header was changed, which a NAT does not: is there a tunnel or a "
    "translator on their way?",
    "ip_header": "another field of the IP header was changed, which a NAT does not: a flag, fragment offset or next "
    "header",
    "udp_checksum": f"the UDP checksum is wrong: it must follow the addresses and ports (RFC 3022 §4.1); {_OFFLOADED}",
    "payload": "the data after the UDP header was changed, which a NAT does not",
    "untranslated": "the frame came out as it went in: the DUT routes it but does not change its addresses"
    f"{OR_A_CABLE}",
}
"""The same of a NAT within one family."""
TUNNELLED = {
    **CHANGED,
    "wrong_address": "an address isn't what it must be, of the tunnel or of the packet in it (RFC 7597 §8, RFC 7596 "
    "§6.2, RFC 6333 §6.6): compare [technology] of the bench file with the DUT's configuration",
    "wrong_length": "the length of the frame or in a header isn't what it must be: a tunnel adds or takes the 40 bytes "
    "of its header, and leaves the packet as long as it is",
    "hop_limit": "a hop limit or TTL isn't what it must be: of the packet in the tunnel (RFC 2473 §3.1, §3.3) it is "
    'what traffic.hops says, of the tunnel\'s header (§6.3) technology.tunnel.dut_hop_limit; with "learn" the first '
    "frames say them",
    "traffic_class": "a traffic class or TOS isn't what it must be. Of the tunnel's header, the outer one, it is "
    "technology.tunnel.dut_traffic_class or, where that isn't set, the packet's own, carried over (RFC 2473 §6.4): set "
    "the key to what the DUT does, or have the DUT carry it over. The packet's own stays as it is (RFC 2474), in a "
    "tunnel and out of it: does the DUT mark packets anew, or write the tunnel's into them?",
    "ip_header": "another field of an IP header, the tunnel's or the packet's own, isn't what it must be: a flag, "
    "fragment offset or next header",
    "payload": "the data after the UDP header was changed, or can't be found in what the tunnel holds, which a tunnel "
    "leaves as it is",
    "fragment": "the DUT fragments frames of this size: a tunnel's entry the outer packet where it doesn't fit the "
    "IPv6 link (RFC 2473 §7.2, RFC 6333 §6.3): raise the DUT's MTU there by 40, or use a smaller size",
    "untranslated": "the frame came out as it went in: the DUT routes it but does not put it into a tunnel, or take it "
    f"out of one{OR_A_CABLE}",
}
"""The same of a tunnel's end, which may be a NAT too."""
_MEANINGS: Mapping[Does, Mapping[str, str]] = {
    "routes": ROUTED,
    "translates": {},
    "changes_addresses": CHANGED,
    "tunnels": TUNNELLED,
}


def remark_meaning(reason: str, traffic_class: TrafficClass, does: Does) -> str:
    """The same of a remark: what only translators are told isn't cited of others."""
    of_translators = does == "translates" and traffic_class != "background"
    return REMARKS[reason] if of_translators else REMARKS_OF_OTHERS.get(reason, REMARKS[reason])


def wrong_meaning(reason: str, traffic_class: TrafficClass, does: Does) -> str:
    """In words."""
    return _MEANINGS["routes" if traffic_class == "background" else does].get(reason, WRONG[reason])
