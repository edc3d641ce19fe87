from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack

import pytest

from tests.devices.hosts import Hosts, plan
from tests.devices.parts import part
from tests.lab.root import needs_root
from tests.lab.test_testbed import traces
from xlatperf.devices.device import Device, DeviceError
from xlatperf.devices.kernel_dut import KernelDut
from xlatperf.devices.linux import Linux
from xlatperf.lab.namespace import Namespace

NATIVE = {"name": "native", "family": "ipv4"}
ROUTES = (
    {"198.18.0.2/32": "foreground", "2001:2:0:1000::2/128": "background"},
    {"198.19.0.0/24": "foreground", "2001:2:0:9000::/64": "background"},
)


@pytest.fixture
def undo() -> Iterator[ExitStack]:
    with ExitStack() as stack:
        yield stack
    assert traces() == []


def linux(undo: ExitStack, **keys: object) -> Device:
    return Linux.model_validate({"driver": "linux", **keys}).prepare(plan(NATIVE, *ROUTES), undo)


def namespace(device: Device) -> Namespace:
    dut = part(device, KernelDut).testbed.dut
    assert isinstance(dut, Namespace)
    return dut


def test_forwards_only(undo: ExitStack) -> None:
    with pytest.raises(
        DeviceError, match=r"technology\.name: \"siit\" is not allowed: the driver linux does `native` only"
    ):
        Linux(driver="linux").prepare(plan({"name": "siit"}, *ROUTES), undo)


@needs_root
def test_forwards_both_families(undo: ExitStack) -> None:
    device = linux(undo)
    attachment = device.attachment
    assert attachment.left_port.startswith("net_af_packet0,iface=t0,")
    assert attachment.right_port.startswith("net_af_packet1,iface=t1,")
    assert attachment.command_prefix[:3] == ("ip", "netns", "exec")
    assert device.diagnose() == []
    assert device.facts()["net.ipv4.ip_forward"] == "1"
    hosts = Hosts()
    try:
        hosts.make(("198.18.0.2/32", "2001:2:0:1000::2/128"), ("198.19.0.2/32", "2001:2:0:9000::2/128"))
        ipv4 = hosts.exchange("198.18.0.2", "198.19.0.2", "198.19.0.2")
        assert (ipv4.source, ipv4.hop_limit) == ("198.18.0.2", 63)
        ipv6 = hosts.exchange("2001:2:0:9000::2", "2001:2:0:1000::2", "2001:2:0:1000::2", reverse=True, size=1400)
        assert (ipv6.source, ipv6.hop_limit) == ("2001:2:0:9000::2", 63)
    finally:
        hosts.remove()


@needs_root
def test_the_kernel_forwards_on_cores_of_its_own(undo: ExitStack) -> None:
    device = linux(undo, kernel_cores=[0])
    steered = namespace(device).run(("cat", "/sys/class/net/d0/queues/rx-0/rps_cpus"))
    assert int(steered.replace(",", ""), 16) == 1
    assert "on cores 0 (RPS)" in device.facts()["cores"]
    assert set(device.cpu_s()) == {"kernel"}


def test_cores_that_are_not_there(undo: ExitStack) -> None:
    with pytest.raises(DeviceError, match=r"device\.kernel_cores: \[4096\] is not allowed: a list of 0"):
        linux(undo, kernel_cores=[4096])


@needs_root
def test_route_that_can_not_be(undo: ExitStack) -> None:
    impossible = plan(NATIVE, *ROUTES)
    impossible.describe["left"]["routes"][0]["via"] = "203.0.113.9"
    with pytest.raises(DeviceError, match=r"can't route 198\.18\.0\.2/32 through d0 to 203\.0\.113\.9"):
        Linux(driver="linux").prepare(impossible, undo)


@needs_root
def test_diagnosis_names_what_is_missing(undo: ExitStack) -> None:
    device = linux(undo)
    namespace(device).run(("ip", "route", "del", "198.19.0.0/24"))
    namespace(device).run(("ip", "link", "set", "d0", "down"))
    namespace(device).set_sysctl("net.ipv4.ip_forward", 0)
    lines = "\n".join(device.diagnose())
    assert "the DUT has no route for 198.19.0.0/24 through d1 to 198.19.255.2" in lines
    assert "the DUT's interface d0 is down" in lines
    assert "the DUT doesn't forward: net.ipv4.ip_forward is 0" in lines
