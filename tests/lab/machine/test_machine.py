"""A virtual machine that runs, and what ends with it. One for all, as it takes seconds to start."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable, Iterator

import pytest

from tests.lab.machine.requirements import needs_machine
from tests.lab.root import needs_root
from xlatperf.lab.bed import DUT_PORTS
from xlatperf.lab.conntrack import Conntrack
from xlatperf.lab.error import LabError
from xlatperf.lab.machine import machine as module
from xlatperf.lab.machine.machine import Machine, Settings
from xlatperf.lab.machine.testbed import MachineTestbed
from xlatperf.lab.namespace import NETNS_FOLDER
from xlatperf.lab.network import Network
from xlatperf.lab.runtime_folder import base
from xlatperf.lab.tester_side import TESTER_PORTS

pytestmark = [needs_root, needs_machine]

MTU = 1400


def nothing(_: str) -> None:
    """To nobody."""


def traces() -> list[str]:
    places = ((NETNS_FOLDER, f"xlatperf-{os.getpid()}-*"), (base(), f"{os.getpid()}-*"))
    return [path.name for folder, names in places for path in folder.glob(names)]


def wait_until(reached: Callable[[], bool]) -> None:
    until = time.monotonic() + 10
    while not reached():
        assert time.monotonic() < until
        time.sleep(0.01)


@pytest.fixture(scope="module")
def bed() -> Iterator[MachineTestbed]:
    bed = MachineTestbed(MTU, Settings(cores=2), nothing)
    bed.make()
    yield bed
    bed.remove()


@pytest.fixture(scope="module")
def machine(bed: MachineTestbed) -> Machine:
    return bed.dut


def test_commands(machine: Machine) -> None:
    assert machine.run(("echo", "a b", "$HOME", "'")) == "a b $HOME '\n"
    assert machine.run(("tr", "a-z", "A-Z"), text="some 'text'\n") == "SOME 'TEXT'\n"
    with pytest.raises(LabError, match=r"in the virtual machine `ls /none` failed: ls: /none: No such file or dir"):
        machine.run(("ls", "/none"))
    assert machine.kernel().startswith("Linux ")
    assert machine.script("nproc") == "2\n"


def test_parameters(machine: Machine) -> None:
    machine.set_sysctl("net.ipv4.ip_forward", 1)
    assert machine.sysctl("net.ipv4.ip_forward") == "1"
    assert machine.sysctl("net.no.such") is None
    assert machine.host_sysctl("net.core.netdev_max_backlog") == "1000"
    with pytest.raises(LabError, match=r"can't set net\.no\.such=1 in the virtual machine"):
        machine.set_sysctl("net.no.such", 1)


def test_its_interfaces_are_joined_to_the_testers(bed: MachineTestbed) -> None:
    with bed.dut.network() as network:
        assert {"lo", "d0", "d1"} <= set(network.links())
        assert all(network.link_is_up(port) for port in DUT_PORTS.values())
        network.add_address("d0", "192.168.18.1/30")
        network.add_address("d0", "2001:2:0:7fff::1/64")
        network.add_route("198.18.0.0/16", "d0", "192.168.18.2")
        network.add_route("::/0", "d0", "2001:2:0:7fff::2")
        assert {"192.168.18.0/30", "198.18.0.0/16", "2001:2:0:7fff::/64", "::/0"} <= network.routes("d0")
    with Network(bed.tester) as network:
        assert set(network.links()) == {"lo", *TESTER_PORTS.values()}
    assert "mtu 1400" in bed.dut.script("ip link show d1")
    assert bed.dut.script("cat /sys/class/net/d1/address") == "02:00:00:00:00:d1\n"
    assert "Ip6InReceives" in bed.dut.proc_net("snmp6")


def test_its_table_of_connections(machine: Machine) -> None:
    table = Conntrack(machine)
    machine.run(("nft", "-f", "-"), text="table ip t { chain c { type nat hook postrouting priority 100; }; }")
    assert table.count() == 0
    table.set_parameter("udp_timeout", 77)
    assert table.parameter("udp_timeout") == "77"
    table.flush()


def test_ended_by_force(bed: MachineTestbed) -> None:
    """The last of these: nothing can be asked any more, and nothing stays."""
    pid = bed.machine.daemon.pid
    assert pid is not None
    os.kill(pid, signal.SIGSTOP)
    wait_until(lambda: bed.machine.daemon.stopped)
    os.kill(pid, signal.SIGKILL)
    with pytest.raises(LabError, match="the virtual machine"):
        bed.machine.script("sleep 5; true")
    wait_until(lambda: bed.machine.why_gone() != "")
    assert bed.machine.why_gone() == "the virtual machine was ended by signal 9 (Killed)"
    with pytest.raises(LabError, match=r"the virtual machine was ended by signal 9 \(Killed\)"):
        bed.machine.script("true")
    bed.remove()
    assert traces() == []


def test_too_much_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_SPARE_MB", 10_000_000)
    bed = MachineTestbed(MTU, Settings(), nothing)
    with pytest.raises(LabError, match=r"the virtual machine needs 10000512 MB of memory, \d+ MB are free: give it le"):
        bed.make()
    assert traces() == []


def test_one_that_does_not_start(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(module._BOOT_S, "tcg", 0.01)
    bed = MachineTestbed(MTU, Settings(memory_mb=192), nothing)
    said = r"the virtual machine \(tcg\) didn't start: .* doesn't answer; (its last message: |it has said nothing$)"
    with pytest.raises(LabError, match=said):
        bed.make()
    assert traces() == []
