"""TAYGA in one namespace of a testbed: its tun interface, the routes to it, its process."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from pathlib import Path

from xlatperf.devices.device import DeviceError, Plan
from xlatperf.devices.options import available_cores, beside, cores, integer, truth
from xlatperf.devices.tayga_configuration import TUN, Configuration
from xlatperf.lab import testbed
from xlatperf.lab.daemon import Daemon
from xlatperf.lab.error import LabError
from xlatperf.lab.namespace import Namespace
from xlatperf.lab.network import Network
from xlatperf.lab.testbed import Testbed

OPTIONS = ("queue_length", "cores")
MENDING_OPTION = "mend_udp_checksum"
_MENDING_RULES = f"""table ip6 xlatperf {{
    chain mend {{
        type filter hook prerouting priority mangle;
        iifname "{TUN}" udp checksum 0 udp checksum set 0xffff
    }}
}}
"""
# With the kernel's default of 500 packets TAYGA lost 2 % at 150,000 frames per second; it works in bursts.
_QUEUE_LENGTH = 10000
_START_TIMEOUT_S = 5.0
_VERSION = re.compile(r"TAYGA ([0-9][0-9.]*)")


class TaygaProcess:
    """TAYGA 0.9.2 (Debian's package) or newer. `name` tells those of one testbed apart."""

    def __init__(self, plan: Plan, name: str, configuration: Configuration, *, mend_by_default: bool = False) -> None:
        """Checks the options. Raises DeviceError.

        TAYGA 0.9.2 sends one in about 65,000 IPv6 packets with UDP checksum 0, where 0xffff has to be (RFC 8200 §8.1).
        A test in which not one connection may fail (RFC 9693 §4.5) would find next to no rate. So with
        `mend_udp_checksum` the kernel behind TAYGA puts that right.
        """
        self.name = name
        self._mend = truth(plan.options, MENDING_OPTION, mend_by_default)
        self.configuration = configuration
        self._queue_length = integer(plan.options, "queue_length", _QUEUE_LENGTH, range(1, 1_000_001))
        self._cores = own_cores(plan) or beside(plan.tester_cores)
        self._namespace: Namespace | None = None
        self._mtu = 0
        self._dropped_before = 0  # packets from before TAYGA listened
        self.daemon: Daemon | None = None

    def start(self, bed: Testbed, namespace: Namespace, mtu: int, routes: Iterable[str]) -> None:
        """Makes the interface with this MTU, starts TAYGA, routes to it. Raises LabError."""
        self._namespace, self._mtu = namespace, mtu
        file = bed.folder / f"{self.name}.conf"
        file.write_text(self.configuration.text, encoding="ascii")
        namespace.run(("tayga", "--config", str(file), "--mktun"))
        with Network(namespace) as network:
            # TAYGA reads the MTU when it starts
            network.set_link(TUN, mtu=mtu, txqlen=self._queue_length, state="up")
        # -d: stay in the foreground and write the log to standard output; stdbuf: line by line
        command = ("stdbuf", "-oL", "tayga", "--config", str(file), "-d")
        self.daemon = bed.daemon(self.name, command, self._cores, namespace)
        self._run(self.daemon, namespace)
        if self._mend:
            rules = bed.folder / f"{self.name}.nft"
            rules.write_text(_MENDING_RULES, encoding="ascii")
            namespace.run(("nft", "-f", str(rules)))
        with Network(namespace) as network:
            for prefix in routes:
                network.add_route(prefix, TUN)
            self._dropped_before = network.transmit_drops(TUN)

    def restart(self) -> None:
        """Ends the process and starts it again (RFC 6201 §4.2.2); interface and routes stay. Raises DeviceError."""
        if self.daemon is None or self._namespace is None:
            raise DeviceError("TAYGA isn't started")
        try:
            self._run(self.daemon, self._namespace)
            with Network(self._namespace) as network:
                self._dropped_before = network.transmit_drops(TUN)
        except LabError as error:
            raise DeviceError(str(error)) from error

    @property
    def running(self) -> bool:
        """True while the process runs."""
        return self.daemon is not None and self.daemon.running

    @property
    def cpu_s(self) -> float:
        """Processor time in s of the process, with what the kernel did in it."""
        return 0.0 if self.daemon is None else self.daemon.cpu_s

    def pin(self, on_cores: Sequence[int]) -> None:
        """TAYGA, which has one thread, runs on one of these cores at a time. Raises DeviceError."""
        if self.daemon is None:
            raise DeviceError("TAYGA isn't started")
        try:
            self.daemon.pin(on_cores)
        except LabError as error:
            raise DeviceError(f"device_cores: {error}") from error
        self._cores = tuple(on_cores)

    def facts(self) -> dict[str, str]:
        """Version, configuration, interface, cores."""
        version = _VERSION.search("" if self.daemon is None else self.daemon.output())
        return {
            self.name: version[1] if version else "unknown",
            f"{self.name}.conf": self.configuration.text,
            f"{self.name}.routes": " ".join(self.configuration.routes),
            f"{self.name}.cores": ", ".join(map(str, self._cores)),
            "tun.queue_length": str(self._queue_length),
            "tun.mtu": str(self._mtu),
            **({f"{self.name}.nft": _MENDING_RULES} if self._mend else {}),
        }

    def diagnose(self) -> list[str]:
        """The process, its interface, the routes to it. Raises LabError."""
        if self._namespace is None:
            return ["TAYGA isn't started"]
        lines = list(self.configuration.remarks)
        if not self.running:
            wrote = "" if self.daemon is None else f": {self.daemon.last_line()}"
            lines.append(f"TAYGA's process has ended{wrote}")
        with Network(self._namespace) as network:
            if TUN not in network.links():
                return [*lines, f"TAYGA's interface {TUN} is missing"]
            if not network.link_is_up(TUN):
                lines.append(f"TAYGA's interface {TUN} is down")
            known = network.routes(TUN)
            dropped = network.transmit_drops(TUN) - self._dropped_before
        lines += [
            f"the DUT has no route for {prefix} to TAYGA ({TUN}): such packets are never translated"
            for prefix in self.configuration.routes
            if prefix not in known
        ]
        if dropped > 0:
            lines.append(f"TAYGA didn't keep up: {dropped} packets found its queue of {self._queue_length} full")
        return lines

    @staticmethod
    def _run(daemon: Daemon, namespace: Namespace) -> None:
        daemon.start()
        with Network(namespace) as network:
            daemon.wait_until(lambda: network.link_is_up(TUN), _START_TIMEOUT_S)


def own_cores(plan: Plan) -> tuple[int, ...]:
    """The option `cores`; empty if it's absent. Raises DeviceError."""
    return cores(plan.options, "cores", available_cores())


def missing() -> list[str]:
    """What this host lacks for TAYGA, and what to do about it."""
    lines = []
    if not testbed.installed("tayga"):
        lines.append("tayga isn't installed: apt install tayga")
    if not Path("/dev/net/tun").exists():
        lines.append("/dev/net/tun is missing: modprobe tun")
    return lines
