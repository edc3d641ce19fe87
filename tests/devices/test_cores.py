from __future__ import annotations

import pytest

from xlatperf.devices import cores
from xlatperf.devices.device import DeviceError


def test_cores_of_this_host() -> None:
    assert cores.of_this_host("cores", (), {0, 1}) == ()
    assert cores.of_this_host("cores", (1, 0), {0, 1}) == (1, 0)
    with pytest.raises(DeviceError, match=r"device\.cores: \[2\] is not allowed: a list of 0, 1"):
        cores.of_this_host("cores", (2,), {0, 1})


def test_a_device_keeps_off_the_testers_cores() -> None:
    assert cores.beside((1,), (0, 1, 2)) == (0, 2)
    assert cores.beside((0, 1), (0, 1)) == (0, 1)
    assert set(cores.beside(())) == cores.available_cores()


def test_so_many_cores_those_that_the_tester_leaves_free_first() -> None:
    assert cores.chosen(1, (0,), (0, 1, 2)) == (1,)
    assert cores.chosen(2, (0,), (0, 1, 2)) == (1, 2)
    assert cores.chosen(3, (0,), (0, 1, 2)) == (0, 1, 2)
    for wrong in (0, 4):
        with pytest.raises(DeviceError, match=f"device_cores: {wrong} is not allowed: 1 to 3, the cores that the DUT"):
            cores.chosen(wrong, (0,), (0, 1, 2))
