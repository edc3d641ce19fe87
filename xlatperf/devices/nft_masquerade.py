"""Stateful NAT44 to the address of the device's own interface, as most customers' routers have it (nftables)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Literal

from xlatperf.devices.device import Plan
from xlatperf.devices.driver import driver_key
from xlatperf.devices.nft_ruleset import masquerade
from xlatperf.devices.source_nat import NatAloneDriver


class NftMasquerade(NatAloneDriver):
    """The kernel's masquerading. It decrements the TTL once, and forgets its connections if the link goes down."""

    label = "Linux masquerading"
    what = "this host's kernel with nftables; the pool is gateway_ipv4 of the right link"
    technology: ClassVar[Mapping[str, Any]] = {"name": "nat44"}
    decrements = (1, 1)
    not_restartable = "the kernel's NAT can't be restarted without the host"

    driver: Literal["nft-masquerade"] = driver_key()

    def rules(self, plan: Plan) -> str:
        """nftables'. Raises DeviceError for a pool that isn't that address."""
        return masquerade(plan.technology, plan.right)
