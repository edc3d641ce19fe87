"""Addresses of one side of which a part varies."""

from __future__ import annotations

import ipaddress
from dataclasses import dataclass

Address = ipaddress.IPv4Address | ipaddress.IPv6Address
MOST_NETWORKS = 256


@dataclass(frozen=True)
class Varying:
    """Addresses of one side. `bits`: of the part that varies, at `shift`; 0: there is one, `base`.

    `one_by_one`: each needs a mapping of its own, so no more can be taken than a bench file may have of these.
    """

    base: Address
    count: int = 1
    bits: int = 0
    shift: int = 0
    low: int = 0
    one_by_one: bool = False

    def address(self, index: int) -> Address:
        """`index`: from 0 to count - 1."""
        if not self.bits:
            return self.base
        cleared = int(self.base) & ~((1 << self.bits) - 1 << self.shift)
        number = cleared | self.low + index << self.shift
        return ipaddress.IPv4Address(number) if self.base.version == 4 else ipaddress.IPv6Address(number)

    @property
    def in_one_network(self) -> bool:
        """Whether they are hosts of one network, and too many to have one each."""
        return self.bits > 0 and not self.shift and self.count > MOST_NETWORKS and not self.one_by_one

    @property
    def last(self) -> Address:
        """The highest."""
        return self.address(self.count - 1)
