"""The Tester on another host, which is a network namespace with OpenSSH's server; the DUT is at its cables."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.lab.remote.ssh_host import INTERFACES, NAME, TESTER_PORTS, SshHost, ssh_host
from tests.lab.remote.sshd import needs_ssh
from tests.system.command import xlatperf
from xlatperf.engine.binary import find_engine
from xlatperf.lab.network import Network

pytestmark = needs_ssh
SHORT = ("--duration", "0.1", "--timeout", "0.3")
DEMONSTRATION = "repetitions = 1\ntimeout_s = 0.3\nsettle_s = 0\nlearning_wait_s = 0\nframe_sizes = [64]\n"
STATE = "ip -4 -br address; ip route; ls /run"
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


def bench(host: SshHost, rest: str = "", *, tester: str = "") -> Path:
    ports = "".join(
        f'{side}.port = "net_af_packet{number},iface={name}"\n'
        for number, (side, name) in enumerate(INTERFACES.items())
    )
    path = host.folder / "bench.toml"
    path.write_text(
        f'device.driver = "manual"\ntechnology = {{ name = "native", family = "ipv4" }}\n[tester]\nhost = "{NAME}"\n'
        f'ssh_config = "{host.config.name}"\n{tester or f"""engine = "{find_engine()}"\n"""}{ports}{rest}'
    )
    return path


def test_check(host: SshHost) -> None:
    """All comes back, and the host is as it was."""
    before = host.run(STATE)
    ended = xlatperf("check", bench(host), *SHORT, folder=host.folder)
    assert ended.code == 0, ended.output
    assert "All frames came back as they must" in ended.output
    assert host.run(STATE) == before
