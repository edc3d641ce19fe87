"""TAYGA on a device: its tun interface, the routes to it, its process."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from xlatperf.devices.assembled import Part
from xlatperf.devices.cores import CORES_ALLOWED, Cores, beside, of_this_host
from xlatperf.devices.device import Plan
from xlatperf.devices.kernel_dut import KernelDriver
from xlatperf.devices.tayga_configuration import TUN, Configuration
from xlatperf.keys.model import Truth, Whole, key
from xlatperf.lab import processor_time
from xlatperf.lab.bed import Bed
from xlatperf.lab.error import LabError
from xlatperf.lab.process import Process
from xlatperf.lab.programs import TAYGA, Program
from xlatperf.lab.testbed import Testbed

ALONE = "tayga"
"""Name of a TAYGA that has no other beside it."""
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


def mending(default: bool) -> Any:
    """The key `mend_udp_checksum`."""
    return key(
        default,
        "TAYGA 0.9.2 sends one in about 65,000 IPv6 packets with UDP checksum 0, where 0xffff has to be: a rule of "
        "nftables behind it puts that right; false leaves it",
        source="RFC 8200 §8.1",
    )


class TaygaDriver(KernelDriver):
    """Drivers of DUTs of which TAYGA is a part."""

    queue_length: Whole = key(
        _QUEUE_LENGTH,
        "of the interface to TAYGA, in packets; the kernel's own default of 500 loses frames in bursts",
        ge=1,
        le=1_000_000,
    )
    cores: Cores = key(
        (),
        "cores that TAYGA may run on, without it all but tester.cores; device_cores of a measure takes the first",
        allowed=CORES_ALLOWED,
    )
    mend_udp_checksum: Truth = mending(True)

    def programs(self) -> tuple[Program, ...]:
        """Also TAYGA."""
        return (*super().programs(), TAYGA)

    def missing(self) -> list[str]:
        """Also tun interfaces."""
        there = Path("/dev/net/tun").exists()
        return super().missing() + ([] if there else ["/dev/net/tun is missing: modprobe tun"])

    def own_cores(self) -> tuple[int, ...]:
        """The key `cores`."""
        return of_this_host("cores", self.cores)

    def free_cores(self, plan: Plan) -> tuple[int, ...]:
        """Where it runs if it was given none."""
        return beside(plan.tester_cores)


class TaygaProcess(Part):
    """TAYGA 0.9.2 (Debian's package) or newer. `name` tells those of one testbed apart."""

    def __init__(
        self,
        driver: TaygaDriver,
        plan: Plan,
        configuration: Configuration,
        at: tuple[Bed, str],
        *,
        name: str = ALONE,
        routed: bool = True,
    ) -> None:
        """`at`: the bed and the side of it that it is on; `routed`: the kernel routes to it.

        A test in which not one connection may fail (RFC 9693 §4.5) would find next to no rate without
        `mend_udp_checksum`.
        """
        self.name = name
        self.configuration = configuration
        self._routed = routed
        self._mend = driver.mend_udp_checksum
        self._queue_length = driver.queue_length
        self._driver, self._plan = driver, plan
        self._cores: tuple[int, ...] = ()
        self._bed, self._side = at
        self._device = self._bed.at[self._side]
        self._mtu = at[0].inner_mtu
        self._dropped_before = 0  # packets from before TAYGA listened
        self._daemon: Process | None = None

    def make(self) -> None:
        """Makes the interface, starts TAYGA, routes to it. Raises LabError, DeviceError."""
        bed, device = self._bed, self._device
        self._cores = self._driver.own_cores() or self._driver.free_cores(self._plan)
        file = bed.file(f"{self.name}.conf", self.configuration.text)
        device.run(("tayga", "--config", file, "--mktun"))
        with device.network() as network:
            # TAYGA reads the MTU when it starts
            network.set_mtu(TUN, self._mtu)
            network.set_queue_length(TUN, self._queue_length)
            network.set_up(TUN)
        # -d: stay in the foreground and write the log to standard output; stdbuf: line by line
        command = ("stdbuf", "-oL", "tayga", "--config", file, "-d")
        self._daemon = bed.process(self.name, command, self._cores, self._side)
        self._run(self._daemon)
        if self._mend:
            device.run(("nft", "-f", "-"), text=_MENDING_RULES)
        with device.network() as network:
            for prefix in self.configuration.routes if self._routed else ():
                network.add_route(prefix, TUN)
            self._dropped_before = network.transmit_drops(TUN)

    def restart(self) -> None:
        """Ends the process and starts it again (RFC 6201 §4.2.2); interface and routes stay. Raises LabError."""
        self._run(self.daemon)
        with self._device.network() as network:
            self._dropped_before = network.transmit_drops(TUN)

    @property
    def daemon(self) -> Process:
        """Its process. Raises LabError."""
        if self._daemon is None:
            raise LabError("TAYGA isn't started")
        return self._daemon

    def ended(self) -> str | None:
        """None while the process runs."""
        how = None if self._daemon is None else self._daemon.how_ended()
        label = "TAYGA" if self.name == ALONE else f"TAYGA ({self.name})"
        return None if how is None else f"{label} {how}"

    def stopped(self) -> bool:
        """The kernel goes on answering for it."""
        return self._daemon is not None and self._daemon.stopped

    def cpu_s(self) -> dict[str, float]:
        """Processor time of the process, with what the kernel did in it: of a packet from it also the way on."""
        return {} if self._daemon is None else {self.name: self._daemon.cpu_s}

    def idle_s(self) -> dict[str, float]:
        """Of the cores that it may run on."""
        if not isinstance(self._bed, Testbed):
            return {}  # of another host all are known
        cores = [core for core in self._cores if core not in self._plan.tester_cores]
        return {f"{self.name} {core}": one for core, one in processor_time.idle_of_cores(cores).items()}

    def use_cores(self, cores: tuple[int, ...]) -> None:
        """TAYGA, which has one thread, runs on one of these at a time. Raises LabError."""
        self.daemon.pin(cores)
        self._cores = cores

    def facts(self) -> dict[str, str]:
        """Version, configuration, interface, cores."""
        version = _VERSION.search("" if self._daemon is None else self._daemon.output())
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
        """The process, its interface, the routes to it; of two it says which. Raises LabError."""
        lines = self._diagnose()
        return lines if self.name == ALONE else [f"{self.name.upper()}: {line}" for line in lines]

    def _diagnose(self) -> list[str]:
        lines = list(self.configuration.remarks)
        if (ended := self.daemon.how_ended()) is not None:
            lines.append(f"TAYGA {ended}")
        elif self.stopped():
            lines.append("TAYGA's process has been stopped by a signal or a debugger")
        with self._device.network() as network:
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

    def _run(self, daemon: Process) -> None:
        daemon.start()
        with self._device.network() as network:
            daemon.wait_until(lambda: network.link_is_up(TUN), _START_TIMEOUT_S)
