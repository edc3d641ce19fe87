"""The keys of a device on another host, as `[device]` of a bench file has them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from pydantic import ValidationError

from tests.devices.hosts import plan
from xlatperf.devices import registry
from xlatperf.devices.assembled import Assembled, Part
from xlatperf.devices.device import Attachment, DeviceError
from xlatperf.lab.error import LabError

GOOD = {"driver": "nft-nat44", "host": "root@dut", "left_interface": "ens1f0", "right_interface": "ens1f1"}
PORTS = ("0000:01:00.0", "0000:01:00.1")


def device(**changed: Any) -> Any:
    keys = {name: value for name, value in {**GOOD, **changed}.items() if value is not None}
    return registry.BY_NAME[keys["driver"]].model_validate(keys)


@pytest.mark.parametrize("driver", ["linux", "nft-nat44", "nft-nat66"])
def test_drivers_that_may_be_elsewhere(driver: str) -> None:
    there = device(driver=driver)
    assert there.users_own
    assert there.cable(None) is None
    assert not device(driver=driver, host=None, left_interface=None, right_interface=None).users_own
    there.check(PORTS, ())


@pytest.mark.parametrize(
    "host", ["dut", "root@192.0.2.1", "root@[2001:db8::1]", "me@dut.example.net", "fe80::1%eth0", "d"]
)
def test_hosts(host: str) -> None:
    assert device(host=host).host == host


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"host": "-oProxyCommand=evil"}, "should match pattern"),
        ({"host": "a b"}, "should match pattern"),
        ({"host": "root@"}, "should match pattern"),
        ({"host": ""}, "should match pattern"),
        ({"left_interface": "a;b"}, "should match pattern"),
        ({"left_interface": "interface-too-long"}, "should match pattern"),
        (
            {"left_interface": None},
            "left_interface: nothing is not allowed: with device.host, the name of",
        ),
        (
            {"right_interface": None},
            "right_interface: nothing is not allowed: with device.host, the name of",
        ),
        ({"right_interface": "ens1f0"}, "another one than left_interface"),
        ({"host": None}, "left_interface: .*ens1f0.* is not allowed: nothing without device.host"),
        (
            {"host": None, "left_interface": None, "right_interface": None, "ssh_config": "c"},
            "ssh_config: .* is not allowed: nothing without device.host",
        ),
        ({"kernel_cores": [1]}, r"kernel_cores: \[1\] is not allowed: nothing with device.host"),
        ({"machine": True}, "machine: true is not allowed: nothing with device.host"),
    ],
)
def test_keys_that_do_not_fit(changed: dict[str, Any], said: str) -> None:
    with pytest.raises(ValidationError, match=said):
        device(**changed)


def test_cores_are_not_ours_to_change() -> None:
    with pytest.raises(DeviceError, match=r"measure\.device_cores: with device.host"):
        device().check(PORTS, ("cores",))


def test_ports_must_be_named() -> None:
    with pytest.raises(DeviceError, match=r"tester.right.port is missing: the driver nft-nat44 needs"):
        device().check((PORTS[0], None), ())


class Lost(Part):
    """Of a host that doesn't answer any more."""

    def _lost(self) -> Any:
        raise LabError("the connection to dut is lost")

    facts = diagnose = ended = stopped = cpu_s = restart = clear_state = count_state = _lost


@pytest.mark.parametrize(
    "ask",
    [
        Assembled.facts,
        Assembled.ended,
        Assembled.alive,
        Assembled.why_not_alive,
        Assembled.stopped,
        Assembled.cpu_s,
        Assembled.restart,
        Assembled.clear_state,
        Assembled.count_state,
    ],
)
def test_whatever_is_asked_of_a_host_that_is_gone(ask: Callable[[Assembled], object]) -> None:
    """It's never the device that is said to have failed, and never a traceback."""
    there = device(driver="tayga")
    assembled = Assembled(there, plan({}, {}, {}), Attachment("t0", "t1"), [Lost()])
    with pytest.raises(DeviceError, match=r"^the connection to dut is lost$"):
        ask(assembled)
    assert assembled.diagnose() == ["the connection to dut is lost"]
