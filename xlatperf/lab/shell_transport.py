"""A device with Linux that is reached by a shell: all that drivers do there, as commands."""

from __future__ import annotations

import shlex
import textwrap
from abc import abstractmethod
from collections.abc import Mapping, Sequence

from xlatperf.lab.error import LabError
from xlatperf.lab.namespace import first_complaint
from xlatperf.lab.shell_console import Ended
from xlatperf.lab.shell_network import ShellNetwork
from xlatperf.lab.transport import COMMAND_S, Transport

_SHOWN = 100
"""Characters of a script that failed."""


class ShellTransport(Transport):
    """Bash, iproute2 and the other programs that a driver asks for must be there."""

    @abstractmethod
    def script(self, lines: str, timeout_s: float = COMMAND_S) -> str:
        """Runs lines of bash, returns their standard output. Raises LabError with what they wrote."""

    def output_of(self, ended: Ended, lines: str) -> str:
        """What a script wrote. Raises LabError with the line that says why it failed."""
        if ended.status != 0:
            said = first_complaint(ended.errors, ended.output, ended.status)
            shown = textwrap.shorten(lines, _SHOWN, placeholder="...")
            raise LabError(f"{self.where} `{shown}` failed: {said}")
        return ended.output

    def write(self, path: str, text: str) -> None:
        """Makes a file there. Raises LabError."""
        self.script(f"printf %s {shlex.quote(text)} >{shlex.quote(path)}")

    def run(self, command: Sequence[str], timeout_s: float = COMMAND_S, *, text: str | None = None) -> str:
        """Runs a command; `text` is what it reads."""
        if text is None:
            return self.script(shlex.join(command), timeout_s)
        return self.script(f"printf %s {shlex.quote(text)} | {shlex.join(command)}", timeout_s)

    def set_sysctl(self, name: str, value: int | str) -> None:
        """`name` with dots."""
        try:
            self.script(f"echo {shlex.quote(str(value))} >{_path(name)}")
        except LabError as error:
            raise LabError(f"can't set {name}={value} {self.where}: {error}") from error

    def set_sysctls(self, values: Mapping[str, int]) -> None:
        """With one script."""
        lines = (f"echo {value} >{_path(name)}" for name, value in values.items())
        try:
            self.script("\n".join(["set -e", *lines]))
        except LabError as error:
            raise LabError(f"can't set parameters {self.where}: {error}") from error

    def sysctl(self, name: str) -> str | None:
        """None where there is no such parameter."""
        path = _path(name)
        return self.script(f"[[ ! -r {path} ]] || cat {path}").strip() or None

    def host_sysctl(self, name: str) -> str | None:
        """The device's kernel is asked."""
        return self.sysctl(name)

    def proc_net(self, name: str) -> str:
        """A file of /proc/net."""
        return self.script(f"cat {shlex.quote(f'/proc/net/{name}')}")

    def network(self) -> ShellNetwork:
        """By ip(8)."""
        return ShellNetwork(self.script, self.where)

    def kernel(self) -> str:
        """As uname(1) says."""
        return self.script("uname -srv").strip()


def _path(name: str) -> str:
    return shlex.quote(f"/proc/sys/{name.replace('.', '/')}")
