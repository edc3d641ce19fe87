from __future__ import annotations

from pathlib import Path

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


def test_the_mtu_is_reported() -> None:
    """RFC 8219 §5.1."""
    ports = {"left_port": "a", "right_port": "b"}
    device = Manual()
    device.prepare(plan(NATIVE, {}, {}, mtu=9000, **ports))
    assert device.facts() == {"mtu": "9000"}
    with pytest.raises(DeviceError, match=r"device\.mtu: 1000 is not allowed: 1280 to 9216"):
        device.prepare(plan(NATIVE, {}, {}, mtu=1000, **ports))


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


PORTS = {"left_port": "0000:01:00.0", "right_port": "0000:01:00.1"}


def prepared(**options: object) -> Manual:
    device = Manual()
    device.prepare(plan(NATIVE, {}, {}, **PORTS, **options))
    return device


def test_commands_of_the_users(tmp_path: Path) -> None:
    table = tmp_path / "table"
    table.write_text("7\n")
    device = prepared(
        clear_command=f"echo 0 > {table}", count_command=f"cat {table}", restart_command=f"touch {tmp_path}/restarted"
    )
    assert device.count_state() == 7
    device.clear_state()
    assert device.count_state() == 0
    device.restart()
    assert (tmp_path / "restarted").exists()
    assert device.facts()["count_command"] == f"cat {table}"


def test_without_commands() -> None:
    device = prepared()
    assert device.count_state() is None
    assert device.cpu_s() == {}
    assert device.alive()
    with pytest.raises(DeviceError, match=r"device\.clear_command is missing: the driver manual can't empty"):
        device.clear_state()
    with pytest.raises(DeviceError, match=r"device\.restart_command is missing"):
        device.restart()
    with pytest.raises(DeviceError, match="device_cores: the driver manual can't give the DUT 2 cores"):
        device.set_cores(2)


def test_a_command_that_fails_is_one_line() -> None:
    device = prepared(clear_command="echo one >&2; echo no route to dut >&2; exit 255", count_command="echo 7 entries")
    with pytest.raises(DeviceError, match=r"device\.clear_command: .* failed: no route to dut$"):
        device.clear_state()
    with pytest.raises(DeviceError, match=r"device\.count_command: it wrote '7 entries': a number and nothing else"):
        device.count_state()


def test_a_command_that_is_no_text() -> None:
    with pytest.raises(DeviceError, match=r"device\.clear_command: 7 is not allowed: a text"):
        prepared(clear_command=7)
