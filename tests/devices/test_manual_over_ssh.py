"""The driver `manual` whose commands run on another host."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.devices.hosts import plan
from tests.lab.remote.ssh_host import NAME, TESTER_PORTS, SshHost, ssh_host
from tests.lab.remote.sshd import needs_ssh
from xlatperf.devices.device import Device, DeviceError, Neighbor
from xlatperf.devices.manual import Manual
from xlatperf.devices.user_command import CommandFailed
from xlatperf.lab.runtime_folder import base

pytestmark = needs_ssh


@pytest.fixture(scope="module")
def host(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SshHost]:
    with ssh_host(tmp_path_factory.mktemp("host")) as host:
        yield host


@pytest.fixture
def undo() -> Iterator[ExitStack]:
    with ExitStack() as undo:
        yield undo


def prepared(host: SshHost, undo: ExitStack, **keys: object) -> Device:
    ports = {f"{side}_port": f"net_af_packet{n},iface={port}" for n, (side, port) in enumerate(TESTER_PORTS.items())}
    driver = Manual.model_validate(
        {
            "driver": "manual",
            "host": NAME,
            "ssh_config": host.config.name,
            "namespace": host.tester.name,
            **ports,
            **keys,
        }
    )
    return driver.located(host.folder).prepare(plan({}, {}, {}), undo)


def test_commands_are_run_there(host: SshHost, undo: ExitStack) -> None:
    """With their variables, by one login, of which nothing is left."""
    before = set(base().glob(f"{os.getpid()}-*"))
    device = prepared(
        host,
        undo,
        count_command="ip -o link show | wc -l",
        set_cores_command='echo "$XLATPERF_CORES" >/run/cores',
        neighbor_command='echo "$XLATPERF_LEFT_MAC" "it\'s" >/run/mac',
        facts_command="echo name: $(cat /run/cores)",
        clear_command="echo so; exit 3",
    )
    assert device.count_state() == 3
    device.set_cores(4)
    device.set_neighbors(Neighbor("02:00:00:00:00:0a", None, None), Neighbor("02:00:00:00:00:0b", None, None))
    assert host.run("cat /run/cores /run/mac") == "4\n02:00:00:00:00:0a it's\n"
    assert device.facts()["name"] == "4"
    assert device.facts()["host"] == NAME
    with pytest.raises(CommandFailed, match=f"`echo so; exit 3` on {NAME} failed with exit code 3: so$"):
        device.clear_state()
    assert (host.folder / "sshd.log").read_text().count("Accepted publickey") == 1
    undo.close()
    assert set(base().glob(f"{os.getpid()}-*")) == before


def test_a_command_that_takes_too_long(host: SshHost, undo: ExitStack) -> None:
    device = prepared(host, undo, clear_command="echo begun; sleep 100", clear_command_limit_s=1)
    with pytest.raises(CommandFailed, match=f"on {NAME} didn't end within 1 s .*: begun$"):
        device.clear_state()


def test_no_login(host: SshHost, undo: ExitStack, tmp_path: Path) -> None:
    (tmp_path / "config").write_text(f"Host {NAME}\nProxyCommand false\n")
    with pytest.raises(DeviceError, match=f"^device.host: can't reach {NAME} over SSH: "):
        prepared(host, undo, ssh_config=str(tmp_path / "config"))
    with pytest.raises(DeviceError, match=r"^device\.ssh_config: nowhere is not allowed: a file$"):
        prepared(host, undo, ssh_config="nowhere")


def test_settings_without_a_host() -> None:
    with pytest.raises(ValueError, match=r"ssh_config: c is not allowed: nothing without device\.host"):
        Manual.model_validate({"driver": "manual", "ssh_config": "c"})
