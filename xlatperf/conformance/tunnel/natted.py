"""A tunnel's end that is a NAT44 too: AFTR (RFC 6333), CE (RFC 7597), lwB4 (RFC 7596)."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace

from xlatperf.conformance.exchange import Way
from xlatperf.conformance.nat44.ends import ClientEnds
from xlatperf.conformance.tunnel.ends import TunnelEnds


@dataclass(frozen=True, kw_only=True)
class NattedEnds(TunnelEnds, ClientEnds):
    """Of packets in a tunnel on one side of the NAT."""


def natted(into: Way, out_of: Way, *, edge: bool) -> tuple[Way, Way]:
    """Two ways through a tunnel's end as those of a NAT, of the client of the way that goes out.

    `edge`: clients are on the side that isn't the tunnel's (CE, lwB4), else in it (AFTR).
    """
    out, back = (into, out_of) if edge else (out_of, into)
    ends, peer = _tunnel(out), _tunnel(back)
    outer = replace(ends.outer.back(), hop_limit=peer.outer.hop_limit)
    out = replace(out, ends=_as_natted(ends, outward=True))
    back = replace(back, ends=replace(_as_natted(peer, outward=False), outer=outer))
    return (out, back) if edge else (back, out)


def _as_natted(ends: TunnelEnds, *, outward: bool) -> NattedEnds:
    return NattedEnds(**{one.name: getattr(ends, one.name) for one in fields(ends)}, outward=outward)


def _tunnel(way: Way) -> TunnelEnds:
    if not isinstance(way.ends, TunnelEnds):
        raise TypeError("not a tunnel's")
    return way.ends
