"""The second serial port of a virtual machine: a Unix socket of QEMU's. The file `agent` is the other end."""

from __future__ import annotations

import select
import socket
from pathlib import Path

from xlatperf.lab.error import LabError
from xlatperf.lab.shell_console import ShellConsole

_WHO = "the virtual machine"


class Listener:
    """A socket at `path` to which QEMU connects, before its machine starts: no word of the machine's is missed."""

    def __init__(self, path: Path) -> None:
        """Listens until `close`. Raises LabError."""
        self._socket = socket.socket(socket.AF_UNIX)
        try:
            path.unlink(missing_ok=True)
            self._socket.bind(str(path))
            self._socket.listen(1)
        except OSError as error:
            self.close()
            raise LabError(f"the virtual machine's console {path}: {error.strerror or error}") from error

    def called(self) -> bool:
        """QEMU has connected: `accept` needn't wait."""
        return bool(select.select([self._socket], [], [], 0)[0])

    def accept(self) -> ShellConsole:
        """Waits for QEMU to connect."""
        return ShellConsole(self._socket.accept()[0], _WHO)

    def close(self) -> None:
        """Of the listening only. Never raises."""
        self._socket.close()
