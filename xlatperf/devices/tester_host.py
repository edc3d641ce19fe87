"""The host that the engine runs on, where that is another one than this: `tester.host`."""

from __future__ import annotations

import shlex
import time
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from subprocess import DEVNULL, PIPE, TimeoutExpired, run
from typing import IO

from xlatperf.devices.assembled import explained
from xlatperf.devices.device import DeviceError, Ports
from xlatperf.devices.users_ports import each_once
from xlatperf.keys.not_allowed import not_allowed
from xlatperf.keys.port_name import interface_of, is_virtual, parts
from xlatperf.lab.remote import interfaces
from xlatperf.lab.remote.connection import Connection
from xlatperf.lab.remote.host import RemoteHost
from xlatperf.lab.remote.ssh_command import ssh
from xlatperf.lab.shell_namespace import ShellNamespace
from xlatperf.lab.shell_transport import ShellTransport

_PROGRAM = "xlatperf-engine"
# As root. The agent of the folder $0 ends what is in its file `processes`, with the time of its start.
_START = """[[ $EUID == 0 ]] || exec sudo -n -- bash -c "$BASH_EXECUTION_STRING" "$0" "$@"
stat=$(</proc/$$/stat) && words=(${stat##*) }) && echo "$$ ${words[19]}" >>"$0/processes" && LC_ALL=C exec "$@\""""
_SHOW = """for one in {paths}; do
    [[ ! -r $one ]] || {{ echo "$one"; grep -c "" "$one"; cat "$one" | sed '$a\\'; }}
done"""
_NOW = "grep -m1 '^now at' /proc/timer_list"
_CARRY_S = 300.0
"""A file there or back: a table of millions of softwires, delays of millions of frames."""


