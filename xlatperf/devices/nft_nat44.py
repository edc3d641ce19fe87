"""Stateful NAT44 by this host's kernel (nftables) in a network namespace.

The kernel has no process whose processor time could be read, and without cores of its own it works where the frame was
sent: on the Tester's cores. `set_cores` gives it cores.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Literal

from xlatperf.devices.driver import driver_key
from xlatperf.devices.source_nat import NatAloneDriver


class NftNat44(NatAloneDriver):
    """The kernel's NAT44. It decrements the TTL once."""

    label = "Linux NAT44"
    what = "this host's kernel with nftables"
    technology: ClassVar[Mapping[str, Any]] = {"name": "nat44"}
    decrements = (1, 1)
    not_restartable = "the kernel's NAT can't be restarted without the host"

    driver: Literal["nft-nat44"] = driver_key()
