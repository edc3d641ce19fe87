"""A Tester and a DUT on one host: two network namespaces and two links between them.

    tester: t0 <-veth-> d0 :dut: d1 <-veth-> t1 :tester

Or a Tester and two devices in a row, each in a namespace of its own (the dual DUT setup of RFC 8219 §4.2):

    tester: t0 <-veth-> d0 :one: m0 <-veth-> m1 :other: d1 <-veth-> t1 :tester

The Tester's namespace has no addresses and no IPv6: whatever answers there is the Tester and not the kernel.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from xlatperf.lab import leftovers, tester_ports
from xlatperf.lab.daemon import Daemon
from xlatperf.lab.error import LabError
from xlatperf.lab.host_parameters import HostParameters
from xlatperf.lab.link_addresses import DUT_MACS, INNER_MACS, TESTER_MACS
from xlatperf.lab.namespace import Namespace
from xlatperf.lab.network import Network
from xlatperf.lab.runtime_folder import RuntimeFolder
from xlatperf.lab.veth import End, link

TESTER_PORTS = {"left": "t0", "right": "t1"}
DUT_PORTS = {"left": "d0", "right": "d1"}
INNER_PORTS = {"left": "m0", "right": "m1"}
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


class Testbed:
    """Made by `make`, and gone without a trace after `remove`."""

    __test__ = False  # for pytest: this isn't a test class

    def __init__(self, mtu: int = DEFAULT_MTU, devices: Sequence[str] = ("dut",), inner_mtu: int | None = None) -> None:
        """`devices` names one device or two, from left to right; `inner_mtu` is that of the link between the two."""
        if mtu not in ALLOWED_MTU:
            raise LabError(f"an MTU of {mtu} isn't possible: {ALLOWED_MTU.start} to {ALLOWED_MTU.stop - 1}")
        self.mtu = mtu
        self._inner_mtu = mtu if inner_mtu is None else inner_mtu
        self.tester = Namespace(f"{leftovers.NAMESPACE_PREFIX}{os.getpid()}-tester")
        self.devices = [Namespace(f"{leftovers.NAMESPACE_PREFIX}{os.getpid()}-{name}") for name in devices]
        self.at = {"left": self.devices[0], "right": self.devices[-1]}
        self._folder: RuntimeFolder | None = None
        self._daemons: list[Daemon] = []
        self._made: list[Namespace] = []
        self.why_kernel_looks: str | None = None
        """At frames for the Tester, which costs the Tester speed; None: it doesn't."""

    @property
    def folder(self) -> Path:
        """For configurations, logs and sockets; removed with the testbed."""
        if self._folder is None:
            raise LabError("the testbed isn't made")
        return self._folder.path

    @property
    def dut(self) -> Namespace:
        """The device's namespace; of two the left one's."""
        return self.devices[0]

    def make(self) -> None:
        """Makes it all, or raises LabError and leaves nothing."""
        if os.geteuid() != 0:
            raise LabError(_NEEDS_ROOT)
        leftovers.clean()
        try:
            self._folder = RuntimeFolder()
            for namespace in (self.tester, *self.devices):
                if namespace.exists:
                    raise LabError(f"namespace {namespace.name} is there already: one testbed per process")
                self._made.append(namespace)
                namespace.create()
            self._quieten()
            self._connect()
        except BaseException:
            self.remove()
            raise

    def daemon(
        self, name: str, command: tuple[str, ...], cores: tuple[int, ...] = (), namespace: Namespace | None = None
    ) -> Daemon:
        """A process in a device's namespace that ends with the testbed; the caller starts it."""
        daemon = Daemon(name, command, self.folder, (namespace or self.dut).prefix, cores)
        self._daemons.append(daemon)
        return daemon

    def set_host_parameter(self, name: str, value: int) -> None:
        """A kernel parameter that the whole host shares; put back with the testbed's removal. Raises LabError."""
        HostParameters(self.folder).set(name, value)

    def remove(self) -> None:
        """Removes all that `make` made, also when that was interrupted. Never raises; may be called twice."""
        for daemon in self._daemons:
            daemon.stop()
        self._daemons.clear()
        for namespace in self._made:
            namespace.remove()
        self._made.clear()
        if self._folder is not None:
            HostParameters(self._folder.path).restore()
            self._folder.remove()
            self._folder = None

    def _quieten(self) -> None:
        for scope in ("all", "default"):
            self.tester.set_sysctl(f"net.ipv6.conf.{scope}.disable_ipv6", 1)
            for device in self.devices:
                for parameter, value in _QUIET.items():
                    device.set_sysctl(parameter.format(scope), value)

    def _connect(self) -> None:
        for device in self.devices:
            with Network(device) as network:
                network.set_link("lo", state="up")
        for side, port in TESTER_PORTS.items():
            one = End(self.tester, port, TESTER_MACS[side])
            link(one, End(self.at[side], DUT_PORTS[side], DUT_MACS[side]), self.mtu)
        self.why_kernel_looks = tester_ports.end_here(self.tester, TESTER_PORTS.values())
        if len(self.devices) > 1:
            left, right = (End(self.at[side], INNER_PORTS[side], INNER_MACS[side]) for side in ("left", "right"))
            link(left, right, self._inner_mtu)


def missing() -> list[str]:
    """What this host lacks for a testbed beside programs, and what to do about it."""
    return [] if os.geteuid() == 0 else [_NEEDS_ROOT]
