"""A connection by OpenSSH's client, for as long as a run lasts: its keys, jumps and settings are the user's own."""

from __future__ import annotations

import contextlib
import shlex
import socket
import subprocess
import tempfile
import threading
from importlib.resources import files
from pathlib import Path
from typing import IO

from xlatperf.lab.error import LabError
from xlatperf.lab.programs import SSH
from xlatperf.lab.remote.ssh_command import advice, ssh
from xlatperf.lab.shell_console import Ended, ShellConsole, agent

_READY_S = 60.0
"""Until the host takes commands: a connection over others may take longer than one."""
_GREETING_S = 20.0
"""The agent ends after 120 s without a word."""
_END_S = 10.0


def _empty_file() -> IO[bytes]:
    # of the kind in which what ssh writes comes last, wherever it was read
    return tempfile.TemporaryFile("a+b")


class Connection:
    """Of one run with one host. The file `agent` is its other end."""

    def __init__(self, host: str, settings: Path | None = None) -> None:
        """`host` as ssh(1) takes it; `settings`: its file in place of the user's own."""
        self.host = host
        self._settings = settings
        self._process: subprocess.Popen[bytes] | None = None
        self._console: ShellConsole | None = None
        self._complaints: IO[bytes] | None = None
        self._closing = threading.Event()

    def open(self) -> None:
        """Returns when the host takes commands. Raises LabError."""
        self._closing.clear()
        lines = agent(files(__package__).joinpath("agent").read_text(encoding="utf-8"))
        login = ssh(self.host, self._settings, "-o", "ControlPath=none")
        command = (*login, f"exec bash -c {shlex.quote(lines)}")
        self._complaints = _empty_file()
        here, there = socket.socketpair()
        with there:
            try:
                # a session of its own: Ctrl-C is for xlatperf, which then ends the connection in order
                self._process = subprocess.Popen(
                    command,
                    stdin=there.fileno(),
                    stdout=there.fileno(),
                    stderr=self._complaints,
                    start_new_session=True,
                )
            except OSError as error:
                here.close()
                raise LabError(f"can't start {SSH.name}: {error.strerror}") from error
        self._console = ShellConsole(here, self.host)
        try:
            self._console.wait_for("READY", _READY_S)
        except LabError as error:
            raise LabError(self._why_not(str(error))) from error
        threading.Thread(target=self._greet, name=f"greets {self.host}", daemon=True).start()

    def run(self, script: str, timeout_s: float) -> Ended:
        """Lines for bash. Raises LabError where no answer comes."""
        if self._console is None:
            raise LabError(f"there is no connection to {self.host}")
        try:
            return self._console.run(script, timeout_s)
        except LabError as error:
            self._wait_for_end()
            raise LabError(self.why_lost() or str(error)) from error

    def why_lost(self, elsewhere: str = "") -> str:
        """Empty while it stands; `elsewhere`: what another connection with the same host said when it was lost."""
        if not elsewhere and (self._process is None or self._process.poll() is None):
            return ""
        said = elsewhere or self._said()
        why = f": {said}" if said else ""
        return (
            f"the connection to {self.host} is lost{why}; the host is put back within 2 minutes, and the same command "
            "then goes on from here"
        )

    def close(self) -> None:
        """The host is as it was when this returns. Never raises; may be called twice."""
        self._closing.set()
        console, self._console = self._console, None
        if console is not None:
            console.close()  # the agent ends when its input does, and ssh when the agent has ended
        process, self._process = self._process, None
        if process is None:
            return
        for end in (process.terminate, process.kill):
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(_END_S)
                break
            end()
        process.wait()
        if self._complaints is not None:
            self._complaints.close()

    def _greet(self) -> None:
        while not self._closing.wait(_GREETING_S):
            with contextlib.suppress(LabError):  # the next command tells
                console = self._console
                if console is not None:
                    console.greet()

    def _wait_for_end(self) -> None:
        """Of ssh, whose connection has ended: it says why."""
        if self._process is not None:
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._process.wait(1)

    def _why_not(self, otherwise: str) -> str:
        """Why there is no connection, with what can be done about it."""
        self._wait_for_end()
        return advice(self.host, self._said(), otherwise)

    def _said(self) -> str:
        """The last line of its complaints."""
        if self._complaints is None:
            return ""
        try:
            self._complaints.seek(0)
            lines = [line.strip() for line in self._complaints.read().decode(errors="replace").splitlines()]
        except ValueError:  # closed meanwhile
            return ""
        return next((line for line in reversed(lines) if line), "")
