"""RFC 7915 §4.2: "fragmentation needed" of a router that doesn't tell its MTU, which is guessed (RFC 1191 §7.1)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from xlatperf.conformance.came import Came
from xlatperf.conformance.ends import Ends
from xlatperf.conformance.packet import Ipv4
from xlatperf.conformance.probe import Probe, kept
from xlatperf.conformance.rfc7915.icmp_messages import inner
from xlatperf.conformance.rule import Finding, Level, Rule, Verdict
from xlatperf.conformance.transport import icmp_error

_LENGTH, _PLATEAU, _LINK = 1500, 1492, 1500
"""Of the packet that was too big; the greatest plateau below; what the IPv6 link takes."""


def unknown_mtu(ends: Ends) -> Probe:
    """Of the packet only as much is in the error as a router must send."""
    about = inner(ends)
    long = replace(about, total_length=_LENGTH) if isinstance(about, Ipv4) else about
    packet = ends.error((3, 4), long)
    says = "fragmentation needed (3/4) to 2/0: without an MTU, by the plateau below (RFC 1191)"
    rule = Rule("RFC 7915 §4.2", Level.MUST, says)
    rights = {_PLATEAU, min(_PLATEAU + 20, _LINK)}

    def judge(came: Came) -> Iterable[Finding]:
        seen = icmp_error(came.far[0]) if len(came.far) == 1 else None
        if seen is None or seen[:2] != (2, 0):
            yield Finding(rule, Verdict.NOT_KEPT, came.instead() if seen is None else f"ICMPv6 {seen[0]}/{seen[1]}")
            return
        told = int.from_bytes(seen[2], "big")
        wanted = f"{_PLATEAU}, or {max(rights)} as it is 20 more"
        yield kept(rule, told in rights, f"it tells {told}, must be {wanted}")

    return Probe((packet,), (rule,), judge)
