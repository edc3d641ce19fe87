"""The Tester's part of a testbed on this host: its namespace with two ports, and a folder for all that runs.

The namespace has no addresses and no IPv6: whatever answers there is the Tester and not the kernel.
"""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from pathlib import Path

from xlatperf.lab import leftovers
from xlatperf.lab.daemon import Daemon
from xlatperf.lab.error import LabError
from xlatperf.lab.namespace import Namespace
from xlatperf.lab.runtime_folder import RuntimeFolder
from xlatperf.lab.transport import Transport

TESTER_PORTS = {"left": "t0", "right": "t1"}
DUT_PORTS = {"left": "d0", "right": "d1"}
DEFAULT_MTU = 1500
ALLOWED_MTU = range(1280, 65536)  # the least that IPv6 may have (RFC 8200 §5), the most that a veth takes

_NEEDS_ROOT = "network namespaces need root: run with sudo, or use the device `reference` over memif"

# Nothing of the kernel's own on the links, addresses usable at once, no packet refused for where it came from.
_QUIET = {
    "net.ipv6.conf.{}.accept_dad": 0,
    "net.ipv6.conf.{}.dad_transmits": 0,
    "net.ipv6.conf.{}.accept_ra": 0,
    "net.ipv6.conf.{}.router_solicitations": 0,
    "net.ipv4.conf.{}.rp_filter": 0,
    "net.ipv4.conf.{}.send_redirects": 0,
}


class TesterSide(ABC):
    """Made by `make`, and gone without a trace after `remove`. What is on the other side its kinds know."""

    def __init__(self, mtu: int) -> None:
        """`mtu`: of the links between Tester and device."""
        if mtu not in ALLOWED_MTU:
            raise LabError(f"an MTU of {mtu} isn't possible: {ALLOWED_MTU.start} to {ALLOWED_MTU.stop - 1}")
        self.mtu = mtu
        self.tester = self.namespace("tester")
        self._folder: RuntimeFolder | None = None
        self._daemons: list[Daemon] = []
        self._made: list[Namespace] = []
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

    @property
    def folder(self) -> Path:
        """For configurations, logs and sockets; removed with the testbed."""
        if self._folder is None:
            raise LabError("the testbed isn't made")
        return self._folder.path

    def make(self) -> None:
        """Makes it all, or raises LabError and leaves nothing."""
        if os.geteuid() != 0:
            raise LabError(_NEEDS_ROOT)
        leftovers.clean()
        try:
            self._folder = RuntimeFolder()
            self._create(self.tester)
            for scope in ("all", "default"):
                self.tester.set_sysctl(f"net.ipv6.conf.{scope}.disable_ipv6", 1)
            self._make_devices()
        except BaseException:
            self.remove()
            raise

    @abstractmethod
    def set_host_parameter(self, name: str, value: int) -> None:
        """A kernel parameter that all namespaces of the device's kernel share. Raises LabError."""

    @property
    @abstractmethod
    def where_forwarded(self) -> str:
        """On which cores the device's kernel works, where nobody has chosen them, in words."""

    def remove(self) -> None:
        """Removes all that `make` made, also when that was interrupted. Never raises; may be called twice."""
        for daemon in self._daemons:
            daemon.stop()
        self._daemons.clear()
        for namespace in self._made:
            namespace.remove()
        self._made.clear()
        if self._folder is not None:
            self._folder.remove()
            self._folder = None

    @abstractmethod
    def _make_devices(self) -> None:
        """Devices, and links to the Tester. Raises LabError."""

    @staticmethod
    def namespace(name: str) -> Namespace:
        """Of this process; not made yet."""
        return Namespace(f"{leftovers.NAMESPACE_PREFIX}{os.getpid()}-{name}")

    def _create(self, namespace: Namespace) -> None:
        if namespace.exists:
            raise LabError(f"namespace {namespace.name} is there already: one testbed per process")
        self._made.append(namespace)
        namespace.create()


def quieten(device: Transport, *scopes: str) -> None:
    """A device says nothing by itself on the links that are made later, and on these. Raises LabError."""
    for scope in ("all", "default", *scopes):
        for parameter, value in _QUIET.items():
            device.set_sysctl(parameter.format(scope), value)


def missing() -> list[str]:
    """What this host lacks for a testbed beside programs, and what to do about it."""
    return [] if os.geteuid() == 0 else [_NEEDS_ROOT]
