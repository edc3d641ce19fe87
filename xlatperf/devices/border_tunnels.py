"""Tunnels to CEs or lwB4s, and which packet goes into which: a border relay (RFC 7597) or lwAFTR (RFC 7596).

Nothing is kept of a connection. Fragments are put together first, as only the first one has ports.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from xlatperf.devices.nft_ports import FROM, TO, matches, ranges
from xlatperf.devices.shared_address import SharedAddress
from xlatperf.lab.machine.ip6_tunnels import Tunnel

_PREFIX = "sub-"


@dataclass(frozen=True)
class Subscriber:
    """A CE or an lwB4, and this end of its tunnel."""

    border: str
    has: SharedAddress


def tunnels(of: Sequence[Subscriber]) -> Sequence[Tunnel]:
    """To each."""
    return [Tunnel(_name(number), one.border, str(one.has.tunnel)) for number, one in enumerate(of, 1)]


def homes(of: Sequence[Subscriber]) -> Mapping[str, str]:
    """Addresses, and the tunnel to the first who has each: without a route the kernel tells subscribers of no error."""
    found: dict[str, str] = {}
    for number, one in enumerate(of, 1):
        found.setdefault(str(one.has.address), _name(number))
    return found


def rules(of: Sequence[Subscriber]) -> str:
    """nftables' (nft(8)): the mark of a tunnel for what is for its subscriber, and no source but its own.

    RFC 7597 §8.1, RFC 7596 §6.2; of ICMP its identifier and the packet in an error (RFC 7597 §8.2, RFC 7596 §8.1), also
    of the device's own. What has an address' route (`homes`) and nobody's port is dropped.
    """
    numbered = list(enumerate(of, 1))
    ports = [
        f"{one.has.address} . {ports} : {number}"
        for number, one in numbered
        if not one.has.alone
        for ports in ranges(one.has.ports)
    ]
    marks = "".join(f"        {line}\n" for number, one in numbered for line in _to(number, one))
    by_port = f"        meta l4proto {{ tcp, udp }} meta mark set ip daddr . th dport map {{ {', '.join(ports)} }}\n"
    jumps = ", ".join(f'"{_name(number)}" : jump from{number}' for number, _ in numbered)
    return f"""table ip border {{
    chain whole {{
        type filter hook prerouting priority raw;
        ct state invalid notrack
    }}
    chain marks {{
{by_port if ports else ""}{marks}    }}
    chain arriving {{
        type filter hook prerouting priority mangle;
        jump marks
    }}
    chain own {{
        type route hook output priority mangle;
        jump marks
    }}
{"".join(_from(number, one) for number, one in numbered)}    chain sources {{
        type filter hook forward priority filter;
        iifname vmap {{ {jumps} }}
        oifname "{_PREFIX}*" meta mark 0 drop
    }}
}}
"""


def _to(number: int, one: Subscriber) -> Sequence[str]:
    mark, address = f"meta mark set {number}", f"ip daddr {one.has.address}"
    if one.has.alone:
        return (f"{address} {mark}",)
    return [f"{address} {matched} {mark}" for matched in matches(TO[1:], one.has.ports)]


def _from(number: int, one: Subscriber) -> str:
    allowed = (*(f"{matched} return" for matched in matches(FROM, one.has.ports)), "drop")
    lines = (f"ip saddr != {one.has.address} drop", *(() if one.has.alone else allowed))
    return f"    chain from{number} {{\n" + "".join(f"        {line}\n" for line in lines) + "    }\n"


def _name(number: int) -> str:
    return f"{_PREFIX}{number}"
