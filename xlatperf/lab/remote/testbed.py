"""A Tester with ports of the user's, and a device on another host:

tester's left port <-cable-> left interface :host: right interface <-cable-> tester's right port

The device is a network namespace of that host with the two interfaces in it, so nothing else of the host is changed:
not its own routes, rules or addresses. The namespace and what runs in it ends with the connection.
"""

from __future__ import annotations

import contextlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from xlatperf.lab.bed import DUT_PORTS, Bed, quieten
from xlatperf.lab.error import LabError
from xlatperf.lab.programs import Program
from xlatperf.lab.remote import interfaces
from xlatperf.lab.remote.connection import Connection
from xlatperf.lab.remote.host import RemoteHost
from xlatperf.lab.shell_namespace import ShellNamespace
from xlatperf.lab.shell_process import ShellProcess


@dataclass(frozen=True)
class Needed:
    """What must be on a host."""

    programs: tuple[Program, ...] = ()
    modules: tuple[str, ...] = ()
    """Of its kernel; loaded before they are used."""


class RemoteTestbed(Bed):
    """`hardware` says what its interfaces are, by side."""

    def __init__(self, mtu: int, connection: Connection, taken: Mapping[str, str], needed: Needed) -> None:
        """`taken`: interfaces of the host by side. Raises LabError."""
        super().__init__(mtu)
        self._connection = connection
        self._taken = taken
        self._needed = needed
        self.host = RemoteHost(self._connection)
        # the agent has the name
        self.namespace = ShellNamespace(self.host, '"$namespace"', self.host.name, self.host.where)
        self.hardware: dict[str, str] = {}

    @property
    def devices(self) -> Sequence[ShellNamespace]:
        """One."""
        return (self.namespace,)

    @property
    def at(self) -> Mapping[str, ShellNamespace]:
        """On both sides the same."""
        return dict.fromkeys(DUT_PORTS, self.namespace)

    @property
    def dut(self) -> ShellNamespace:
        """The namespace."""
        return self.namespace

    @property
    def where_forwarded(self) -> str:
        """As the host's interfaces are set up."""
        return f"the kernel of {self.host.name} works on a packet on the core that its interface interrupts"

    def make(self) -> None:
        """Connects, makes the namespace, moves the interfaces into it. Raises LabError."""
        try:
            self._connection.open()
            if missing := self.host.missing(self._needed.programs):
                raise LabError("; ".join(missing))
            self.host.load(self._needed.modules)
            seen = interfaces.look(self.host)
            for side, name in self._taken.items():
                if (why := seen.why_not(name)) is not None:
                    raise UnusableInterface(side, name, f"{self.host.where} {why}")
            self.namespace.create()
            quieten(self.namespace)
            for side, name in self._taken.items():
                interfaces.take(self.host, seen, name, DUT_PORTS[side])
                self.hardware[side] = seen.hardware.get(name, "")
            quieten(self.namespace, DUT_PORTS.values())
            with self.namespace.network() as network:
                for port in DUT_PORTS.values():
                    network.set_mtu(port, self.mtu)
                    network.set_up(port)
        except BaseException:
            self.remove()
            raise

    def file(self, name: str, text: str) -> str:
        """In the agent's folder."""
        path = f"{self.host.folder()}/{name}"
        self.host.write(path, text)
        return path

    def process(self, name: str, command: Sequence[str], cores: Sequence[int], side: str) -> ShellProcess:
        """In the namespace; the agent ends what runs there."""
        return ShellProcess(self.at[side], name, command, self.host.folder(), cores)

    def set_host_parameter(self, name: str, value: int) -> None:
        """Put back when the connection ends."""
        self.host.set_for_run(name, value)

    def remove(self) -> None:
        """The host's agent does it when the connection ends."""
        with contextlib.suppress(OSError):
            self._connection.close()


class UnusableInterface(LabError):
    """The message is about an interface of the host; `side` and `name` say which."""

    def __init__(self, side: str, name: str, why: str) -> None:
        super().__init__(why)
        self.side = side
        self.name = name
