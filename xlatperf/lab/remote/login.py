"""One login for many commands (ControlMaster of ssh_config(5)): a command then costs no key exchange on the device."""

from __future__ import annotations

from pathlib import Path

from xlatperf.lab.daemon import Daemon
from xlatperf.lab.error import LabError
from xlatperf.lab.remote.ssh_command import CONNECT_S, advice, ssh
from xlatperf.lab.runtime_folder import RuntimeFolder

_WAIT_S = CONNECT_S + 10.0


class Login:
    """From `open` to `close`."""

    def __init__(self, host: str, settings: Path | None = None) -> None:
        """`host` as ssh(1) takes it; `settings`: its file in place of the user's own."""
        self._host = host
        self._settings = settings
        self._folder: RuntimeFolder | None = None
        self._master: Daemon | None = None

    def open(self) -> None:
        """Returns when commands can be run. Raises LabError."""
        self._folder = RuntimeFolder()
        socket = self._folder.path / "ssh"
        command = ssh(self._host, self._settings, "-N", "-o", "ControlMaster=yes", "-S", str(socket))
        self._master = Daemon("ssh", command, self._folder.path)
        self._master.start()
        try:
            self._master.wait_until(socket.exists, _WAIT_S)
        except LabError as error:
            raise LabError(advice(self._host, self._master.last_line(), str(error))) from error

    @property
    def prefix(self) -> tuple[str, ...]:
        """Before a text for the shell of the device, one word; without a master it's a login of its own."""
        if self._folder is None:
            raise LabError(f"nobody is logged in to {self._host}")
        return ssh(self._host, self._settings, "-S", str(self._folder.path / "ssh"))

    def close(self) -> None:
        """Never raises; may be called twice."""
        if self._master is not None:
            self._master.stop()
        if self._folder is not None:
            self._folder.remove()
            self._folder = None
