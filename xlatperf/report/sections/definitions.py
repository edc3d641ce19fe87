"""What the report's terms mean."""

from __future__ import annotations

from xlatperf.report.evidence import Evidence
from xlatperf.report.section import Section
from xlatperf.report.table import facts

_DEFINITIONS = (
    (
        "Percentile",
        "RFC 2330 §11.3: the smallest value x for which the share of values ≤ x is at least p. Nothing is "
        "interpolated, so a "
        "percentile is always a value that was measured.",
    ),
    ("Median", "RFC 2330 §11.3: the 50th percentile for odd N; the mean of the two central values for even N."),
    (
        "P1 and P99 of N repetitions",
        "Differences finer than 1/N can't be resolved: for N below 100 the 1st percentile is the minimum and "
        "the 99th percentile of these repetitions is the maximum. With N = 1 all of them are the one value, and "
        "the spread is unknown.",
    ),
    ("Dispersion", "(P99 - P1) / median, in percent."),
    (
        "Throughput",
        "RFC 2544 §26.1: the fastest rate at which every frame sent is received as expected. A trial passes only if "
        "each direction passes. With a loss tolerance it is not RFC 2544 throughput, and the report says so.",
    ),
    ("Rate", "Frames per second per direction. Total is the sum over the directions."),
    (
        "Frame size",
        "Bytes from the destination MAC address to the end of the FCS (RFC 1242 §3.5). A translated frame has a "
        "different "
        "size on each side: left/right.",
    ),
    (
        "Theoretical maximum",
        "Line rate / (8 (frame + 20)), with the largest frame on any segment, also between two devices in a row; "
        "20 bytes are preamble and inter-frame gap (RFC 8219 §5.1, App. A).",
    ),
    (
        "Loss",
        "Sent - expected. A frame that came back wrong, late or not at all is lost; a duplicate does not make up "
        "for a lost one.",
    ),
    (
        "Frame timeout",
        "RFC 2544 lets a frame arrive until the end of its trial. With a frame timeout one that took longer is late "
        "and lost; results with one stand beside the classic ones and are not RFC 2544's.",
    ),
    (
        "Latency: TL, WCL",
        "RFC 8219 §7.2: in a stream at the throughput some frames are tagged. Typical latency (TL) is the median of "
        "their delays, worst-case latency (WCL) their 99.9th percentile (of fewer than 1000 values: the maximum). "
        "A lost frame has no delay.",
    ),
    (
        "PDV, IPDV",
        "RFC 8219 §7.3, RFC 5481. PDV: 99.9th percentile of the delays of all frames less the shortest one. IPDV: the "
        "delay of a frame less that of the frame sent before it, with its sign; none if either was lost.",
    ),
    (
        "From due",
        "Delays count from when a frame leaves. From due: from when it should have left. Where the two differ, the "
        "Tester was held up, and that must not hide the longest delays.",
    ),
    (
        "Tester alone",
        "The same frames at the same rate by the same engine and cores, without the DUT: over the same ports, joined "
        "to each other, where that can be done, else in a loopback in memory without ports and drivers. What of a "
        "delay is the Tester's own is at least this.",
    ),
    (
        "Back-to-back frames, buffer time",
        "RFC 9004: the longest burst at the highest rate without loss, averaged over N searches. Implied buffer time: "
        "that average / rate. Corrected: less what the device forwards while the burst arrives.",
    ),
    (
        "System recovery",
        "RFC 2544 §26.5: after an overload of 110 % of the throughput the rate is halved; the time from then until the "
        "last lost frame was due. The text says it the other way round; this is what was meant.",
    ),
    (
        "Reset",
        "RFC 6201 §1.3: by frame loss, frames lost / offered rate; by time stamps, the time between the last frame "
        "before and the first one after: the longest gap between arrivals.",
    ),
    (
        "Left, right, forward, reverse",
        "Left is the customer's side, right the Internet's. Forward is left to right; with hairpinning "
        "(RFC 7596 §6.2, RFC 7597 §5) it is from one customer to another, both left.",
    ),
    (
        "Foreground and background",
        "Foreground frames are translated or encapsulated, background frames are native IPv6 (RFC 8219 §5.3).",
    ),
    (
        "Valid trial",
        "The Tester kept its schedule, sent all frames and dropped none itself. An invalid trial is neither a "
        "loss of the "
        "device nor a pass.",
    ),
    (
        "Limited by",
        "DUT: it lost frames at the next higher rate tried. Tester: the Tester could not do more. Highest rate asked: "
        "the search's upper bound passed. Lowest rate failed: the search's lower bound did not pass.",
    ),
)


_OF_CONNECTIONS = (
    (
        "Connection, four tuple",
        "RFC 9693 §3.1: what the device remembers of a flow: source address and port, destination address and port. N "
        "is the number of connections of an experiment.",
    ),
    (
        "Phase 1, phase 2",
        "RFC 9693 §4.1: in phase 1 the left side (the Initiator) opens N connections with one frame each; the right "
        "side (the Responder) learns how they are translated. In phase 2 frames of these connections go in any "
        "direction, and no new ones are opened. Each experiment begins with an empty table (§4.4).",
    ),
    (
        "Maximum connection establishment rate",
        "RFC 9693 §4.5: the fastest rate of phase 1 at which every frame comes through. With validation (§4.6): the "
        "fastest after which the Responder's frames, one on each connection at alpha times that rate, all come back.",
    ),
    (
        "Connection tear-down rate",
        "RFC 9693 §4.8: N / time that deleting the whole table takes. Less empty table: without what the same call "
        "takes for a table without entries.",
    ),
    (
        "Connection tracking table capacity",
        "RFC 9693 §4.9: the number of connections is doubled, then the distance halved, until the validated "
        "establishment rate tells how many fit, within E. The names C0, R0, CS, RS, CT, RT are the RFC's.",
    ),
    (
        "Relative scale-up",
        "draft-lencse-v6ops-transition-scalability: over connections P(ni) / P(n0), n0 being the smallest number; over "
        "CPU cores P(n) / (n P(1)). 1 is ideal.",
    ),
)


def section(evidence: Evidence) -> Section:
    """Always there; what concerns connections only for a stateful device."""
    terms = (*_DEFINITIONS, *_OF_CONNECTIONS) if evidence.stateful else _DEFINITIONS
    return Section("definitions", "Definitions", facts(terms), folded=True)
