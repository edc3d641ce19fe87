"""Devices on another host, which is a network namespace with OpenSSH's server: the commands as a user gives them."""

from __future__ import annotations

import json
import os
import re
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.lab.remote.ssh_host import INTERFACES, NAME, TESTER_PORTS, SshHost, ssh_host
from tests.lab.remote.sshd import needs_ssh
from tests.system.command import REPOSITORY, cut, xlatperf
from tests.system.requirements import needs_nft, needs_tayga
from tests.system.trials import RELAXED

pytestmark = [needs_ssh, needs_nft]
SHORT = ("--duration", "0.1", "--timeout", "0.3")
DEMONSTRATION = "repetitions = 1\ntimeout_s = 0.3\nsettle_s = 0\nlearning_wait_s = 0\n"
STATE = "nft list ruleset; ip -4 -br address; ip route; cat /proc/sys/net/ipv4/ip_forward"
NATIVE = """
device.static_neighbours = true
technology.name = "native"
[traffic]
left.hosts.prefix = "198.18.0.0/24"
right.hosts.prefix = "198.19.0.0/24"
"""
NAT44 = """
[technology]
name = "nat44"
pool = { first = "198.19.0.1", addresses = 1 }
[traffic.connections]
clients = { first = "10.0.0.2", addresses = 1 }
servers = { first = "198.19.0.2", addresses = 1 }
"""


SIIT = """
device.cores = [0]
technology = { name = "siit", prefix = "2001:2:0:6464::/96" }
traffic.hops = 3
"""
NAT64 = """
[technology]
name = "nat64"
prefix = "2001:2:0:6464::/96"
pool = { first = "198.19.0.1", addresses = 1 }
[traffic]
frame_size_of = "ipv6"
hops = 3
[traffic.connections]
clients = { first = "2001:2::2", addresses = 1 }
servers = { first = "198.19.0.2", addresses = 1 }
"""


@pytest.fixture
def host(tmp_path: Path) -> Iterator[SshHost]:
    folder = tmp_path / "host"
    folder.mkdir()
    with ssh_host(folder) as host:
        yield host


def bench(host: SshHost, driver: str, rest: str) -> Path:
    ports = "".join(
        f'tester.{side}.port = "net_af_packet{number},iface={port}"\ndevice.{side}_interface = "{INTERFACES[side]}"\n'
        for number, (side, port) in enumerate(TESTER_PORTS.items())
    )
    path = host.folder / "bench.toml"
    path.write_text(
        f'device.driver = "{driver}"\ndevice.host = "{NAME}"\ndevice.ssh_config = "{host.config.name}"\n'
        f'device.namespace = "{host.tester.name}"\n{ports}{rest}'
    )
    return path


@pytest.mark.parametrize(
    ("driver", "rest"),
    [
        pytest.param("linux", NATIVE, id="linux"),
        pytest.param("nft-nat44", NAT44, id="nft-nat44"),
        pytest.param("tayga", SIIT, marks=needs_tayga, id="tayga"),
        pytest.param("tayga-nat64", NAT64, marks=needs_tayga, id="tayga-nat64"),
    ],
)
def test_check(host: SshHost, driver: str, rest: str) -> None:
    """All comes back, and the host is as it was."""
    before = host.run(STATE)
    file = bench(host, driver, rest)
    ended = xlatperf("check", file, *SHORT, folder=host.folder)
    assert ended.code == 0, ended.output
    assert f"connecting to {NAME}" in ended.output
    assert "All frames came back as they must" in ended.output
    assert host.run(STATE) == before


def test_the_example(host: SshHost) -> None:
    """Host and ports are another's, and the lines for a card and for the whole kernel aren't there: all else is."""
    text = (REPOSITORY / "examples/ssh-nft-nat44-100g.toml").read_text()
    text = re.sub(r"^(table_size|hash_size|cores|memory_mb|hugepages|idle) = .*\n", "", text, flags=re.MULTILINE)
    for line, other in {
        'host = "root@dut"': f'host = "{NAME}"\nssh_config = "{host.config}"\nnamespace = "{host.tester.name}"',
        "ens1f0": INTERFACES["left"],
        "ens1f1": INTERFACES["right"],
        "0000:01:00.0": f"net_af_packet0,iface={TESTER_PORTS['left']}",
        "0000:01:00.1": f"net_af_packet1,iface={TESTER_PORTS['right']}",
    }.items():
        assert line in text
        text = text.replace(line, other)
    (host.folder / "bench.toml").write_text(text)
    ended = xlatperf("check", "bench.toml", *SHORT, folder=host.folder)
    assert ended.code == 0, ended.output
    assert "All frames came back as they must" in ended.output


def test_a_lost_connection_is_not_the_device_s_fault(host: SshHost) -> None:
    """The campaign stops in order, and goes on when it's started again."""
    measure = f'[[measure]]\nprocedure = "throughput"\nminimum_fps = 100\nmaximum_fps = 1000\n{DEMONSTRATION}'
    one = f"{measure}connections = [100]\nestablish_fps = 1000\nframe_sizes = [64]\nstop_width_percent = 50\n"
    file = bench(host, "nft-nat44", f"{NAT44}{RELAXED}{one}duration_s = 0.3\n{one}duration_s = 1.5\n")
    command = ("run", file, "--folder", "results", "--skip-selftest")
    ended = cut(*command, folder=host.folder, at="[2/2]", deed=lambda pid: os.kill(_ssh_of(pid), signal.SIGKILL))
    assert ended.code == 2, ended.output
    assert f"the connection to {NAME} is lost; the host is put back" in ended.output
    assert "collapsed" not in ended.output
    ended = xlatperf(*command, folder=host.folder)
    assert ended.code == 0, ended.output
    results = json.loads((host.folder / "results/results.json").read_text())
    assert len(results["measurements"]) == 2
    device = json.loads((host.folder / "results/environment.json").read_text())["device"]
    assert device["host"] == NAME
    assert int(device["host.cores"]) >= 1


def _ssh_of(pid: int) -> int:
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    (ssh,) = (child for child in children if Path(f"/proc/{child}/comm").read_text() == "ssh\n")
    return int(ssh)
