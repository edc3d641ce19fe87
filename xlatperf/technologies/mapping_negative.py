"""What MAP-E and MAP-T must refuse (RFC 7597 §8.1, RFC 7599 §8): bits of right frames that are changed for it."""

from __future__ import annotations

import ipaddress
from collections.abc import Sequence
from dataclasses import dataclass

from xlatperf.engine.message import DirectionName
from xlatperf.procedures.alteration import Change, HeaderField
from xlatperf.procedures.negative import NegativeTest


@dataclass(frozen=True)
class RuleBits:
    """Where the bits of a mapping rule are (RFC 7597 §5.1, §5.2). All are lengths in bits.

    `draft_03`: the IPv4 address and the PSID are 8 bits further left in the interface identifier.
    """

    ipv6_prefix: int
    ipv4_prefix: int
    ea: int
    psid_offset: int
    provisioned_psid: int = 0
    draft_03: bool = False

    @property
    def psid_in_ea(self) -> int:
        """The part of the EA bits behind the IPv4 suffix."""
        return max(0, self.ea - (32 - self.ipv4_prefix))

    @property
    def psid(self) -> int:
        """The PSID; 0: nobody shares addresses."""
        return self.psid_in_ea or self.provisioned_psid

    @property
    def ports(self) -> int:
        """How many a CE has of an address (RFC 7597 App. B); port 0 is none (RFC 768), and may be one of them."""
        if not self.psid:
            return 65535
        in_a_row = 1 << max(0, 16 - self.psid - self.psid_offset)
        return ((1 << self.psid_offset) - 1) * in_a_row if self.psid_offset else max(1, in_a_row - 1)

    @property
    def host(self) -> int:
        """What is behind the prefix of a CE with several addresses."""
        return max(0, 32 - self.ipv4_prefix - self.ea)

    def another_port(self, field: HeaderField) -> Change | None:
        """A port of the next PSID: its lowest bit."""
        return Change(field, flip=1 << (16 - self.psid_offset - self.psid)) if self.psid else None

    def excluded_port(self, field: HeaderField) -> Change | None:
        """A port with this PSID, but A = 0: in nobody's set (RFC 7597 §5.1)."""
        return Change(field, keep=(1 << (16 - self.psid_offset)) - 1) if self.psid and self.psid_offset else None

    def another_address(self, field: HeaderField) -> Change | None:
        """The IPv4 address, or prefix, of the next one."""
        return Change(field, flip=1 << self.host) if self.host < 32 else None

    def another_ea(self, field: HeaderField) -> Change | None:
        """The lowest of the EA bits, in a MAP address."""
        return Change(field, flip=1 << (128 - self.ipv6_prefix - self.ea)) if self.ea else None

    def another_identifier(self, field: HeaderField) -> Change | None:
        """The last of the zero bits before the IPv4 address in a MAP address (RFC 7597 §6)."""
        return Change(field, flip=1 << (56 if self.draft_03 else 48)) if self.ipv6_prefix + self.ea <= 64 else None


WHAT = {
    "source_port": "from a port of another CE",
    "source_port_0": "from a port that no CE has",
    "source_address": "from the IPv4 address of another CE",
    "ea_bits": "from the IPv6 address of another CE, its interface identifier apart",
    "interface_identifier": "with an interface identifier that no CE has",
    "border_relay": "with another IPv6 address than the border relay's",
    "dmr": "with an IPv6 address that isn't under the default mapping rule's prefix",
    "stranger": "from an IPv6 address that is neither a CE's nor the border relay's",
    "sender_port": "from a port that isn't the sending CE's",
    "sender_address": "from an IPv4 address that isn't the sending CE's",
    "sender_ea_bits": "from the IPv6 address of another CE than the sending one, its interface identifier apart",
    "sender_identifier": "from an interface identifier that no CE has",
    "destination_address": "to the IPv4 address of another CE",
    "destination_port": "to a port of another CE",
    "destination_port_0": "to a port that no CE has",
    "nobodys_port": "to a port that no CE has",
}


_NO_PSID = "in this domain no CE shares its address"
_NO_EXCLUDED = "by this rule each port is a CE's"
_IMPOSSIBLE = {
    "source_port": _NO_PSID,
    "destination_port": _NO_PSID,
    "source_port_0": _NO_EXCLUDED,
    "nobodys_port": _NO_EXCLUDED,
    "destination_port_0": _NO_EXCLUDED,
    "sender_port": _NO_PSID,
    "sender_address": "this rule has all IPv4 addresses",
    "sender_ea_bits": "this rule has one CE",
    "sender_identifier": "this rule's prefixes take bits of the interface identifier",
    "source_address": "this rule has all IPv4 addresses",
    "destination_address": "this rule has all IPv4 addresses",
    "ea_bits": "this rule has one CE",
    "interface_identifier": "this rule's prefixes take bits of the interface identifier",
}
"""Why a rule may not have the bits."""


@dataclass(frozen=True)
class Refusal:
    """A negative test of any domain; without a change its rule hasn't the bits for it. See NegativeTest."""

    name: str
    direction: DirectionName
    basis: str
    must: bool
    change: Change | None
    routable: bool = False

    def test(self, part: int | None, of: str = "") -> NegativeTest:
        """Of one domain."""
        return NegativeTest(
            self.name,
            WHAT[self.name],
            self.basis,
            self.must,
            self.direction,
            () if self.change is None else (self.change,),
            part,
            of=of,
            routable=self.routable,
            impossible="" if self.change is not None else _IMPOSSIBLE[self.name],
        )


STRANGER = 1 << 127
"""The bit of an address that puts it into the other half of the address space, where nobody is (RFC 4291 §2.4)."""


def another_of(prefix: str, all_of_them: Sequence[str], least_bit: int = 0) -> int:
    """The lowest bit of a prefix, from `least_bit` on, by which it can be told from all of them."""
    known = [int(ipaddress.IPv6Network(one, strict=False).network_address) for one in all_of_them]
    network = ipaddress.IPv6Network(prefix, strict=False)
    own = int(network.network_address)
    return next(1 << bit for bit in range(max(128 - network.prefixlen, least_bit), 128) if own ^ 1 << bit not in known)
