"""The mapping of RFC 7597 §5 and §6 with ipaddress and bits as text: who a MAP address belongs to."""

from __future__ import annotations

from dataclasses import dataclass
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network


@dataclass(frozen=True)
class Rule:
    """A Basic Mapping Rule, whose end-user prefixes are at most 64 bits long."""

    ipv6: IPv6Network
    ipv4: IPv4Network
    ea_bits: int
    psid_offset: int
    draft_03: bool = False
    """Interface identifiers of draft-ietf-softwire-map-03: the IPv4 address and the PSID are between 8 zero bits."""

    @property
    def psid_length(self) -> int:
        """RFC 7597 §5.2: what of the EA bits isn't part of the IPv4 address."""
        return max(0, self.ea_bits - (32 - self.ipv4.prefixlen))

    def possible(self) -> bool:
        """RFC 7597 §5.1, §5.2."""
        return self.psid_offset + self.psid_length <= 16 and self.ipv6.prefixlen + self.ea_bits <= 64

    def message(self) -> dict[str, object]:
        """As the engine wants it."""
        return {
            "ipv6": str(self.ipv6),
            "ipv4": str(self.ipv4),
            "ea_bits": self.ea_bits,
            "psid_offset": self.psid_offset,
            "interface_identifier": "draft-03" if self.draft_03 else "rfc7597",
        }

    def map_address(self, address: IPv4Address, port: int, *, padded: bool) -> IPv6Address:
        """The IPv6 address of who uses this address and port; `padded`: with the IPv4 prefix, not the whole address."""
        port_bits = f"{port:016b}"
        psid = port_bits[self.psid_offset : self.psid_offset + self.psid_length]
        suffix = f"{int(address):032b}"[self.ipv4.prefixlen :][: self.ea_bits]
        ours = f"{int(address):032b}"[: self.ipv4.prefixlen] + suffix
        prefix = f"{int(self.ipv6.network_address):0128b}"[: self.ipv6.prefixlen] + suffix + psid
        whole = ours.ljust(32, "0") if padded else f"{int(address):032b}"
        own = whole + psid.rjust(16, "0")
        return IPv6Address(
            int(prefix.ljust(64, "0") + (8 * "0" + own + 8 * "0" if self.draft_03 else 16 * "0" + own), 2)
        )

    def allows(self, port: int) -> bool:
        """RFC 7597 §5.1: A = 0 belongs to nobody who shares an address."""
        return not self.psid_length or not self.psid_offset or port >> (16 - self.psid_offset) > 0
