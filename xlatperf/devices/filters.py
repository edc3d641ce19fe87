"""Filters of a kernel that forwards (RFC 2544 §11.4): nftables' rules that each forwarded packet is compared with."""

from __future__ import annotations

import ipaddress
from dataclasses import replace

from xlatperf.devices.assembled import Part
from xlatperf.devices.kernel_anywhere import KernelAnywhere
from xlatperf.keys.model import Whole, key
from xlatperf.lab.programs import NFT
from xlatperf.lab.remote.testbed import Needed
from xlatperf.lab.transport import Transport

MOST_FILTERS = 10_000
_NEVER = {
    "ip": ipaddress.ip_address("240.0.0.1"),  # RFC 1112 §4: reserved
    "ip6": ipaddress.ip_address("100::1"),  # RFC 6666: for packets that are discarded
}
"""Sources that no frame of the Tester has."""


class FilterKeys(KernelAnywhere):
    """Drivers of DUTs whose kernel may filter what it forwards."""

    filters: Whole = key(
        0,
        "number of filters that each forwarded packet passes, one after the other: all but the last are for sources "
        "that don't occur, the last one lets the rest pass; 0: none",
        ge=0,
        le=MOST_FILTERS,
        source="RFC 2544 §11.4: none, then 1, then 25",
    )

    def needed_there(self) -> Needed:
        """Also what sets filters."""
        needed = super().needed_there()
        if not self.filters or NFT in needed.programs:
            return needed
        return replace(needed, programs=(*needed.programs, NFT))

    def filters_on(self, device: Transport) -> tuple[Part, ...]:
        """The part that sets them, if any are wanted."""
        return (Filters(self.filters, device),) if self.filters else ()


class Filters(Part):
    """They are gone with the testbed."""

    def __init__(self, count: int, device: Transport) -> None:
        self._count = count
        self._device = device

    def make(self) -> None:
        """Raises LabError."""
        self._device.run(("nft", "-f", "-"), text=rules(self._count))

    def facts(self) -> dict[str, str]:
        """How many there are, and of what kind."""
        said = f"accept everything, behind {self._count - 1:,} that drop sources which don't occur"
        return {"filters": f"{self._count:,} of nftables, each for IPv4 and IPv6: {said}"}


def rules(count: int) -> str:
    """nftables' text of so many filters in each family; `count`: 1 or more. Pure."""
    return "".join(_table(family, count) for family in _NEVER)


def _table(family: str, count: int) -> str:
    first = _NEVER[family]
    never = "".join(f"        {family} saddr {first + number} drop\n" for number in range(count - 1))
    return f"""table {family} xlatperf-filters {{
    chain forward {{
        type filter hook forward priority filter; policy drop;
{never}        accept
    }}
}}
"""
