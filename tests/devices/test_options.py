from __future__ import annotations

import pytest

from xlatperf.devices import options
from xlatperf.devices.device import DeviceError


def test_unknown_key_names_the_nearest() -> None:
    with pytest.raises(DeviceError, match=r"device\.rout: the driver tayga has no such key; did you mean route\?"):
        options.check_names("tayga", {"rout": True}, ("route", "mtu"))
    with pytest.raises(DeviceError, match="known are mtu, route"):
        options.check_names("tayga", {"zzz": True}, ("route", "mtu"))
    with pytest.raises(DeviceError, match="known are none"):
        options.check_names("x", {"zzz": True}, ())


@pytest.mark.parametrize("value", [0, 11, "5", 5.0, True, None])
def test_integer_refuses(value: object) -> None:
    with pytest.raises(DeviceError, match=r"device\.n: .* is not allowed: 1 to 10"):
        options.integer({"n": value}, "n", 3, range(1, 11))


def test_integer() -> None:
    assert options.integer({}, "n", 3, range(1, 11)) == 3
    assert options.integer({"n": 10}, "n", 3, range(1, 11)) == 10


def test_truth() -> None:
    assert options.truth({}, "route", True) is True
    assert options.truth({"route": False}, "route", True) is False
    with pytest.raises(DeviceError, match="true or false"):
        options.truth({"route": 0}, "route", True)


def test_text() -> None:
    assert options.text({}, "port") is None
    assert options.text({"port": "x"}, "port") == "x"
    with pytest.raises(DeviceError, match="a text"):
        options.text({"port": ""}, "port")


def test_cores() -> None:
    assert options.cores({}, "cores", {0, 1}) == ()
    assert options.cores({"cores": [1, 0]}, "cores", {0, 1}) == (1, 0)
    for wrong in ([2], 1, [True], ["0"]):
        with pytest.raises(DeviceError, match="a list of 0, 1"):
            options.cores({"cores": wrong}, "cores", {0, 1})


def test_a_device_keeps_off_the_testers_cores() -> None:
    assert options.beside((1,), (0, 1, 2)) == (0, 2)
    assert options.beside((0, 1), (0, 1)) == (0, 1)
    assert set(options.beside(())) == options.available_cores()


def test_so_many_cores_those_that_the_tester_leaves_free_first() -> None:
    assert options.chosen(1, (0,), (0, 1, 2)) == (1,)
    assert options.chosen(2, (0,), (0, 1, 2)) == (1, 2)
    assert options.chosen(3, (0,), (0, 1, 2)) == (0, 1, 2)
    for wrong in (0, 4):
        with pytest.raises(DeviceError, match=f"device_cores: {wrong} is not allowed: 1 to 3, the cores that the DUT"):
            options.chosen(wrong, (0,), (0, 1, 2))
