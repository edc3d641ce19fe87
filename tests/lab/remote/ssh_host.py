"""A host over SSH: a network namespace with two interfaces, its own /run and OpenSSH's server for each connection.

Nothing listens: ssh's ProxyCommand starts the server, which speaks at its standard input and output.
"""

from __future__ import annotations

import contextlib
import os
import shlex
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

from tests.lab.remote.sshd import sshd
from xlatperf.lab.namespace import Namespace, run_command
from xlatperf.lab.network import Network
from xlatperf.lab.veth import End, link

NAME = "dut"
INTERFACES = {"left": "eth1", "right": "eth2"}
TESTER_PORTS = {"left": "t0", "right": "t1"}
_START_S = 10.0
_MACS = ("02:00:00:00:0a:0{}", "02:00:00:00:0b:0{}")


class SshHost:
    """`namespace` is the host's, `tester` that of the interfaces at the other ends of its cables."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.namespace = Namespace(f"xlatperf-{os.getpid()}-host")
        self.tester = Namespace(f"xlatperf-{os.getpid()}-tester")
        self.config = folder / "ssh_config"
        self.server_config = folder / "sshd_config"
        self._holder: subprocess.Popen[bytes] | None = None

    def make(self) -> None:
        for namespace in (self.namespace, self.tester):
            namespace.create()
            for scope in ("all", "default"):
                namespace.set_sysctl(f"net.ipv6.conf.{scope}.disable_ipv6", int(namespace is self.tester))
        with Network(self.namespace) as network:
            network.set_link("lo", state="up")
        for number, side in enumerate(INTERFACES):
            one, other = (mac.format(number) for mac in _MACS)
            link(End(self.tester, TESTER_PORTS[side], one), End(self.namespace, INTERFACES[side], other), 1500)
        self._hold()
        self._configure()

    def run(self, script: str) -> str:
        """As root of the host."""
        assert self._holder is not None
        return run_command(("nsenter", "-t", str(self._holder.pid), "-m", "-n", "bash", "-c", script))

    def remove(self) -> None:
        if self._holder is not None:
            self._holder.kill()
            self._holder.wait()
        for namespace in (self.namespace, self.tester):
            namespace.remove()

    def _hold(self) -> None:
        """A process that keeps the host's mounts: its /run is its own, and the user that sshd separates is there."""
        run = self.folder / "run"
        run.mkdir()
        passwd = self.folder / "passwd"
        known = Path("/etc/passwd").read_text(encoding="utf-8")
        passwd.write_text(known + ("" if "\nsshd:" in known else "sshd:x:65533:65534::/run/sshd:/usr/sbin/nologin\n"))
        ready = self.folder / "ready"
        script = (
            f"set -e; mount --bind {shlex.quote(str(passwd))} /etc/passwd; mount -t tmpfs tmpfs /run; "
            f"mkdir -m 755 /run/sshd /run/netns; touch {shlex.quote(str(ready))}; exec sleep 3600"
        )
        command = ("setpriv", "--pdeathsig", "KILL", "unshare", "--mount", "bash", "-c", script)
        self._holder = subprocess.Popen((*self.namespace.prefix, *command))
        until = time.monotonic() + _START_S
        while not ready.exists():
            assert self._holder.poll() is None
            assert time.monotonic() < until
            time.sleep(0.01)

    def _configure(self) -> None:
        assert self._holder is not None
        program, libraries = sshd()
        folder = self.folder
        for name in ("host_key", "user_key"):
            run_command(("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(folder / name)))
        (folder / "known_hosts").write_text(f"{NAME} {(folder / 'host_key.pub').read_text()}")
        self.server_config.write_text(
            f"HostKey {folder}/host_key\nAuthorizedKeysFile {folder}/user_key.pub\nStrictModes no\nUsePAM no\n"
            "PermitRootLogin yes\nPasswordAuthentication no\nPidFile none\n"
        )
        path = f"env LD_LIBRARY_PATH={libraries} " if libraries is not None else ""
        proxy = folder / "proxy"
        proxy.write_text(
            f"#!/bin/sh\nexec nsenter -t {self._holder.pid} -m -n {path}{program} -i -e -f {self.server_config} "
            f"2>>{folder}/sshd.log\n"
        )
        proxy.chmod(0o755)
        self.config.write_text(
            f"Host {NAME}\nUser root\nProxyCommand {proxy}\nIdentityFile {folder}/user_key\nIdentitiesOnly yes\n"
            f"UserKnownHostsFile {folder}/known_hosts\nStrictHostKeyChecking yes\n"
        )


@contextlib.contextmanager
def ssh_host(folder: Path) -> Iterator[SshHost]:
    host = SshHost(folder)
    try:
        host.make()
        yield host
    finally:
        host.remove()
