"""A host over SSH."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Sequence

from xlatperf.lab.programs import Program
from xlatperf.lab.remote.connection import Connection
from xlatperf.lab.shell_transport import ShellTransport
from xlatperf.lab.transport import COMMAND_S


class RemoteHost(ShellTransport):
    """As root, outside of the device's namespace."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self.name = connection.host

    @property
    def where(self) -> str:
        """In words."""
        return f"on {self.name}"

    @property
    def whose_kernel(self) -> str:
        """In words."""
        return f"the kernel of {self.name}"

    def script(self, lines: str, timeout_s: float = COMMAND_S) -> str:
        """Lines for bash; their standard output. Raises LabError with what they wrote."""
        return self.output_of(self._connection.run(lines, timeout_s), lines)

    def why_gone(self) -> str:
        """The connection is."""
        return self._connection.why_lost()

    def missing(self, programs: Iterable[Program]) -> list[str]:
        """That one isn't there, and what to do about it. Raises LabError."""
        by_name = {program.name: program for program in programs}
        names = shlex.join(by_name)
        found = self.script(f'for one in {names}; do type -P "$one" >/dev/null || echo "$one"; done').split()
        return [f"{self.where} {by_name[name].missing}" for name in found if name in by_name]

    def folder(self) -> str:
        """The agent's own, gone when the connection ends. Raises LabError."""
        return self.script('echo "$folder"').strip()

    def load(self, modules: Sequence[str]) -> None:
        """Modules of its kernel, which stay. Raises LabError."""
        for module in modules:
            self.script(f"[[ -d /sys/module/{module} ]] || modprobe {module}")

    def set_for_run(self, name: str, value: int) -> None:
        """A parameter of the whole kernel, with dots; put back when the connection ends. Raises LabError."""
        path = shlex.quote(f"/proc/sys/{name.replace('.', '/')}")
        # its file first: what is changed twice has its first value again
        self.script(
            f"set -e; before=$(<{path}); parameters=$folder/parameters\n"
            f'cut -d" " -f1 "$parameters" | grep -qxF {path} || echo {path} "$before" >>"$parameters"\n'
            f"echo {value} >{path}"
        )
