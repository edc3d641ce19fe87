"""What drivers have in common of which Jool's NAT64 is a part."""

from __future__ import annotations

import ipaddress
from collections.abc import Iterator, Mapping
from typing import Any

from xlatperf.devices.jool_instance import NAT64, JoolInstance
from xlatperf.devices.kernel_dut import RouterDriver
from xlatperf.devices.nft_ruleset import refuse_port_set
from xlatperf.keys.model import Truth, Whole, key
from xlatperf.lab.transport import Transport

_PROTOCOLS = ("udp", "tcp", "icmp")
_LONGEST_S = 86400


class JoolNat64Keys(RouterDriver):
    """Jool's timeout of UDP, and what is done about its checksums."""

    udp_timeout_s: Whole = key(
        300,
        "how long a session stays without packets",
        ge=120,
        le=_LONGEST_S,
        source="RFC 6146 §4: UDP_MIN 2 minutes, UDP_DEFAULT 5",
    )

    mend_udp_checksum: Truth = key(
        True,
        "Jool 4.1.9 sends one in about 65,000 IPv6 packets with UDP checksum 0, where 0xffff has to be: a rule of "
        "nftables behind it puts that right; false leaves it",
        source="RFC 8200 §8.1",
    )

    def nat64(self, device: Transport, prefix: str, pool: Mapping[str, Any]) -> JoolInstance:
        """An instance there, with the technology's prefix and pool."""
        settings = [*_pool(pool), ("global", "update", "udp-timeout", str(self.udp_timeout_s))]
        return JoolInstance(NAT64, device, prefix, settings, mend=self.mend_udp_checksum, pool=_networks(pool))


def _networks(pool: Mapping[str, Any]) -> list[ipaddress.IPv4Network]:
    first = ipaddress.IPv4Address(pool["first"])
    return list(ipaddress.summarize_address_range(first, first + (pool["addresses"] - 1)))


def _pool(pool: Mapping[str, Any]) -> Iterator[tuple[str, ...]]:
    """Its networks, with the ports of each protocol: pool4. Raises DeviceError."""
    refuse_port_set(pool)
    ports = f"{pool['first_port']}-{pool['last_port']}"
    for network in _networks(pool):
        for protocol in _PROTOCOLS:
            yield "pool4", "add", f"--{protocol}", str(network), ports, "--force"
