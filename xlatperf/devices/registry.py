"""All drivers by name. A new driver is one file, and one line here."""

from __future__ import annotations

import importlib

from xlatperf.devices.device import Device, DeviceError

# Loaded when asked for: a driver for a real network device shall not need what the lab's drivers need.
_DRIVERS = {
    "464xlat": ("xlatperf.devices.xlat464", "Xlat464"),
    "linux": ("xlatperf.devices.linux", "Linux"),
    "manual": ("xlatperf.devices.manual", "Manual"),
    "nft-nat44": ("xlatperf.devices.nft_nat44", "NftNat44"),
    "reference": ("xlatperf.devices.reference", "Reference"),
    "tayga": ("xlatperf.devices.tayga", "Tayga"),
    "tayga-siit-pair": ("xlatperf.devices.tayga_siit_pair", "TaygaSiitPair"),
    "tayga-nat64": ("xlatperf.devices.tayga_nat64", "TaygaNat64"),
}


def names() -> list[str]:
    """The drivers' names, sorted."""
    return sorted(_DRIVERS)


def create(name: str) -> Device:
    """A driver, not prepared yet. DeviceError for a name that isn't known."""
    if name not in _DRIVERS:
        raise DeviceError(f"device.driver: {name!r} is not allowed: {', '.join(names())}")
    module, driver = _DRIVERS[name]
    device: Device = getattr(importlib.import_module(module), driver)()
    return device
