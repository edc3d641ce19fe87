"""`[device]`: the device under test and its driver."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import ConfigDict

from xlatperf.keys.model import ConfigModel, key


class DeviceConfig(ConfigModel):
    """`[device]`: the driver's name; all other keys go to the driver, which checks them."""

    model_config = ConfigDict(frozen=True, extra="allow")

    driver: Literal[
        "reference", "linux", "tayga", "nft-nat44", "tayga-nat64", "tayga-siit-pair", "464xlat", "manual"
    ] = key(
        "reference",
        "who sets the DUT up: reference (software gateway with faults to order), linux (this kernel forwards), tayga, "
        "nft-nat44 (this kernel's NAT), tayga-nat64 (both of them), tayga-siit-pair (IPv4 over IPv6), 464xlat (CLAT "
        "and PLAT), or manual (you did it; xlatperf touches nothing but the ports)",
    )

    @property
    def options(self) -> dict[str, Any]:
        """The keys for the driver."""
        return dict(self.model_extra or {})
