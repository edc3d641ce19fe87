"""The Tester on another host, which is a network namespace with OpenSSH's server; the DUT is at its cables."""

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
from tests.system.command import cut, xlatperf
from tests.system.trials import RELAXED
from xlatperf.engine.binary import find_engine
from xlatperf.lab.namespace import run_command
from xlatperf.lab.network import Network

pytestmark = needs_ssh
SHORT = ("--duration", "0.1", "--timeout", "0.3")
DEMONSTRATION = "repetitions = 1\ntimeout_s = 0.3\nsettle_s = 0\nlearning_wait_s = 0\nframe_sizes = [64]\n"
STATE = "ip -4 -br address; ip route; ls -A /run/xlatperf-hosts 2>/dev/null; true"
DEVICE = """device.driver = "manual"
technology = { name = "native", family = "ipv4" }
traffic.hops = 1
device.cpu_command = "echo router: $(cut -d' ' -f1 /proc/uptime)"
device.idle_command = "echo core 0: $(cut -d' ' -f1 /proc/uptime)"
"""
LINKS = {
    "left": ("192.168.18.1/30", "198.18.0.0/24", "192.168.18.2"),
    "right": ("192.168.19.1/30", "198.19.0.0/24", "192.168.19.2"),
}


@pytest.fixture
def host(tmp_path: Path) -> Iterator[SshHost]:
    folder = tmp_path / "host"
    folder.mkdir()
    with ssh_host(folder) as host:
        host.tester.set_sysctl("net.ipv4.ip_forward", 1)
        for side, (address, prefix, via) in LINKS.items():
            with Network(host.tester) as network:
                network.add_address(TESTER_PORTS[side], address)
                network.add_route(prefix, TESTER_PORTS[side], via)
        yield host


def bench(at: SshHost, rest: str = "", **changed: str) -> Path:
    keys = {"host": NAME, "ssh_config": at.config.name, "engine": str(find_engine()), **changed}
    for number, (side, name) in enumerate(INTERFACES.items()):
        keys.setdefault(f"{side}.port", f"net_af_packet{number},iface={name}")
    lines = "".join(f'{name} = "{value}"\n' for name, value in keys.items() if value)
    path = at.folder / "bench.toml"
    path.write_text(f"{DEVICE}[tester]\n{lines}{rest}")
    return path


def test_check(host: SshHost) -> None:
    """All comes back, and the host is as it was."""
    before = host.run(STATE)
    ended = xlatperf("check", bench(host), *SHORT, folder=host.folder)
    assert ended.code == 0, ended.output
    assert "All frames came back as they must" in ended.output
    assert host.run(STATE) == before
    assert _engines(host) == []


CAMPAIGN = f"""{RELAXED}
[[measure]]
procedure = "latency"
rate_fps = 100
duration_s = 3.5
tags_from_s = 0.1
raw_delays = true
{DEMONSTRATION}
[[measure]]
procedure = "throughput"
minimum_fps = 100
maximum_fps = 1000
stop_width_percent = 50
duration_s = 1.5
{DEMONSTRATION}
"""


def test_a_campaign_whose_connection_is_lost(host: SshHost) -> None:
    """It stops in order, and goes on when it's started again; what is kept is of the Tester's host and its clock."""
    pytest.importorskip("pyarrow")
    before = host.run(STATE)
    file = bench(host, CAMPAIGN)
    command = ("run", file, "--folder", "results", "--skip-selftest")

    def end_sshd(_: int) -> None:
        for pid in _engines(host):
            os.kill(_parent(pid), signal.SIGKILL)

    ended = cut(*command, folder=host.folder, at="[2/2]", deed=end_sshd)
    assert ended.code == 3, ended.output
    assert f"the Tester failed: the connection to {NAME} is lost: " in ended.output
    assert "the same command then goes on from here" in ended.output
    ended = xlatperf(*command, folder=host.folder)
    assert ended.code == 0, ended.output
    results = json.loads((host.folder / "results/results.json").read_text())
    throughput, latency = results["measurements"]
    assert (latency["procedure"], throughput["procedure"]) == ("latency", "throughput")
    assert latency["device_cpu"]["router"] == pytest.approx(1, abs=0.1)
    assert latency["device_idle"]["core 0"] == pytest.approx(1, abs=0.1)
    assert len(list((host.folder / "results/raw").glob("*.parquet"))) == 2
    known = json.loads((host.folder / "results/environment.json").read_text())
    assert known["host"]["name"] == known["host"]["controlled_from"]
    assert known["host"]["cpu_count"] == os.cpu_count()
    assert known["host"]["kernel_parameters"]["/proc/cmdline"] == Path("/proc/cmdline").read_text().strip()
    assert [one["changed"] for one in known["sessions"]] == [[], []]
    assert host.run(STATE) == before
    assert _engines(host) == []


