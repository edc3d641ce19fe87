"""Drivers of a kernel that may be a virtual machine's: keys, and what they need."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import ValidationError

from tests.devices.hosts import plan
from xlatperf.devices import registry
from xlatperf.devices.device import DeviceError
from xlatperf.lab import conntrack
from xlatperf.lab.machine.testbed import MachineTestbed
from xlatperf.lab.programs import NFT, QEMU, TAYGA
from xlatperf.lab.testbed import Testbed

DRIVERS = ("linux", "nft-nat44", "nft-nat66", "tayga", "tayga-nat64")
PLAN = plan({"name": "native"}, {}, {})


def device(driver: str, **keys: Any) -> Any:
    return registry.BY_NAME[driver].model_validate({"driver": driver, **keys})


@pytest.mark.parametrize("driver", DRIVERS)
def test_here_or_in_a_machine(driver: str) -> None:
    """TAYGA is in the machine's own image."""
    here, there = device(driver), device(driver, machine=True, machine_cores=4)
    assert isinstance(here.bed(PLAN), Testbed)
    assert isinstance(there.bed(PLAN), MachineTestbed)
    assert (QEMU in here.programs(), QEMU in there.programs()) == (False, True)
    assert (TAYGA in here.programs(), TAYGA in there.programs()) == (driver.startswith("tayga"), False)
    assert NFT in there.programs()
    assert there.cable(PLAN) is None
    assert not there.users_own


@pytest.mark.parametrize("driver", DRIVERS)
def test_cores_of_a_machine(driver: str) -> None:
    """R9693-5.2: the first ones."""
    there = device(driver, machine=True, machine_cores=4)
    assert there.cores_for(3, PLAN) == (0, 1, 2)
    for count in (0, 5):
        with pytest.raises(DeviceError, match=rf"device_cores: {count} is not allowed: 1 to 4: device\.machine_cores"):
            there.cores_for(count, PLAN)


def test_which_cores_qemu_may_use() -> None:
    bed = device("linux", machine=True, kernel_cores=[0]).bed(PLAN)
    assert bed.machine.settings.host_cores == (0,)
    with pytest.raises(DeviceError, match=r"device\.kernel_cores: \[9999\] is not allowed"):
        device("linux", machine=True, kernel_cores=[9999]).bed(PLAN)


@pytest.mark.parametrize("name", ["machine_cores", "memory_mb", "accelerator"])
def test_keys_of_a_machine_that_is_not_there(name: str) -> None:
    value = {"machine_cores": 2, "memory_mb": 256, "accelerator": "kvm"}[name]
    with pytest.raises(ValidationError, match=rf"{name}: .* is not allowed: nothing without device.machine = true"):
        device("nft-nat44", **{name: value})


def test_the_table_of_a_machine() -> None:
    """By itself a kernel with so little memory keeps 4,096 connections."""
    assert device("nft-nat44").sizes() == {}
    assert device("nft-nat44", machine=True).sizes()[conntrack.LIMIT] == 262_144
    assert device("tayga-nat64", machine=True, table_size=1000).sizes() == {
        conntrack.LIMIT: 1000,
        conntrack.BUCKETS: 65_536,
    }
