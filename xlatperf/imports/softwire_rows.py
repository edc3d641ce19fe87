"""Softwires of an imported file, as the rows of `technology.softwires.table` (RFC 7596 §6.1)."""

from __future__ import annotations

import bisect
import ipaddress
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from xlatperf.devices.binding_formats import Row
from xlatperf.keys.not_allowed import refuse


@dataclass(frozen=True)
class PortSet:
    """How an address is shared."""

    psid_length: int
    psid_offset: int = 0


@dataclass(frozen=True)
class Softwire:
    """`line`: where it stands."""

    b4: ipaddress.IPv6Address
    ipv4: ipaddress.IPv4Address
    psid: int
    port_set: PortSet
    lwaftr: ipaddress.IPv6Address
    line: int


@dataclass(frozen=True)
class SharedAddresses:
    """A range of public addresses with one way of sharing."""

    first: ipaddress.IPv4Address
    last: ipaddress.IPv4Address
    port_set: PortSet


def port_set(length: int, offset: int, place: str) -> PortSet:
    """Raises ValueError where port numbers haven't so many bits."""
    if length + offset > 16:
        refuse(place, length, f"with {offset} bits before the PSID at most {16 - offset}")
    return PortSet(length, offset)


class Sharing:
    """How addresses are shared; their ranges are disjoint."""

    def __init__(self, ranges: Iterable[SharedAddresses]) -> None:
        self._ranges = sorted(ranges, key=lambda one: one.first)
        self._firsts = [one.first for one in self._ranges]

    def of(self, address: ipaddress.IPv4Address, place: str) -> PortSet:
        """Raises ValueError where no range has it."""
        index = bisect.bisect_right(self._firsts, address) - 1
        if index < 0 or address > self._ranges[index].last:
            raise ValueError(f"{place}: missing: none has {address}")
        return self._ranges[index].port_set


def rows_of(softwires: Iterable[Softwire]) -> Iterator[Row]:
    """Raises ValueError."""
    for one in softwires:
        offset, length = one.port_set.psid_offset, one.port_set.psid_length
        if one.psid >> length:
            refuse(f"line {one.line}: psid", one.psid, f"0 to {(1 << length) - 1}")
        yield Row(str(one.b4), str(one.ipv4), str(offset), str(length), str(one.psid), str(one.lwaftr))
