"""What the RFCs of the technologies say about their tunnels, each in sections of its own."""

from __future__ import annotations

from dataclasses import dataclass, replace

from xlatperf.conformance.rule import Level, Says
from xlatperf.conformance.through import CLIENTS, Through
from xlatperf.conformance.transport import ECHO_REPLY

MUST, SHOULD, STATES = Level.MUST, Level.SHOULD, Level.STATES
UNCHANGED = Says("RFC 2473 §3.1", STATES)
"""The packet in the tunnel but for its TTL."""


_UNCHANGED = Through(UNCHANGED, UNCHANGED, UNCHANGED, UNCHANGED)


@dataclass(frozen=True)
class Standard:
    """Of one technology; `names`: its RFCs beside RFC 2473.

    `edge`: the device is a subscriber's own end, so that it's subscribers who send into the tunnel. `nat`: it is a
    NAT44 too, whose clients are on that side. `traffic_class`: that it's carried over; None: it may (RFC 2473 §6.4).
    `reassembly`: of a tunnel's fragments. `fragmentation`: of what is too large for the tunnel. `relay`: of errors
    from inside the tunnel. `spoofed`: a subscriber's source that isn't its own; None: it isn't looked at. `silently`:
    it must draw no error. `shared`: subscribers have ports, so that what has none is nobody's.
    """

    names: str
    traffic_class: Says | None
    reassembly: Says
    fragmentation: Says
    relay: Says
    into: Through = _UNCHANGED
    out: Through = _UNCHANGED
    spoofed: Says | None = None
    silently: bool = False
    shared: bool = True
    edge: bool = False
    nat: bool = False


_MAP_ICMP = Says("RFC 7597 §8.2", SHOULD)
_MAP_ECHO = Says("RFC 7597 §8.2", STATES)
_FROM_CLIENTS = replace(CLIENTS, header=UNCHANGED)
_TO_CLIENTS = replace(_FROM_CLIENTS, echoes=(ECHO_REPLY,))
"""What a NAT does."""
_DSLITE = Says("RFC 6333 §7.1", MUST)
"""Also "tunnelling MUST be done in accordance to RFC 2473"."""
_RELAY = Says("RFC 2473 §8", MUST)

MAP_E = Standard(
    names="RFC 7597",
    traffic_class=None,
    reassembly=Says("RFC 8200 §4.5", STATES),
    fragmentation=Says("RFC 7597 §8.3.1", STATES),
    relay=_MAP_ICMP,
    into=Through(UNCHANGED, Says("RFC 7597 §8.3.2", STATES), _MAP_ECHO, _MAP_ICMP),
    out=Through(UNCHANGED, UNCHANGED, _MAP_ECHO, _MAP_ICMP),
    spoofed=Says("RFC 7597 §8.1", MUST),
    silently=True,
)
"""RFC 7597, a border relay."""

MAP_E_CE = replace(MAP_E, spoofed=None, edge=True)
"""A CE without NAPT44: all that comes in its tunnel is from one address."""

MAP_E_NAT = replace(MAP_E_CE, into=_FROM_CLIENTS, out=_TO_CLIENTS, nat=True)
"""A CE with NAPT44, which does what RFC 5508 and RFC 4787 say (RFC 7597 §8.2)."""

LWAFTR = Standard(
    names="RFC 7596, RFC 6333",
    traffic_class=_DSLITE,
    reassembly=Says("RFC 6333 §6.3", MUST),
    fragmentation=Says("RFC 6333 §6.3", MUST),
    relay=_RELAY,
    into=Through(UNCHANGED, Says("RFC 7596 §6.2", STATES), Says("RFC 7596 §8.1", MUST), Says("RFC 7596 §8.1", MUST)),
    spoofed=Says("RFC 7596 §6.2", MUST),
)
"""RFC 7596, to which RFC 6333 §6.3 and §7.1 apply."""

B4 = Standard(
    names="RFC 6333",
    traffic_class=_DSLITE,
    reassembly=Says("RFC 6333 §5.3", MUST),
    fragmentation=Says("RFC 6333 §5.3", MUST),
    relay=_RELAY,
    shared=False,
    edge=True,
)
"""RFC 6333: it translates nothing."""

LWB4 = replace(B4, names=LWAFTR.names, shared=True)
"""RFC 7596, to which RFC 6333 §5.3 applies: without NAPT44 in it."""

LWB4_NAT = replace(LWB4, into=_FROM_CLIENTS, out=_TO_CLIENTS, nat=True)
"""The same with NAPT44."""

AFTR = replace(LWAFTR, names=B4.names, into=_TO_CLIENTS, out=_FROM_CLIENTS, spoofed=None, nat=True)
"""RFC 6333; as a NAT it does what RFC 4787 and RFC 5508 say (RFC 6333 §8.2)."""