class TesterHost:
    """From `open` to `close`. All of it raises DeviceError."""

    def __init__(self, host: str, settings: Path | None, program: str | None, namespace: Sequence[str] = ()) -> None:
        """`program`: the engine's, without it the shell there finds it; `namespace`: `ip netns exec NAME`."""
        self.name = host
        self._settings = settings
        self._connection = Connection(host, settings)
        self._host = RemoteHost(self._connection)
        self._namespace = tuple(namespace)
        self._program = program
        self.folder = ""
        """The agent's there, gone with the connection."""

    def open(self, version: str) -> None:
        """Returns when the engine can be started there, which must have this version."""
        with explained("tester.host: "):
            self._connection.open()
        try:
            with explained("tester.host: "):
                self.folder = self._host.folder()
            self._program = self._found(version)
        except BaseException:
            self.close()
            raise

    @property
    def command(self) -> tuple[str, ...]:
        """Starts the engine, which reads and writes lines here."""
        words = ("bash", "-c", _START, self.folder, *self._namespace, self._program or _PROGRAM)
        return (*ssh(self.name, self._settings, "-o", "ControlPath=none"), f"exec {shlex.join(words)}")

    def why_lost(self, said: str = "") -> str:
        """Empty while the connection stands; `said`: that it doesn't."""
        return self._connection.why_lost(said)

    def ahead_s(self) -> float:
        """So much its CLOCK_MONOTONIC is ahead of this host's, to half of what a command takes."""
        before_s = time.monotonic()
        words = self._ask(_NOW).split()
        between_s = (before_s + time.monotonic()) / 2
        try:
            return int(words[2]) / 1e9 - between_s
        except (IndexError, ValueError):
            raise DeviceError(f"tester.host: {self.name} doesn't say what its clock shows") from None

    def files(self, paths: Sequence[str]) -> dict[str, str]:
        """What is in these files there, by path; those that can't be read are left out."""
        return dict(_contents(self._ask(_SHOW.format(paths=shlex.join(paths)))))

    def ask(self, command: Sequence[str]) -> str:
        """What a command writes."""
        return self._ask(shlex.join(command)).strip()

    def send(self, file: Path) -> str:
        """A copy of a file of this host; its path there."""
        there = f"{self.folder}/{file.name}"
        with file.open("rb") as read:
            self._carry(f"cat >{shlex.quote(there)}", stdin=read)
        return there

    def fetch(self, there: str, file: Path) -> None:
        """A file there becomes one here, and goes."""
        one = shlex.quote(there)
        with file.open("wb") as write:
            self._carry(f"cat {one} && rm {one}", stdout=write)

    def refuse_own_use(self, ports: Mapping[str, str], allowed: Ports) -> None:
        """Of ports by their keys, the left one first, those that lie on an interface that the host uses itself.

        `allowed`: `tester.SIDE.allow`.
        """
        there: ShellTransport = self._host
        if self._namespace:
            there = ShellNamespace(self._host, shlex.quote(self._namespace[-1]), self._namespace[-1])
        with explained("tester.host: "):
            seen = interfaces.look(there)
            of_cards = interfaces.look(self._host) if self._namespace else seen
            for (place, port), side, may in zip(each_once(ports), ("left", "right"), allowed, strict=False):
                names = self._lies_on(port)
                for name in names:
                    if interface_of(port) is not None and (missing := seen.why_none(name)) is not None:
                        raise DeviceError(f"{place}: {port}: {there.where} {missing}")
                    if name != may and (use := (seen if is_virtual(port) else of_cards).own_use(name)) is not None:
                        raise DeviceError(
                            f"{place}: {port}: {self.name} uses {name} itself: {use}; take another interface, or say "
                            f'tester.{side}.allow = "{name}" if test frames may go there'
                        )
                if may is not None and may not in names:
                    on = f"{', '.join(names)}, which {place} lies on" if names else f"nothing with {port}"
                    raise DeviceError(not_allowed(f"tester.{side}.allow", may, on))

    def close(self) -> None:
        """The agent there ends the engine if it still runs. Never raises; may be called twice."""
        self._connection.close()

    def _ask(self, lines: str) -> str:
        with explained("tester.host: "):
            return self._host.script(lines)

    def _found(self, version: str) -> str:
        wanted = shlex.quote(self._program or _PROGRAM)
        path = self._ask(f"type -P {wanted} || true").strip()
        if not path:
            named = f"tester.engine: {self._program}" if self._program else f"tester.host: {_PROGRAM}"
            raise DeviceError(
                f"{named}: {self.name} has no such program: build xlatperf there, and say as tester.engine where it is"
            )
        said = self._ask(f"{shlex.quote(path)} --version 2>&1 || true").strip()
        if said.split()[-1:] != [version]:
            last = said.splitlines()[-1][:200] if said else "nothing"
            raise DeviceError(f"tester.host: {path} on {self.name} must be version {version}, and it says: {last}")
        return path

    def _lies_on(self, port: str) -> Sequence[str]:
        """Interfaces of the host's kernel."""
        if is_virtual(port):
            name = parts(port)[1].get("remote") or interface_of(port)
            return () if name is None else (name,)
        return self._ask(f"ls /sys/bus/pci/devices/{shlex.quote(parts(port)[0])}/net || true").split()

    def _carry(self, lines: str, stdin: IO[bytes] | int = DEVNULL, stdout: IO[bytes] | int = DEVNULL) -> None:
        # as root, as the engine
        words = ("bash", "-c", f'[[ $EUID == 0 ]] || exec sudo -n -- bash -c "$BASH_EXECUTION_STRING"\n{lines}')
        command = (*ssh(self.name, self._settings, "-o", "ControlPath=none"), f"exec {shlex.join(words)}")
        try:
            done = run(command, stdin=stdin, stdout=stdout, stderr=PIPE, timeout=_CARRY_S, check=False)
        except (OSError, TimeoutExpired) as error:
            raise DeviceError(f"tester.host: can't carry a file to or from {self.name}: {error}") from error
        if done.returncode != 0:
            said = done.stderr.decode(errors="replace").strip().splitlines()
            why = said[-1] if said else f"exit code {done.returncode}"
            raise DeviceError(f"tester.host: can't carry a file to or from {self.name}: {why}")


def _contents(written: str) -> Iterator[tuple[str, str]]:
    """Of what `_SHOW` writes: a path, how many lines, and those."""
    lines = iter(written.splitlines())
    for path in lines:
        count = int(next(lines, "0"))
        yield path, "\n".join(islice(lines, count))
