"""The Tester's part of a testbed on this host: its namespace with two ports, and a folder for all that runs.

The namespace has no addresses and no IPv6: whatever answers there is the Tester and not the kernel.
"""

from __future__ import annotations

import os
from abc import abstractmethod
from collections.abc import Sequence
from pathlib import Path

from xlatperf.lab import leftovers
from xlatperf.lab.bed import Bed
from xlatperf.lab.daemon import Daemon
from xlatperf.lab.error import LabError
from xlatperf.lab.joint import JointEnd
from xlatperf.lab.namespace import Namespace
from xlatperf.lab.runtime_folder import RuntimeFolder

TESTER_PORTS = {"left": "t0", "right": "t1"}

_NEEDS_ROOT = "network namespaces need root: run with sudo, or use the device `reference` over memif"


class TesterSide(Bed):
    """Made by `make`, and gone without a trace after `remove`. What is on the other side its kinds know."""

    def __init__(self, mtu: int, *, one_port: bool = False, joint: JointEnd | None = None) -> None:
        """`mtu`: of the links between Tester and device; `one_port`: both are one.

        `joint`: another device is on that side, and the Tester's namespace is the one in which it is already.
        """
        super().__init__(mtu)
        self.joint = joint
        each = [(side,) for side in ("left", "right") if joint is None or side != joint.side]
        self.links: Sequence[Sequence[str]] = (("left", "right"),) if one_port else each
        """Sides that share one: of those that lead to the Tester."""
        self.tester = self.namespace("tester") if joint is None else joint.tester
        self._folder: RuntimeFolder | None = None
        self._daemons: list[Daemon] = []
        self._made: list[Namespace] = []

    @property
    def ports(self) -> list[str]:
        """The Tester's, one for each link."""
        return [TESTER_PORTS[sides[0]] for sides in self.links]

    @property
    def folder(self) -> Path:
        """For configurations, logs and sockets; removed with the testbed."""
        if self._folder is None:
            raise LabError("the testbed isn't made")
        return self._folder.path

    def file(self, name: str, text: str) -> str:
        """In the folder."""
        path = self.folder / name
        path.write_text(text, encoding="utf-8")
        return str(path)

    def make(self) -> None:
        """Makes it all, or raises LabError and leaves nothing."""
        if os.geteuid() != 0:
            raise LabError(_NEEDS_ROOT)
        leftovers.clean()
        try:
            self._folder = RuntimeFolder()
            if self.joint is None:
                self._create(self.tester)
                for scope in ("all", "default"):
                    self.tester.set_sysctl(f"net.ipv6.conf.{scope}.disable_ipv6", 1)
            self._make_devices()
        except BaseException:
            self.remove()
            raise

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


def missing() -> list[str]:
    """What this host lacks for a testbed beside programs, and what to do about it."""
    return [] if os.geteuid() == 0 else [_NEEDS_ROOT]
