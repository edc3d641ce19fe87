"""Stateful NAT66 (RFC 9693 §3.1) by this host's kernel (nftables) in a network namespace: as NAT44, with IPv6."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Literal

from xlatperf.devices.driver import driver_key
from xlatperf.devices.source_nat import NatAloneDriver


class NftNat66(NatAloneDriver):
    """The kernel's NAT66. It decrements the hop limit once."""

    label = "Linux NAT66"
    what = "this host's kernel with nftables, IPv6"
    technology: ClassVar[Mapping[str, Any]] = {"name": "nat66"}
    decrements = (1, 1)
    not_restartable = "the kernel's NAT can't be restarted without the host"

    driver: Literal["nft-nat66"] = driver_key()
