"""What counters, ICMP errors and reasons mean, in plain words, with the section that says how it should be."""

from __future__ import annotations

from xlatperf.engine import counters
from xlatperf.engine.counters import Counter
from xlatperf.keys.in_words import significant

OR_A_CABLE = (
    "; if its TTL or hop limit is as it was sent, too, a cable or a switch is in the DUT's place: `xlatperf selftest "
    "BENCH --cable` measures the Tester over a cable"
)
_ADVICE = {
    "after_wait": "raise timeout_s",
    "wrong_mac": "does the DUT have a neighbour entry that was made by hand (then correct it), or does somebody else "
    "on the link have the Tester's address?",
    "wrong_address": "compare [technology] of the bench file with the DUT's configuration",
    "wrong_port": "a stateless translator changes none (is it a NAT?), a stateful one only the client's, and in what "
    "comes back gives it the client's own",
    "wrong_length": "translated, the payload length is the total length - 20, the total length the payload length + "
    "20; no option, extension header or padding is added",
    "hop_limit": "a translator takes one; a DUT that also routes before and after it translates takes more: set "
    'traffic.hops to what it does, or to "learn"',
    "traffic_class": "all eight bits are copied, unless the DUT is told otherwise",
    "dont_fragment": "a router keeps it; where two translators are in a row, set technology.double_translation",
    "identification": "a router keeps it; where two translators are in a row, set technology.double_translation",
    "flow_label": "a translator sets 0, a router keeps it",
    "ip_header": "MF, fragment offset, reserved flag or next header",
    "ip_checksum": "it must be calculated",
    "udp_checksum": "it must follow the addresses; IPv6 allows no 0",
    "payload": "RFC 7915 changes headers only",
    "fragment": "the DUT fragments frames of this size: a translator what exceeds 1280 bytes as IPv6 with DF 0 "
    "(traffic.dont_fragment = true avoids it), a tunnel's entry the outer packet where it doesn't fit the IPv6 link "
    "(raise the DUT's MTU there by 40); or use a smaller size, or have fragments count together as one frame "
    "(traffic.reassemble = true)",
    "untranslated": f"the DUT routes it but does not translate{OR_A_CABLE}",
    "outside_pool": "compare [technology] of the bench file, which says these, with the DUT's configuration; with "
    "the client's own address as the source, the DUT routes but does not translate",
    "mapping_changed": "the mapping changed, which it must not while the connection is used (RFC 4787 §4.3); a DUT "
    "that forgot the connection makes a new mapping, so is its UDP timeout too short?",
    "overtaken": "a DUT that has several queues or cores may do that",
    "reordered": "packets of a flow should keep their order",
    "in_fragments": "the link behind the DUT carries more frames and bytes than are counted",
    "encapsulation_limit": "they count in no theoretical maximum either, and the Tester has to look closer at each "
    "such frame, which lowers its own limit: have the DUT leave it out (Linux: `encaplimit none`)",
    "not_taken": "a wire doesn't wait, so they count as lost (push-back)",
    "returned": "the DUT routes them back, or a loop",
    "foreign": "the DUT's own, say",
    "stale": "the DUT held them back longer than timeout_s and settle_s",
}
"""What to look at, of counters that more can be said of than what they count."""


def _meaning(name: str, counter: Counter, before: str = "", *, cite: bool = True) -> str:
    section = f" ({counter.section})" if counter.section and cite else ""
    advice = f": {_ADVICE[name]}" if name in _ADVICE else ""
    return f"{before}{counter.text}{section}{advice}"


WRONG = {name: _meaning(name, one, "the frame ") for name, one in counters.REASONS.items() if name != "expected"}
REMARKS = {name: _meaning(name, one, "the frame ") for name, one in counters.REMARKS.items()}
REMARKS_OF_OTHERS = {
    name: _meaning(name, one, "the frame ", cite=False)
    for name, one in counters.REMARKS.items()
    if one.section.startswith("RFC 7915")
}
"""Of frames that nobody translates: those that cite only what translators must do."""
SHARED = (
    "two connections have the same addresses and ports on the right side, so that no answer can find its way back to "
    "both (RFC 6146 §3.5.1.1, RFC 4787 §4.1)"
)
NOT_TAKEN = _meaning("not_taken", counters.SENDING["not_taken"])
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
    **{name: _meaning(name, one) for name, one in counters.INVALID.items()},
    "fell_silent": "the DUT no longer answered when the trial had ended",
    "not_emptied": "the DUT's connection tracking table could not be emptied, as experiments need it (RFC 9693 §4.4): "
    "with the driver manual see what device.clear_command does",
}
"""The engine's reasons why a trial is invalid, and the campaign's own."""
SIDE = {
    name: _meaning(name, one)
    for name, one in {**counters.STRAYS, "waiting_before": counters.PORTS["waiting_before"]}.items()
    if name not in ("arp_nd", "icmp_error")
}
"""Counters of a side that need a word: what else a port counts makes the trial invalid."""
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
    return _WAITED.format(significant(longest_ns / 1e6))
