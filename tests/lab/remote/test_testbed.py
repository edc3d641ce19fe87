"""A device's host over SSH, and that it is afterwards as it was before."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.lab.remote.ssh_host import INTERFACES, NAME, SshHost, ssh_host
from tests.lab.remote.sshd import needs_ssh
from xlatperf.lab.error import LabError
from xlatperf.lab.programs import CONNTRACK, IP, Program
from xlatperf.lab.remote.connection import Connection
from xlatperf.lab.remote.testbed import Needed, RemoteTestbed

pytestmark = needs_ssh
WAIT_S = 20.0
PARAMETER = "net.ipv4.ip_default_ttl"
STATE = (
    "ip -o link show | sed 's/@.*mtu/ mtu/; s/ state.*//; s/^[0-9]*: //' | sort; ip netns list; ls /run/xlatperf-hosts"
)


@pytest.fixture(scope="module")
def host(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SshHost]:
    with ssh_host(tmp_path_factory.mktemp("host")) as host:
        Connection(NAME, host.config).close()  # which was never open
        host.run("mkdir /run/xlatperf-hosts")
        yield host


def bed(host: SshHost, *needed: Program, **taken: str) -> RemoteTestbed:
    return RemoteTestbed(1400, Connection(NAME, host.config), taken or INTERFACES, Needed(needed or (IP,)))


def settled(host: SshHost, before: str) -> str:
    """The host's state, once it is `before` or its time is over."""
    until = time.monotonic() + WAIT_S
    while (state := host.run(STATE)) != before and time.monotonic() < until:
        time.sleep(0.05)
    return state


def test_made_and_removed(host: SshHost) -> None:
    before = host.run(STATE)
    one = bed(host)
    try:
        one.make()
        with one.dut.network() as network:
            assert sorted(network.links()) == ["d0", "d1", "lo"]
            assert network.link_is_up("d0")
            network.add_address("d0", "198.18.255.1/30")
            network.add_route("10.0.0.0/8", "d0", "198.18.255.2")
        assert "eth1" not in host.run("ip link show")
        assert one.dut.run(("cat", "/sys/class/net/d0/mtu")) == "1400\n"
        assert one.dut.run(("cat",), text="ä b") == "ä b"
        assert one.dut.proc_net("snmp").startswith("Ip:")
        assert one.dut.why_gone() == ""
        with pytest.raises(LabError, match=f"on {NAME} .*ip link show none.* failed: .*does not exist"):
            one.dut.run(("ip", "link", "show", "none"))
    finally:
        one.remove()
    one.remove()
    assert host.run(STATE) == before
    one.make()  # again
    one.remove()
    assert host.run(STATE) == before


def killed_ssh(connection: Connection) -> None:
    process = connection._process
    assert process is not None
    process.kill()
    process.wait()


def killed_agent(connection: Connection) -> None:
    os.kill(int(connection.run("echo $$", WAIT_S).output), signal.SIGTERM)


@pytest.mark.parametrize("end", [killed_ssh, killed_agent])
def test_a_connection_that_ends_by_itself(host: SshHost, end: Callable[[Connection], None]) -> None:
    """The host is as it was, and what's asked of it says why there is no answer."""
    before = host.run(STATE)
    one = bed(host)
    one.make()
    try:
        end(one._connection)
        assert settled(host, before) == before
        with pytest.raises(LabError, match=f"the connection to {NAME} is lost"):
            one.dut.run(("true",))
        assert f"the connection to {NAME} is lost" in one.dut.why_gone()
    finally:
        one.remove()


def test_an_agent_that_was_killed_is_cleaned_up_after(host: SshHost) -> None:
    before = host.run(STATE)
    one = bed(host)
    one.make()
    one.set_host_parameter(PARAMETER, 65)
    os.kill(int(one._connection.run("echo $$", WAIT_S).output), signal.SIGKILL)
    one.remove()
    assert "eth1" not in host.run(STATE)
    other = Connection(NAME, host.config)
    other.open()
    other.close()
    assert settled(host, before) == before


def test_a_parameter_of_the_whole_kernel(host: SshHost) -> None:
    before = host.run("cat /proc/sys/net/ipv4/ip_default_ttl")
    one = bed(host)
    one.make()
    for value in (66, 67):
        one.set_host_parameter(PARAMETER, value)
        assert one.dut.host_sysctl(PARAMETER) == str(value)
    one.remove()
    assert host.run("cat /proc/sys/net/ipv4/ip_default_ttl") == before


def test_a_second_run_says_that_the_interfaces_are_gone(host: SshHost) -> None:
    one, other = bed(host), bed(host)
    one.make()
    try:
        with pytest.raises(LabError, match=f"on {NAME} there is none of this name"):
            other.make()
    finally:
        one.remove()


@pytest.mark.parametrize(
    ("script", "undo", "why"),
    [
        (
            "ip address add 192.0.2.1/24 dev eth2",
            "ip address del 192.0.2.1/24 dev eth2",
            "lose its address 192.0.2.1/24",
        ),
        ("ip route add default dev eth2;", "ip route del default;", "a default route leads through it"),
        ("ip link set eth2 name eth3", "ip link set eth3 name eth2", r"none of this name; there are eth1, eth3"),
    ],
)
def test_an_interface_that_is_in_use(host: SshHost, script: str, undo: str, why: str) -> None:
    before = host.run(STATE)
    host.run(script)
    try:
        with pytest.raises(LabError, match=why):
            bed(host).make()
    finally:
        host.run(undo)
    host.run("ip link set eth2 up")
    assert settled(host, before) == before


def test_programs_that_are_not_there(host: SshHost) -> None:
    with pytest.raises(LabError, match=f"on {NAME} frobnicate isn't installed: apt install frob$"):
        bed(host, IP, Program("frobnicate", "frob", "frob"), CONNTRACK).make()


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("IdentityFile /nonexistent", "Permission denied .*; `ssh dut true` must work without a question"),
        ("UserKnownHostsFile /dev/null", "verification failed.*; `ssh dut true` must work without a question"),
        ("ProxyCommand false", "can't reach dut over SSH: "),
        ("Nonsense yes", "can't reach dut over SSH: .*[Bb]ad configuration option"),
    ],
)
def test_no_connection(host: SshHost, tmp_path: Path, line: str, why: str) -> None:
    config = tmp_path / "config"
    words = line.split(maxsplit=1)[0]
    kept = [one for one in host.config.read_text().splitlines() if not one.startswith(words)]
    config.write_text("\n".join([*kept, line]) + "\n")
    connection = Connection(NAME, config)
    with pytest.raises(LabError, match=why):
        connection.open()
    connection.close()
