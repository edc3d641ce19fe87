"""What counters, ICMP errors and reasons mean, in plain words, with the section that says how it should be."""

from __future__ import annotations

WRONG = {
    "duplicate": "the frame came more than once",
    "late": "the frame came after frame_timeout_ms",
    "after_wait": "the frame came when the wait for it was over (RFC 2544 §23 d): raise timeout_s",
    "beyond_window": "the frame came so late that the Tester no longer kept its place",
    "wrong_mac": "the frame is right, but goes to another MAC address than that of the Tester's port: does the DUT "
    "have a neighbour entry that was made by hand (then correct it), or does somebody else on the link have the "
    "Tester's address?",
    "wrong_address": "the addresses are not those that the DUT must give (translation: RFC 7915 §4.1, §5.1, RFC 6052 "
    "§2.3, RFC 7757 §3.3; tunnels: RFC 7597 §8, RFC 7596 §6.2, RFC 6333 §6.6): compare [technology] of the bench file "
    "with the DUT's configuration",
    "wrong_port": "a UDP port is not as it must be: a stateless translator changes none (RFC 7915 §4.5, §5.5; is it a "
    "NAT?), a stateful one only the client's, and in what comes back gives it the client's own (RFC 3022 §4.1)",
    "wrong_length": "the length of the frame or in a header is wrong (RFC 7915 §4.1: payload length = total "
    "length - 20, "
    "§5.1: total length = payload length + 20; RFC 2544 §10)",
    "hop_limit": "hop limit or TTL was not decremented as often as traffic.hops or the first frames say "
    "(RFC 7915 §4.1, §5.1: by one); a DUT that also routes before and after it translates takes more: set "
    'traffic.hops to what it does, or to "learn"',
    "traffic_class": "traffic class or TOS was not copied (RFC 7915 §4.1, §5.1: all eight bits, unless the DUT is told "
    "otherwise)",
    "ip_header": "another field of the IP header is wrong: flow label not 0 (RFC 7915 §4.1), DF, MF, fragment "
    "offset or "
    "next header (§5.1)",
    "ip_checksum": "the IPv4 header checksum is wrong (RFC 7915 §5.1: it must be calculated)",
    "udp_checksum": "the UDP checksum is wrong (RFC 7915 §4.5, §5.5: it must follow the addresses; IPv6 allows no 0)",
    "payload": "the data after the UDP header was changed (RFC 7915 changes headers only)",
    "fragment": "the DUT fragments frames of this size: the IPv6 packet exceeds 1280 bytes and DF is 0 (RFC "
    "7915 §4.1); set "
    "traffic.dont_fragment = true or a smaller size",
    "outside_pool": "the source is an address or port that the DUT may not give to a client by technology.pool of the "
    "bench file, or to a CE by its rule (RFC 7599 §8.1): compare it with the DUT's configuration; with the client's "
    "own address as the source, the DUT routes but does not translate",
    "mapping_changed": "the frame's source isn't the one that its connection had in phase 1: the mapping changed, "
    "which it must not while the connection is used (RFC 6146 §3.5.1, RFC 4787 §4.1, §4.3); a DUT that forgot the "
    "connection makes a new mapping, so is its UDP timeout too short?",
    "untranslated": "the frame came out as it went in: the DUT routes it but does not translate (RFC 7915 §1.1)",
}
SHARED = (
    "two connections have the same addresses and ports on the right side, so that no answer can find its way back to "
    "both (RFC 6146 §3.5.1.1, RFC 4787 §4.1)"
)
REMARKS = {
    "overtaken": "frames came behind others that were sent later (RFC 4737 §3.4), of whatever flow: a DUT that has "
    "several queues or cores may do that",
    "reordered": "of those, frames that came behind a later one of their own flow (RFC 7915 §4, §5: packets of a flow "
    "should keep their order)",
    "df_differs": "DF of a translated IPv4 frame isn't as RFC 7915 §5.1 says: 1 above 1260 bytes, else 0",
    "encapsulation_limit": "the DUT writes a tunnel encapsulation limit behind the outer header (RFC 2473 §5.1): 8 "
    "bytes that count in no frame size and in no theoretical maximum; the Tester has to look closer at each such "
    "frame, which lowers its own limit: have the DUT leave it out (Linux: `encaplimit none`)",
    "udp_checksum_zero": "the UDP checksum over IPv4 is 0: legal (RFC 768), but not what RFC 7915 §5.5 asks for",
}
NOT_TAKEN = (
    "lost frames that never left the Tester's port: the DUT didn't take them, out of the memory that it shares with "
    "the port or at the other end of the interface (push-back); a wire doesn't wait, so RFC 2544 §26.1 counts them as "
    "lost"
)
_WAITED = (
    "frames waited for {} ms or more in the Tester's own port, behind its driver, until the DUT took them: delays "
    "contain that, and on a wire there is no such queue"
)
STILL_ARRIVING = (
    "frames were still arriving when the wait for them ended, so what counts as lost may only have been late: raise "
    "timeout_s"
)
CLASS_LOSS = (
    "of this class more was lost than of the other: it takes another way through the DUT (RFC 8219 §5.3), or is served "
    "after it; or the DUT loses each so many frames, and meets the mix, whose order repeats, always at the same place"
)
DROPPED_AT_MOST = (
    "at most so many of the lost frames the Tester itself dropped, as its receive ring had no room while it was held "
    "up: less than a hundredth of what was lost, so the trial counts"
)
TESTER = {
    "sent_less": "the Tester could not send as many frames as intended",
    "schedule": "the Tester could not keep the schedule",
    "receive_drops": "the Tester's own receive queue overflowed",
    "transmit_errors": "the Tester's port could not transmit",
    "no_buffers": "the Tester ran out of buffers",
    "uncounted": "the Tester's main thread was held up, and frames arrived that could not be counted",
    "link_down": "a link went down",
    "fell_silent": "the DUT no longer answered when the trial had ended",
    "stopped": "the trial was stopped",
    "negative_delay": "a frame arrived before it was sent: the Tester's clock is not to be trusted",
    "clock": "the Tester's clock is not to be trusted",
    "not_emptied": "the DUT's connection tracking table could not be emptied, as experiments need it (RFC 9693 §4.4): "
    "with the driver manual see what device.clear_command does",
}
_PORT_COUNTERS = {
    "returned": "the Tester's own frames came back to the side that sent them: the DUT routes them back, or a loop",
    "foreign": "frames that are not the Tester's arrived (multicast listener reports and other frames of the "
    "DUT's own)",
    "malformed": "frames that could not be read arrived",
    "stale": "frames of an earlier trial arrived: the DUT held them back longer than timeout_s and settle_s (RFC 2544 "
    "§23)",
    "waiting_before": "frames of an earlier trial still waited in the Tester's own port when the next one began, as "
    "the DUT hadn't taken them: so many of those that are stale may not have been held back by the DUT",
}
_ICMP = {
    (4, 3, 0): "network unreachable: the DUT has no route to the destination",
    (4, 3, 1): "host unreachable: the DUT has a route but no answer from the next hop",
    (4, 3, 2): "protocol unreachable",
    (
        4,
        3,
        3,
    ): "port unreachable: the frame reached a host that does not expect it; is the destination one of the DUT's own "
    "addresses?",
    (
        4,
        3,
        4,
    ): "fragmentation needed and DF set: the packet, which translation makes longer (RFC 7915 §4.1), does not fit the "
    "next link's MTU; raise the MTU or use a smaller size",
    (4, 3, 5): "source route failed",
    (4, 3, 9): "network administratively prohibited",
    (4, 3, 10): "host administratively prohibited: a filter",
    (4, 3, 13): "administratively prohibited: a filter",
    (4, 5, 0): "redirect: the DUT thinks that another router is nearer",
    (4, 5, 1): "redirect: the DUT thinks that another router is nearer",
    (4, 11, 0): "TTL exceeded: a routing loop, or traffic.hop_limit is too small",
    (4, 11, 1): "fragment reassembly time exceeded",
    (4, 12, 0): "parameter problem",
    (6, 1, 0): "no route to the destination",
    (6, 1, 1): "administratively prohibited: a filter",
    (6, 1, 2): "beyond the scope of the source address",
    (6, 1, 3): "address unreachable: the DUT has a route but no answer from the next hop",
    (
        6,
        1,
        4,
    ): "port unreachable: the frame reached a host that does not expect it; is the destination one of the DUT's own "
    "addresses?",
    (6, 1, 5): "source address failed ingress policy: reverse path filter, or a source that no mapping covers",
    (6, 1, 6): "reject route to the destination",
    (6, 2, 0): "packet too big: the packet does not fit the next link's MTU; raise the MTU or use a smaller size",
    (6, 3, 0): "hop limit exceeded: a routing loop, or traffic.hop_limit is too small",
    (6, 3, 1): "fragment reassembly time exceeded",
    (6, 4, 0): "parameter problem: erroneous header field",
    (6, 4, 1): "parameter problem: unrecognised next header",
    (6, 137, 0): "redirect: the DUT thinks that another router is nearer",
}


def icmp_meaning(version: int, kind: int, code: int) -> str:
    """Type and code in words (RFC 792, RFC 4443)."""
    return _ICMP.get((version, kind, code), "an error of a kind that is not in the list; see RFC 792 or RFC 4443")


def waited(longest_ns: float) -> str:
    """Frames waited for the DUT to take them."""
    return _WAITED.format(f"{longest_ns / 1e6:.3g}")


def port_counter_meaning(name: str) -> str | None:
    """What frames that belong to no class mean; None for counters that need no word."""
    return _PORT_COUNTERS.get(name)
