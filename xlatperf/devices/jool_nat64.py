"""Jool's stateful NAT64 (RFC 6146) in the kernel of a virtual machine."""

from __future__ import annotations

import ipaddress
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from typing import Any, ClassVar, Literal

from xlatperf.devices.device import Device, Plan
from xlatperf.devices.driver import driver_key
from xlatperf.devices.jool_instance import NAT64, JoolInstance, needed_for
from xlatperf.devices.machine_anywhere import MachineAnywhere
from xlatperf.keys.model import Whole, key
from xlatperf.lab.remote.testbed import Needed

_PROTOCOLS = ("udp", "tcp", "icmp")
_LONGEST_S = 86400


class JoolNat64(MachineAnywhere):
    """An instance of Jool that sees all packets (netfilter). It decrements the hop limit once."""

    label = "Jool NAT64"
    version_fact = "jool"
    what = "Jool's stateful translator in a virtual machine"
    technology: ClassVar[Mapping[str, Any]] = {"name": "nat64"}
    decrements = (1, 1)

    driver: Literal["jool-nat64"] = driver_key()
    udp_timeout_s: Whole = key(
        300,
        "how long a session stays without packets",
        ge=120,
        le=_LONGEST_S,
        source="RFC 6146 §4: UDP_MIN 2 minutes, UDP_DEFAULT 5",
    )

    def needed_there(self) -> Needed:
        """Also Jool."""
        return needed_for(NAT64)

    def prepare(self, plan: Plan, undo: ExitStack) -> Device:
        """A router between the two links, in which Jool translates what its prefix and its pool match."""
        self.check_technology(plan.technology)
        bed = self.bed(plan)
        settings = [*_pool(plan.technology["pool"]), ("global", "update", "udp-timeout", str(self.udp_timeout_s))]
        instance = JoolInstance(NAT64, bed.dut, plan.technology["prefix"], settings)
        return self.on(bed, plan, undo, instance, translates=True)


def _pool(pool: Mapping[str, Any]) -> Iterator[tuple[str, ...]]:
    """Its networks, with the ports of each protocol: pool4."""
    first = ipaddress.IPv4Address(pool["first"])
    ports = f"{pool['first_port']}-{pool['last_port']}"
    for network in ipaddress.summarize_address_range(first, first + (pool["addresses"] - 1)):
        for protocol in _PROTOCOLS:
            yield "pool4", "add", f"--{protocol}", str(network), ports, "--force"
