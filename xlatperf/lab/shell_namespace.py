"""A network namespace of a device that is reached by a shell: of another host, or of a virtual machine."""

from __future__ import annotations

import shlex

from xlatperf.lab.shell_transport import ShellTransport
from xlatperf.lab.transport import COMMAND_S


class ShellNamespace(ShellTransport):
    """Made by `create`; gone with what it's in."""

    def __init__(self, parent: ShellTransport, word: str, name: str, where: str | None = None) -> None:
        """`parent`: what it's in; `word` names it there, for a shell; `name` among devices; `where` in words."""
        self._parent = parent
        self._word = word
        self.name = name
        self._where = where

    @property
    def where(self) -> str:
        """In words."""
        return self._where or f"{self._parent.where}, namespace {self.name}"

    @property
    def whose_kernel(self) -> str:
        """In words."""
        return self._parent.whose_kernel

    def create(self) -> None:
        """Makes it. Raises LabError."""
        self._parent.script(f"ip netns add {self._word} && ip -n {self._word} link set lo up")

    def script(self, lines: str, timeout_s: float = COMMAND_S) -> str:
        """Lines for bash; their standard output. Raises LabError with what they wrote."""
        return self._parent.script(f"ip netns exec {self._word} bash -c {shlex.quote(lines)}", timeout_s)

    def host_sysctl(self, name: str) -> str | None:
        """Most of those that all namespaces share are to be seen outside of them only."""
        return self._parent.host_sysctl(name)

    def why_gone(self) -> str:
        """What it's in is."""
        return self._parent.why_gone()
