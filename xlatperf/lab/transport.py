"""Where a device is and how it is reached: a namespace of this host, a virtual machine, a host over SSH.

A driver says what to do there and doesn't know which of them it is.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Protocol

COMMAND_S = 20.0
"""How long a command may take."""


class NetworkThere(Protocol):
    """Links, addresses, routes and neighbours of a device. All of it raises LabError."""

    def set_mtu(self, name: str, mtu: int) -> None:
        """In bytes."""

    def set_up(self, name: str) -> None:
        """The link is used."""

    def set_queue_length(self, name: str, packets: int) -> None:
        """How many may wait to be sent."""

    def transmit_drops(self, link: str) -> int:
        """Packets that the kernel had to send through `link` and dropped, since the link exists."""

    def add_address(self, link: str, address: str) -> None:
        """`address` with prefix length ("198.18.255.1/30"); usable at once."""

    def add_route(self, prefix: str, link: str, via: str | None = None) -> None:
        """A route through `link`, to the next hop `via` if there is one."""

    def add_neighbour(self, link: str, address: str, mac: str) -> None:
        """An entry that never ages, so that no trial loses frames to address resolution."""

    def links(self) -> list[str]:
        """Names of all interfaces."""

    def link_is_up(self, name: str) -> bool:
        """Up, and with a carrier."""

    def routes(self, link: str) -> set[str]:
        """The destinations routed through `link`, as prefixes."""


class Transport(ABC):
    """`name` tells those of one testbed apart."""

    name: str

    @property
    @abstractmethod
    def where(self) -> str:
        """In words: `in namespace dut`."""

    @property
    @abstractmethod
    def whose_kernel(self) -> str:
        """In words: `this host's kernel`."""

    @abstractmethod
    def run(self, command: Sequence[str], timeout_s: float = COMMAND_S, *, text: str | None = None) -> str:
        """Runs a command, which reads `text`; returns its standard output. Raises LabError with what it wrote."""

    @abstractmethod
    def set_sysctl(self, name: str, value: int | str) -> None:
        """`name` with dots, as in sysctl(8). Not every kernel has every parameter: then it's a LabError."""

    def set_sysctls(self, values: Mapping[str, int]) -> None:
        """Several."""
        for name, value in values.items():
            self.set_sysctl(name, value)

    @abstractmethod
    def sysctl(self, name: str) -> str | None:
        """The value of a kernel parameter; None where there is no such parameter."""

    @abstractmethod
    def host_sysctl(self, name: str) -> str | None:
        """Of one that all namespaces of a kernel share."""

    @abstractmethod
    def proc_net(self, name: str) -> str:
        """A file of /proc/net, such as `snmp`. Raises LabError."""

    @abstractmethod
    def network(self) -> AbstractContextManager[NetworkThere]:
        """Its links and routes; what was asked for is done when the context ends. Raises LabError."""

    @abstractmethod
    def why_gone(self) -> str:
        """Why it can't be reached any more; empty: it can."""

    @abstractmethod
    def kernel(self) -> str:
        """Name, release, version."""
