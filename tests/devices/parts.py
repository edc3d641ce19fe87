"""Parts of a prepared device, for tests that look into it or break it."""

from __future__ import annotations

from typing import TypeVar

from xlatperf.devices.assembled import Assembled, Part
from xlatperf.devices.device import Device

PartT = TypeVar("PartT", bound=Part)


def part(device: Device, kind: type[PartT]) -> PartT:
    """The first one of this kind."""
    assert isinstance(device, Assembled)
    return next(part for part in device.parts if isinstance(part, kind))
