from __future__ import annotations

import pytest

from xlatperf.devices import registry
from xlatperf.devices.device import DeviceError


@pytest.mark.parametrize("name", registry.names())
def test_every_driver(name: str) -> None:
    device = registry.create(name)
    assert device.name == name
    assert all("\n" not in line for line in device.missing())
    assert device.facts() == {}
    device.clear_state()
    device.remove()
    device.remove()
    with pytest.raises(DeviceError):
        device.restart()


def test_unknown() -> None:
    with pytest.raises(DeviceError, match=r"device\.driver: 'jool' is not allowed: linux, manual, reference, tayga"):
        registry.create("jool")