def test_a_table_of_softwires_is_sent(host: SshHost) -> None:
    """The engine there reads its own copy."""
    (host.folder / "here").mkdir()
    rows = ["ipv6,ipv4,psid_offset,psid_length,psid,lwaftr"]
    rows += [f"2001:2:0:2000::{number},198.18.0.1,0,8,{number},2001:2:0:c000::1" for number in range(8, 16)]
    (host.folder / "here/softwires.csv").write_text("\n".join(rows) + "\n")
    file = bench(host)
    text = file.read_text().replace(
        'technology = { name = "native", family = "ipv4" }',
        'technology = { name = "lw4o6", softwires = { table = "here/softwires.csv" } }',
    )
    file.write_text(text)
    ended = xlatperf("selftest", file, "--duration", "0.05", folder=host.folder)
    assert ended.code == 0, ended.output
    assert "net_ring" in ended.output


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        (
            {"engine": "/nowhere/engine"},
            "tester.engine: /nowhere/engine: dut has no such program: build xlatperf there, and",
        ),
        ({"engine": ""}, "tester.host: xlatperf-engine: dut has no such program"),
        ({"engine": "/bin/echo"}, r"tester.host: /bin/echo on dut must be version [0-9.]+, and it says: [^ ]"),
        ({"host": "127.0.0.9"}, "tester.host: can't reach 127.0.0.9 over SSH: "),
        ({"ssh_config": "none"}, "tester.ssh_config: none is not allowed: a file"),
        (
            {"left.port": "net_af_packet0,iface=eth9"},
            "tester.left.port: net_af_packet0,iface=eth9: on dut there",
        ),
        ({"left.allow": "eth9"}, "tester.left.allow: eth9 is not allowed: eth1, which tester.left.port lies on"),
    ],
)
def test_what_is_wrong(host: SshHost, changed: dict[str, str], said: str) -> None:
    ended = xlatperf("check", bench(host, **changed), *SHORT, folder=host.folder)
    assert ended.code == 2, ended.output
    assert re.search(said, " ".join(ended.output.split())), ended.output


def test_interfaces_that_the_host_needs(host: SshHost) -> None:
    """Test frames would go to its own network; unless somebody wants that."""
    host.run(f"ip address add 192.0.2.1/24 dev {INTERFACES['left']}")
    ended = xlatperf("check", bench(host), *SHORT, folder=host.folder)
    assert ended.code == 2, ended.output
    said = " ".join(ended.output.split())
    assert "dut uses eth1 itself: eth1 has the address 192.0.2.1/24; take another interface, or say tester.left" in said
    ended = xlatperf("check", bench(host, **{"left.allow": "eth1"}), *SHORT, folder=host.folder)
    assert ended.code == 0, ended.output


def _engines(host: SshHost) -> list[int]:
    there = run_command(("ip", "netns", "pids", host.namespace.name)).split()
    return [int(pid) for pid in there if Path(f"/proc/{pid}/comm").read_text().startswith("xlatperf-engine")]


def _parent(pid: int) -> int:
    stat = Path(f"/proc/{pid}/stat").read_text()
    return int(stat.rpartition(")")[2].split()[1])
