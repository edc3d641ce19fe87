"""lwB4s with several softwires (RFC 7596 §6.1): which changes of their frames lead to no other one of their own."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

Shape = tuple[int, int]
"""Offset and length of the PSID."""


class OwnSoftwire(NamedTuple):
    """`lwb4`: whose it is."""

    lwb4: bytes
    ipv4: int
    shape: Shape
    psid: int


@dataclass(frozen=True)
class OwnSoftwires:
    """`senders`: softwires of lwB4s that have several. `psids`: of an lwB4 and an address that it has, length and PSID
    of each softwire; `around`: of each length that a table has, PSIDs of which a softwire has a part.
    """

    senders: tuple[OwnSoftwire, ...] = ()
    psids: Mapping[tuple[bytes, int], set[tuple[int, int]]] = field(default_factory=dict)
    around: Mapping[tuple[bytes, int], set[tuple[int, int]]] = field(default_factory=dict)

    @classmethod
    def of(cls, softwires: Iterable[OwnSoftwire], lengths: Iterable[int], only: OwnSoftwire | None) -> OwnSoftwires:
        """`lengths`: of all PSIDs. `only`: who alone sends."""
        known, senders = set(lengths), tuple(softwires)
        psids: dict[tuple[bytes, int], set[tuple[int, int]]] = defaultdict(set)
        around: dict[tuple[bytes, int], set[tuple[int, int]]] = defaultdict(set)
        for one in senders:
            length = one.shape[1]
            psids[one.lwb4, one.ipv4].add((length, one.psid))
            around[one.lwb4, one.ipv4] |= {(few, one.psid >> (length - few)) for few in known if few < length}
        return cls(senders if only is None else tuple(one for one in senders if one == only), psids, around)

    def psid_flip(self, shape: Shape) -> int | None:
        """Bits of the PSID, of as few as possible the lowest; None: none of them is nobody's or another lwB4's."""
        own = [one for one in self.senders if one.shape == shape]
        few_first = sorted(range(1, 1 << shape[1]), key=lambda flip: (flip.bit_count(), flip)) if own else [1]
        return next((flip for flip in few_first if not any(self._has(one, one.psid ^ flip) for one in own)), None)

    def address_flip(self) -> int | None:
        """The lowest bit that makes of each sender's IPv4 address one that the same lwB4 hasn't; None: none does."""
        for bit in (1 << bit for bit in range(32)):
            if not any((one.lwb4, one.ipv4 ^ bit) in self.psids for one in self.senders):
                return bit
        return None

    def _has(self, one: OwnSoftwire, psid: int) -> bool:
        """Whether its lwB4 has any of the ports that this PSID has on the same address."""
        length = one.shape[1]
        at = (one.lwb4, one.ipv4)
        wider = any((few, psid >> (length - few)) in self.psids[at] for few in range(length + 1))
        return wider or (length, psid) in self.around[at]
