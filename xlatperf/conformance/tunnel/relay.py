"""Errors that a router inside the tunnel sends to its beginning: told to the packet's source (RFC 2473 §8.3)."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial

from xlatperf.conformance.came import Came
from xlatperf.conformance.nesting import quoted
from xlatperf.conformance.packet import ICMPV6, Ipv4, Ipv6
from xlatperf.conformance.probe import Probe, describe, dropped, kept
from xlatperf.conformance.rule import Finding, Level, Rule, Says, Verdict
from xlatperf.conformance.transport import icmp, icmp_error
from xlatperf.conformance.tunnel.ends import TunnelEnds, TunnelMake
from xlatperf.conformance.tunnel.standard import Standard

_MTU, _HEADER = 1492, 40
_LARGE = 1500 - _HEADER - 28
_QUOTED = 1280 - _HEADER - 8
"""Bytes of data of a packet that is too big; of a packet in an error (RFC 4443 §2.4 c)."""
_UNREACHABLE, _TOO_BIG, _TIME_EXCEEDED = 1, 2, 3


def _error(ends: TunnelEnds, kind: tuple[int, int], rest: bytes, *, dont_fragment: bool) -> tuple[Ipv6, Ipv4]:
    """What a router says of a packet that the device has sent into the tunnel; and that packet, as it went in."""
    inner = ends.ipv4(ends.back().udp(_LARGE if kind[0] == _TOO_BIG else 18, dont_fragment=dont_fragment))
    about = ends.outer.back().around(bytes(inner))
    source, destination = ends.outer.router, about.source
    return Ipv6(source, destination, ICMPV6, icmp(source, destination, kind, rest, bytes(about)[:_QUOTED])), inner


def _relayed(ends: TunnelEnds, says: Says, kind: tuple[int, int], to: tuple[int, int], name: str) -> Probe:
    """`to`: ICMP's type and code."""
    rest, must = (_MTU, _MTU - _HEADER) if kind[0] == _TOO_BIG else (0, 0)
    packet, inner = _error(ends, kind, rest.to_bytes(4, "big"), dont_fragment=True)
    mtu = f", the MTU less {_HEADER}" if must else ""
    rule = says.rule(f"from inside the tunnel: {name} is told as ICMP {to[0]}/{to[1]}{mtu}")

    def judge(came: Came) -> Iterable[Finding]:
        seen = icmp_error(came.far[0]) if len(came.far) == 1 and isinstance(came.far[0], Ipv4) else None
        if seen is None:
            text = ", ".join(describe(one) for one in came.far) or came.instead()
            yield Finding(rule, Verdict.NOT_KEPT, text)
            return
        about, known = quoted(came.far[0]), ends.about(inner)
        texts = []
        if seen[:2] != to:
            texts.append(f"ICMP {seen[0]}/{seen[1]}")
        elif must and int.from_bytes(seen[2][2:], "big") != must:
            texts.append(f"an MTU of {int.from_bytes(seen[2][2:], 'big')}, must be {must}")
        if came.far[0].destination != known.source:
            texts.append(f"to {came.far[0].destination}, must be to {known.source}")
        if about is None or (about.source, about.destination) != (known.source, known.destination):
            texts.append("not about the packet in the tunnel")
        yield kept(rule, not texts, "; ".join(texts))

    return Probe((packet,), (rule,), judge, answered=True)


def _too_big_without_df(ends: TunnelEnds) -> Probe:
    packet, _ = _error(ends, (_TOO_BIG, 0), _MTU.to_bytes(4, "big"), dont_fragment=False)
    says = "from inside the tunnel: packet too big (2/0) about a packet with DF 0 isn't told"
    return dropped((packet,), Rule("RFC 2473 §8.3", Level.STATES, says))


def relay_rules(standard: Standard) -> tuple[TunnelMake, ...]:
    """What is sent to the tunnel's beginning. The last ones may make a device remember a path MTU."""
    relayed = partial(_relayed, says=standard.relay)
    return (
        partial(relayed, kind=(_UNREACHABLE, 0), to=(3, 1), name="no route (1/0)"),
        partial(relayed, kind=(_UNREACHABLE, 3), to=(3, 1), name="address unreachable (1/3)"),
        partial(relayed, kind=(_TIME_EXCEEDED, 0), to=(3, 1), name="hop limit exceeded (3/0)"),
        _too_big_without_df,
        partial(relayed, kind=(_TOO_BIG, 0), to=(3, 4), name="packet too big (2/0)"),
    )
