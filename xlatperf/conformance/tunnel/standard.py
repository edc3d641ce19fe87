"""What the RFCs of the technologies say about their tunnels, each in sections of its own."""

from __future__ import annotations

from dataclasses import dataclass

from xlatperf.conformance.rule import Level, Rule


@dataclass(frozen=True)
class Says:
    """Where, and how strongly."""

    section: str
    level: Level

    def rule(self, says: str) -> Rule:
        """A rule there."""
        return Rule(self.section, self.level, says)


@dataclass(frozen=True)
class Standard:
    """Of one technology.

    `traffic_class`: that it's carried over; None: it may (RFC 2473 §6.4). `reassembly`: of a tunnel's fragments.
    `fragmentation`: of what is too large for the tunnel. `parts`: fragments of IPv4 that are to go into the tunnel.
    `echo`: whose an echo is. `errors`: of ICMP. `relay`: of errors from inside the tunnel. `spoofed`: a subscriber's
    source that isn't its own; None: it isn't looked at. `silently`: it must draw no error. `shared`: subscribers have
    ports, so that what has none is nobody's.
    """

    traffic_class: Says | None
    reassembly: Says
    fragmentation: Says
    parts: Says
    echo: Says
    errors: Says
    relay: Says
    spoofed: Says | None = None
    silently: bool = False
    shared: bool = True


MUST, SHOULD, STATES = Level.MUST, Level.SHOULD, Level.STATES

MAP_E = Standard(
    traffic_class=None,
    reassembly=Says("RFC 8200 §4.5", STATES),
    fragmentation=Says("RFC 7597 §8.3.1", STATES),
    parts=Says("RFC 7597 §8.3.2", STATES),
    echo=Says("RFC 7597 §8.2", STATES),
    errors=Says("RFC 7597 §8.2", SHOULD),
    relay=Says("RFC 7597 §8.2", SHOULD),
    spoofed=Says("RFC 7597 §8.1", MUST),
    silently=True,
)
"""RFC 7597, border relay and CE."""

_DSLITE = Says("RFC 6333 §7.1", MUST)
"""Also "tunnelling MUST be done in accordance to RFC 2473"."""

LWAFTR = Standard(
    traffic_class=_DSLITE,
    reassembly=Says("RFC 6333 §6.3", MUST),
    fragmentation=Says("RFC 6333 §6.3", MUST),
    parts=Says("RFC 7596 §6.2", STATES),
    echo=Says("RFC 7596 §8.1", MUST),
    errors=Says("RFC 7596 §8.1", MUST),
    relay=Says("RFC 2473 §8", MUST),
    spoofed=Says("RFC 7596 §6.2", MUST),
)
"""RFC 7596, to which RFC 6333 §6.3 and §7.1 apply."""

LWB4 = Standard(
    traffic_class=_DSLITE,
    reassembly=Says("RFC 6333 §5.3", MUST),
    fragmentation=Says("RFC 6333 §5.3", MUST),
    parts=Says("RFC 2473 §3.1", STATES),
    echo=Says("RFC 2473 §3.1", STATES),
    errors=Says("RFC 2473 §3.1", STATES),
    relay=Says("RFC 2473 §8", MUST),
)
"""The same, without NAPT44 in it."""

B4 = Standard(
    traffic_class=_DSLITE,
    reassembly=LWB4.reassembly,
    fragmentation=LWB4.fragmentation,
    parts=LWB4.parts,
    echo=LWB4.echo,
    errors=LWB4.errors,
    relay=LWB4.relay,
    shared=False,
)
"""RFC 6333, a B4 that translates nothing."""
