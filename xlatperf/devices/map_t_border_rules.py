"""Which CE of MAP-T's a packet is of: nftables' rules (nft(8)) beside a translator of addresses alone. Pure: no I/O.

Behind the shared address, each CE has an address of its own that only the kernel sees. Nothing is kept of a
connection; fragments are put together first, as only the first one has ports. The packet in an ICMP error keeps its
address: nftables has no words for its checksum.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Self

from xlatperf.devices.nft_ports import FROM, TO
from xlatperf.devices.shared_address import SharedAddress

Inside = Sequence[tuple[ipaddress.IPv4Address, SharedAddress]]
"""CEs, each with its own address."""


@dataclass(frozen=True)
class _PortBits:
    """Bits of a port that say whose it is, and the lowest port that somebody has (RFC 7597 §5.1)."""

    mask: int
    lowest: int

    @classmethod
    def of(cls, ports: Sequence[range]) -> Self:
        """By its ranges, which are alike: all are of one size, a power of 2."""
        offset = len(ports).bit_length() if len(ports) > 1 else 0
        return cls((1 << 16 - offset) - len(ports[0]), 1 << 16 - offset if offset else 0)

    def psid(self, ports: Sequence[range]) -> int:
        """Where it is in a port."""
        return ports[0].start & self.mask

    def chosen(self, packets: Sequence[tuple[str, str]], chains: Mapping[int, str]) -> Sequence[str]:
        """To the chain of the PSID."""
        targets = ", ".join(f"{psid} : jump {chain}" for psid, chain in sorted(chains.items()))
        least = f"{{port}} >= {self.lowest} " if self.lowest else ""
        return [
            f"{which} {least.format(port=port)}{port} & {self.mask} vmap {{ {targets} }}" for which, port in packets
        ]


def rules(each: Inside, inside: ipaddress.IPv4Network, *, check_ports: bool) -> str:
    """With `check_ports` a CE's packet needs a port of its own (RFC 7599 §8.3).

    `inside`: the network of all CEs' own addresses, which whatever translates has put in place of MAP addresses.
    """
    chains: list[str] = []
    destinations, sources = [], []
    for number, (bits, group) in enumerate(_groups(each)):
        name = f"rule{number}"
        first, last = group[0][0], group[-1][0]
        addresses = ", ".join(str(one) for one in dict.fromkeys(one.address for _, one in group))
        back = [(one.address, at, one) for at, one in group]
        chains += [*_chains(f"{name}to", "ip daddr", back, bits, TO)]
        destinations.append(f"ip daddr {{ {addresses} }} jump {name}to")
        forth = [(at, one.address, one) for at, one in group]
        chains += [*_chains(f"{name}from", "ip saddr", forth, bits if check_ports else None, FROM)]
        sources.append(f"ip saddr {first}-{last} jump {name}from")
    return f"""table ip border {{
    chain whole {{
        type filter hook prerouting priority raw;
        ct state invalid notrack
    }}
{"".join(chains)}{_chain("destination", ("type filter hook prerouting priority mangle;", *destinations))}{
        _chain("source", ("type filter hook postrouting priority mangle;", *sources, f"ip saddr {inside} drop"))
    }}}
"""


def _groups(each: Inside) -> Iterable[tuple[_PortBits | None, Inside]]:
    """Neighbours that have ports in the same way; None: each has an address alone."""
    for bits, group in groupby(each, lambda one: None if one[1].alone else _PortBits.of(one[1].ports)):
        yield bits, list(group)


def _chains(
    name: str,
    field: str,
    mapped: Sequence[tuple[ipaddress.IPv4Address, ipaddress.IPv4Address, SharedAddress]],
    bits: _PortBits | None,
    packets: Sequence[tuple[str, str]],
) -> Iterable[str]:
    """One with that name, which sets the field by address and PSID; before it those that it needs."""
    if bits is None:
        yield _chain(name, (_set(field, [(old, new) for old, new, _ in mapped]),))
        return
    by_psid: dict[int, list[tuple[ipaddress.IPv4Address, ipaddress.IPv4Address]]] = {}
    for old, new, one in mapped:
        by_psid.setdefault(bits.psid(one.ports), []).append((old, new))
    chains = {psid: f"{name}{psid}" for psid in by_psid}
    for psid, pairs in by_psid.items():
        yield _chain(chains[psid], (_set(field, pairs),))
    yield _chain(name, bits.chosen(packets, chains))


def _set(field: str, pairs: Sequence[tuple[ipaddress.IPv4Address, ipaddress.IPv4Address]]) -> str:
    elements = ", ".join(f"{old} : {new}" for old, new in pairs)
    return f"{field} set {field} map {{ {elements} }}"


def _chain(name: str, lines: Iterable[str]) -> str:
    return f"    chain {name} {{\n" + "".join(f"        {line}\n" for line in lines) + "    }\n"
