from __future__ import annotations

import contextlib

import pytest

from xlatperf.devices import registry
from xlatperf.devices.device import DeviceError


@pytest.mark.parametrize("name", registry.names())
def test_every_driver(name: str) -> None:
    device = registry.create(name)
    assert device.name == name
    assert all("\n" not in line for line in device.missing())
    assert device.facts() == {}
    with contextlib.suppress(DeviceError):  # a stateful one says that it isn't prepared
        device.clear_state()
    assert device.count_state() is None
    assert device.cpu_s() == {}
    assert device.alive() == (name == "manual")
    with pytest.raises(DeviceError):
        device.set_cores(1000)
    device.remove()
    device.remove()
    with pytest.raises(DeviceError):
        device.restart()


def test_unknown() -> None:
    with pytest.raises(DeviceError, match=r"device\.driver: 'jool' is not allowed: 464xlat, linux, manual"):
        registry.create("jool")
