"""What the engine counts in a trial. Written by `python -m docs.counters` from engine/counter/counters.inc."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from xlatperf.engine.message import Message


class Counter(NamedTuple):
    """`text`: what it counts, of frames behind "the frame ..."; `section`: of the standards, where there is one."""

    section: str
    text: str


REASONS: Mapping[str, Counter] = {
    "expected": Counter("", "is exactly as it must be"),
    "duplicate": Counter("", "came before"),
    "late": Counter("", "took longer than frame_timeout_ms"),
    "after_wait": Counter(
        "RFC 2544 §23",
        "came when the wait for the trial's frames (timeout_s) was over, while the DUT rested "
        "(settle_s), in its first second; what comes later is stale in the next trial",
    ),
    "beyond_window": Counter("", "came so late that its number isn't remembered any more"),
    "wrong_length": Counter("RFC 7915 §4.1, §5.1, RFC 2544 §10", "has another length, in itself or in a header"),
    "wrong_mac": Counter("", "is right, but goes to another MAC address than that of the Tester's port"),
    "vlan_tag": Counter(
        "IEEE 802.1Q §9.6",
        "has another VLAN tag than its link's, or none, or one where there must be none; whatever "
        "else may be wrong with it",
    ),
    "wrong_address": Counter(
        "RFC 7915 §4.1, §5.1, RFC 6052 §2.3, RFC 7757 §3.3, RFC 7597 §8, RFC 7596 §6.2, RFC 6333 §6.6",
        "has another source or destination address",
    ),
    "wrong_port": Counter("RFC 7915 §4.5, §5.5, RFC 3022 §4.1", "has another UDP port"),
    "hop_limit": Counter(
        "RFC 7915 §4.1, §5.1",
        "has a hop limit or TTL that was not decremented as often as traffic.hops or the first frames say",
    ),
    "traffic_class": Counter("RFC 7915 §4.1, §5.1", "has another traffic class or TOS"),
    "dont_fragment": Counter("RFC 791 §3.1", "has another DF, where that is kept"),
    "identification": Counter(
        "RFC 791 §3.1, RFC 7915 §4.1",
        "has another identification in the IPv4 header, where that is kept, or in the Fragment "
        "headers, where that was translated",
    ),
    "flow_label": Counter("RFC 7915 §4.1, RFC 6437 §3", "has another flow label"),
    "ip_header": Counter("RFC 7915 §4.1, §5.1", "has another value in any other field of the IP header"),
    "ip_checksum": Counter("RFC 7915 §5.1", "has a wrong IPv4 header checksum"),
    "udp_checksum": Counter("RFC 7915 §4.5, §5.5", "has a wrong UDP checksum though all that it covers is right"),
    "payload": Counter("", "has other UDP data"),
    "fragment": Counter("RFC 7915 §4.1, RFC 6333 §6.3", "is a fragment"),
    "untranslated": Counter("RFC 7915 §1.1", "came out as it went in"),
    "outside_pool": Counter("", "comes from an address or port that the DUT may not give to a client"),
    "mapping_changed": Counter(
        "RFC 4787 §4.1, RFC 6146 §3.5.1", "comes from another address or port than its connection had before"
    ),
}
"""Of the frames of a class that arrived: each has exactly one."""

REMARKS: Mapping[str, Counter] = {
    "overtaken": Counter(
        "RFC 4737 §3.4",
        "arrived after a frame of its class with a higher number (with several queues, of those "
        "that left and arrived on the same), of whatever flow",
    ),
    "reordered": Counter(
        "RFC 7915 §4, §5",
        "is overtaken, and behind a frame of its own flow: same addresses and ports. The highest "
        "numbers of 65,536 flows are remembered, from the first overtaken frame on and 4,096 "
        "numbers before it",
    ),
    "df_differs": Counter("RFC 7915 §5.1", "was translated from IPv6, and its DF isn't 1 above 1260 bytes, else 0"),
    "udp_checksum_zero": Counter(
        "RFC 768",
        "has UDP checksum 0 over IPv4: legal, but it was sent with one, or an IPv6 packet on its way must have had one",
    ),
    "udp_checksum_added": Counter(
        "RFC 768",
        "has a UDP checksum over IPv4, and it fits, but it was sent with none: a router or a NAT leaves it so",
    ),
    "accepted": Counter(
        "", "differs from what it must be, only in fields that are accepted; these are counted one by one below"
    ),
    "accepted_hop_limit": Counter("RFC 1812 §5.3.1, RFC 8200 §3", "has another hop limit or TTL, which is accepted"),
    "accepted_traffic_class": Counter(
        "RFC 7915 §4.1, §5.1, RFC 2474 §3", "has another traffic class or TOS, which is accepted"
    ),
    "accepted_dont_fragment": Counter("RFC 791 §3.1", "has another DF, which is accepted"),
    "accepted_identification": Counter(
        "RFC 791 §3.1", "has another identification in the IPv4 header, which is accepted"
    ),
    "accepted_flow_label": Counter("RFC 7915 §4.1, RFC 6437 §3", "has another flow label, which is accepted"),
    "encapsulation_limit": Counter(
        "RFC 2473 §5.1", "has a tunnel encapsulation limit behind the outer header, 8 bytes that count in no frame size"
    ),
    "in_fragments": Counter(
        "RFC 791 §3.2, RFC 8200 §4.5",
        "came in fragments, which together are exactly as it must be: it came when the last of them "
        "did, and counts once",
    ),
}
"""Of frames that are as expected."""

STRAYS: Mapping[str, Counter] = {
    "arp_nd": Counter("", "ARP, Neighbor and Router Discovery, multicast listener reports"),
    "icmp_error": Counter("RFC 792, RFC 4443", "ICMP and ICMPv6 errors: told by type, code and sender, as icmp_errors"),
    "stale": Counter("RFC 2544 §23", "frames of an earlier trial, also those that came between that and this one"),
    "returned": Counter("", "the Tester's own frames, back on the side that sent them"),
    "foreign": Counter("", "frames of somebody else"),
    "malformed": Counter("", "frames whose headers contradict themselves"),
}
"""Frames that belong to no class, by the side where they arrived."""

PORTS: Mapping[str, Counter] = {
    "receive_drops": Counter("", "frames that the Tester itself dropped, as its receive ring had no room"),
    "transmit_errors": Counter("", "frames that the port failed to send"),
    "no_buffers": Counter("", "frames that arrived when there was no buffer for them"),
    "waiting_before": Counter(
        "",
        "frames of earlier trials that hadn't left the port when this one began, as the DUT hadn't "
        "taken them: so many of those that are stale may not have been held back by the DUT",
    ),
}
"""What the port of a side counts itself."""

SENDING: Mapping[str, Counter] = {
    "late_frames": Counter("", "frames that left later than schedule.late_us allows"),
    "not_taken": Counter(
        "RFC 2544 §26.1",
        "frames, of those sent, that the DUT didn't take: it had no room for them in the memory "
        "that the port shares with it, or they never left an interface whose other end is on this "
        "host",
    ),
    "no_buffers": Counter("", "how often a frame was due and there was no buffer for it"),
    "waited_ns": Counter(
        "",
        "for how long, at least, one frame waited behind the port's driver, in the kernel, until "
        "the DUT took it: the delays contain that",
    ),
    "stalls": Counter("", "how often the Tester was held up, for 100 µs or more in which two frames or more were due"),
    "lost_after_stall": Counter(
        "",
        "frames, of those lost, that left after a stall until it was caught up, faster than due, "
        "or, since a queue in the DUT needs time to empty, among as many behind those",
    ),
    "longest_stall_ns": Counter("", "the longest time without a call to the driver though frames were due"),
    "smallest_gap_ns": Counter("", "the shortest time between two calls to the driver; null with less than two"),
    "largest_burst": Counter("", "the most frames in one call to the driver"),
}
"""How the frames of a direction left the Tester."""

INVALID: Mapping[str, Counter] = {
    "sent_less": Counter(
        "", "the Tester could not send as many frames as intended, or took longer than schedule.overrun allows"
    ),
    "schedule": Counter(
        "",
        "the Tester could not keep the schedule: more than schedule.late_share of the frames left "
        "more than schedule.late_us late",
    ),
    "receive_drops": Counter(
        "",
        "the Tester's own receive queue overflowed, or may have: where the port doesn't count it, "
        "so many frames at most",
    ),
    "transmit_errors": Counter("", "the Tester's port failed to send"),
    "no_buffers": Counter("", "the Tester ran out of buffers"),
    "uncounted": Counter("", "the Tester's main thread was held up, and frames arrived that could not be counted"),
    "link_down": Counter("", "a link went down"),
    "address_conflict": Counter("", "two stations on a link say that one address is their own"),
    "stopped": Counter("", "somebody stopped it"),
    "negative_delay": Counter("", "frames arrived before they were sent: the Tester's clock is not to be trusted"),
    "clock": Counter("", "the Tester's clock is not to be trusted"),
}
"""Why a trial says nothing about the DUT."""


class SideCounters(Message):
    """Frames that arrived on a side and belong to no class, and its port's counters."""

    arp_nd: int = 0
    stale: int = 0
    returned: int = 0
    foreign: int = 0
    malformed: int = 0
    receive_drops: int = 0
    transmit_errors: int = 0
    no_buffers: int = 0
    waiting_before: int = 0


class SendingCounters(Message):
    """How the frames of a direction left the Tester."""

    late_frames: int = 0
    not_taken: int = 0
    no_buffers: int = 0
    waited_ns: float | None = None
    stalls: int = 0
    lost_after_stall: int = 0
    longest_stall_ns: float | None = None
    smallest_gap_ns: float | None = None
    largest_burst: int = 0
