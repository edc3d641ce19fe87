"""Where Tester and device meet: what all kinds of it have."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence

from xlatperf.lab.error import LabError
from xlatperf.lab.process import Process
from xlatperf.lab.transport import Transport

DUT_PORTS = {"left": "d0", "right": "d1"}
"""The device's interfaces, by the side of the Tester that they are joined to."""
TRUNK_PORTS = {"left": "v0", "right": "v1"}
"""Where a link is a VLAN, what these lie on."""
INNER_PORTS = {"left": "m0", "right": "m1"}
"""Of two devices in a row, the interfaces that join them."""
DEFAULT_MTU = 1500
ALLOWED_MTU = range(1280, 65536)  # the least that IPv6 may have (RFC 8200 §5), the most that a veth takes

# Nothing of the kernel's own on the links, addresses usable at once, no packet refused for where it came from.
_QUIET = {
    "net.ipv6.conf.{}.accept_dad": 0,
    "net.ipv6.conf.{}.dad_transmits": 0,
    "net.ipv6.conf.{}.accept_ra": 0,
    "net.ipv6.conf.{}.router_solicitations": 0,
    "net.ipv4.conf.{}.rp_filter": 0,
    "net.ipv4.conf.{}.send_redirects": 0,
}


class Bed(ABC):
    """Made by `make`, and gone without a trace after `remove`."""

    def __init__(self, mtu: int) -> None:
        """`mtu`: of the links between Tester and device."""
        if mtu not in ALLOWED_MTU:
            raise LabError(f"an MTU of {mtu} isn't possible: {ALLOWED_MTU.start} to {ALLOWED_MTU.stop - 1}")
        self.mtu = mtu
        self.inner_mtu = mtu
        """Of what is between two devices, or between a device and its translator."""
        self.why_kernel_looks: str | None = None
        """At frames for the Tester, which costs the Tester speed; None: it doesn't."""

    @property
    @abstractmethod
    def devices(self) -> Sequence[Transport]:
        """From left to right."""

    @property
    def at(self) -> Mapping[str, Transport]:
        """The device that the Tester's port of a side is joined to."""
        return {"left": self.devices[0], "right": self.devices[-1]}

    @property
    def dut(self) -> Transport:
        """The device; of two the left one."""
        return self.devices[0]

    @abstractmethod
    def make(self) -> None:
        """Makes it all, or raises LabError and leaves nothing."""

    @abstractmethod
    def remove(self) -> None:
        """Removes all that `make` made, also when that was interrupted. Never raises; may be called twice."""

    @abstractmethod
    def set_host_parameter(self, name: str, value: int) -> None:
        """A kernel parameter that all namespaces of the device's kernel share. Raises LabError."""

    @abstractmethod
    def file(self, name: str, text: str) -> str:
        """Makes a file for a program on a device, gone with the bed; returns its path there. Raises LabError."""

    @abstractmethod
    def process(self, name: str, command: Sequence[str], cores: Sequence[int], side: str) -> Process:
        """Of the device on that side; it ends with the bed, and the caller starts it. Raises LabError."""

    @property
    @abstractmethod
    def where_forwarded(self) -> str:
        """On which cores the device's kernel works, where nobody has chosen them, in words."""


def quieten(device: Transport, scopes: Iterable[str] = ("all", "default")) -> None:
    """A device says nothing by itself on the links that are made later, or on these. Raises LabError."""
    device.set_sysctls({name.format(scope): value for scope in scopes for name, value in _QUIET.items()})
