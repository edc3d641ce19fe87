"""What the RFCs say of stateful translators, each in sections of its own."""

from __future__ import annotations

from dataclasses import dataclass

from xlatperf.conformance.rule import Level, Says

MUST, SHOULD, STATES = Level.MUST, Level.SHOULD, Level.STATES


@dataclass(frozen=True)
class Standard:
    """Of UDP unless said otherwise.

    `pool`: whose addresses and ports clients get; `apart`: no two the same; `paired`: one address for all of a client;
    `port_range`: below 1024, or not; `parity`. `one_mapping`: whatever a client sends to. `unmapped`: what comes to
    nobody; `told`: that its sender is told, None: it isn't looked at. `filtering`: of another host; `by_ports`: of
    the server's other ports too, as the device decides. `no_syn`: a client's segment of no connection; None: the
    device decides. `strange`: an error about no session, from outside and from a client; `names`: what both are
    called. `stays`: a mapping, in spite of errors.
    """

    pool: Says
    pool_of_tcp: Says
    apart: Says
    paired: Says
    port_range: Says
    parity: Says
    one_mapping: Says
    one_mapping_of_tcp: Says
    one_mapping_of_queries: Says
    unmapped: Says
    told: Says | None
    filtering: Says
    by_ports: bool
    hairpinning: Says
    hairpinning_of_tcp: Says
    handshake: Says
    no_syn: Says | None
    tcp_from_outside: Says
    query: Says
    query_from_outside: Says
    strange: tuple[Says, Says]
    stays: Says
    names: tuple[str, str]


_ALLOCATION, _SESSION = "RFC 6146 §3.5.1.1", Says("RFC 6146 §3.5.1", MUST)
_STATES_OF_TCP = "RFC 6146 §3.5.2.2"
_TUPLE = Says("RFC 6146 §3.4", STATES)
_ICMP_STAYS = Says("RFC 4787 §9", MUST)

NAT64 = Standard(
    pool=Says(_ALLOCATION, MUST),
    pool_of_tcp=Says("RFC 6146 §3.5.2.3", MUST),
    apart=Says(_ALLOCATION, MUST),
    paired=Says(_ALLOCATION, SHOULD),
    port_range=Says(_ALLOCATION, SHOULD),
    parity=Says(_ALLOCATION, SHOULD),
    one_mapping=_SESSION,
    one_mapping_of_tcp=Says("RFC 6146 §3.5.2", MUST),
    one_mapping_of_queries=Says("RFC 6146 §3.5.3", MUST),
    unmapped=_SESSION,
    told=Says("RFC 6146 §3.5.1", SHOULD),
    filtering=Says("RFC 6146 §3.5.1", STATES),
    by_ports=False,
    hairpinning=Says("RFC 6146 §3.8", MUST),
    hairpinning_of_tcp=Says("RFC 6146 §3.8", MUST),
    handshake=Says(_STATES_OF_TCP, MUST),
    no_syn=Says(_STATES_OF_TCP, STATES),
    tcp_from_outside=Says(_STATES_OF_TCP, STATES),
    query=Says("RFC 6146 §3.5.3", MUST),
    query_from_outside=Says("RFC 6146 §3.5.3", STATES),
    strange=(_TUPLE, _TUPLE),
    stays=_ICMP_STAYS,
    names=("an ICMP error", "an ICMPv6 error"),
)
"""RFC 6146: by ports too would be RFC 4787 §5, and isn't in it."""

_ASSIGNMENT = "RFC 4787 §4.2"
_TRADITIONAL = Says("RFC 3022 §2.2", STATES)

NAT44 = Standard(
    pool=_TRADITIONAL,
    pool_of_tcp=_TRADITIONAL,
    apart=Says(f"{_ASSIGNMENT}.1", MUST),
    paired=Says("RFC 4787 §4.1", SHOULD),
    port_range=Says(f"{_ASSIGNMENT}.1", SHOULD),
    parity=Says(f"{_ASSIGNMENT}.2", SHOULD),
    one_mapping=Says("RFC 4787 §4.1", MUST),
    one_mapping_of_tcp=Says("RFC 5382 §4.1", MUST),
    one_mapping_of_queries=Says("RFC 5508 §3.1", SHOULD),
    unmapped=Says("RFC 4787 §5", STATES),
    told=None,
    filtering=Says("RFC 4787 §5", STATES),
    by_ports=True,
    hairpinning=Says("RFC 4787 §6", MUST),
    hairpinning_of_tcp=Says("RFC 5382 §7.2", MUST),
    handshake=Says("RFC 5382 §4.2", MUST),
    no_syn=None,
    tcp_from_outside=Says("RFC 5382 §4.3", STATES),
    query=Says("RFC 5508 §3.1", MUST),
    query_from_outside=Says("RFC 5508 §3.1", STATES),
    strange=(Says("RFC 5508 §4.2", SHOULD), Says("RFC 5508 §4.2", SHOULD)),
    stays=_ICMP_STAYS,
    names=("from outside an ICMP error", "from a client an ICMP error"),
)
"""RFC 4787 (REQ-1 to 4, 8, 9, 12), RFC 5382 (REQ-1, 2, 8) and RFC 5508 (REQ-1, 4, 5), on RFC 3022."""
