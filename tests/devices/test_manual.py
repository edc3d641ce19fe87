from __future__ import annotations

import pytest

from tests.devices.hosts import plan
from xlatperf.devices.device import Attachment, DeviceError
from xlatperf.devices.manual import Manual

NATIVE = {"name": "native", "family": "ipv4"}


def test_ports_are_the_users() -> None:
    device = Manual()
    options = {"left_port": "0000:01:00.0", "right_port": "0000:01:00.1", "description": "router 7"}
    assert device.prepare(plan(NATIVE, {}, {}, **options)) == Attachment("0000:01:00.0", "0000:01:00.1", ())
    assert device.facts() == {"description": "router 7"}


def test_in_a_namespace_of_the_users() -> None:
    ports = {"left_port": "net_af_packet0,iface=a", "right_port": "net_af_packet1,iface=b"}
    attachment = Manual().prepare(plan(NATIVE, {}, {}, namespace="mine", **ports))
    assert attachment.command_prefix == ("ip", "netns", "exec", "mine")


def test_port_missing() -> None:
    with pytest.raises(DeviceError, match=r"tester\.right\.port is missing"):
        Manual().prepare(plan(NATIVE, {}, {}, left_port="0000:01:00.0"))


def test_port_twice() -> None:
    with pytest.raises(DeviceError, match="two different ports"):
        Manual().prepare(plan(NATIVE, {}, {}, left_port="0000:01:00.0", right_port="0000:01:00.0"))
