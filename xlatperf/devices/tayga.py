"""TAYGA, a stateless translator in user space (SIIT: RFC 7915, RFC 6052, EAM of RFC 7757), in a network namespace.

TAYGA hangs on a tun interface, so a translated packet passes the kernel's forwarding twice, while native IPv6 (the
background) passes it once and TAYGA not at all.
"""

from __future__ import annotations

import re
from pathlib import Path

from xlatperf.devices import kernel_dut
from xlatperf.devices.device import Attachment, DeviceError, Plan
from xlatperf.devices.kernel_dut import KernelDut
from xlatperf.devices.options import available_cores, beside, check_names, cores, integer, text, truth
from xlatperf.devices.tayga_configuration import TUN, Configuration, configure
from xlatperf.lab import testbed
from xlatperf.lab.daemon import Daemon
from xlatperf.lab.error import LabError
from xlatperf.lab.network import Network

OPTIONS = (*kernel_dut.OPTIONS, "prefix", "route", "queue_length", "cores")
# With the kernel's default of 500 packets TAYGA lost 2 % at 150,000 frames per second; it works in bursts.
_QUEUE_LENGTH = 10000
_START_TIMEOUT_S = 5.0
_VERSION = re.compile(r"TAYGA ([0-9][0-9.]*)")


class Tayga:
    """Driver of TAYGA 0.9.2 (Debian's package) or newer."""

    name = "tayga"

    def __init__(self) -> None:
        self._dut: KernelDut | None = None
        self._daemon: Daemon | None = None
        self._configuration: Configuration | None = None
        self._queue_length = _QUEUE_LENGTH
        self._dropped_before = 0  # packets from before TAYGA listened

    def missing(self) -> list[str]:
        """What this host lacks for namespaces, tun interfaces and TAYGA."""
        lines = testbed.missing()
        if not testbed.installed("tayga"):
            lines.append("tayga isn't installed: apt install tayga")
        if not Path("/dev/net/tun").exists():
            lines.append("/dev/net/tun is missing: modprobe tun")
        return lines

    def prepare(self, plan: Plan) -> Attachment:
        """A router between the two links, with TAYGA beside it."""
        check_names(self.name, plan.options, OPTIONS)
        self._queue_length = integer(plan.options, "queue_length", _QUEUE_LENGTH, range(1, 1_000_001))
        with_route = truth(plan.options, "route", True)
        on_cores = cores(plan.options, "cores", available_cores()) or beside(plan.tester_cores)
        prefix = text(plan.options, "prefix")
        technology = plan.technology if prefix is None else {**plan.technology, "prefix": prefix}
        self._configuration = configure(technology, plan.describe, (plan.left, plan.right))
        self._dut = KernelDut(plan)
        attachment = kernel_dut.make_or_explain(self._dut)
        try:
            self._daemon = self._start(self._dut, self._configuration, on_cores)
            with Network(self._dut.testbed.dut) as network:
                for prefix in self._configuration.routes if with_route else ():
                    network.add_route(prefix, TUN)
                self._dropped_before = network.transmit_drops(TUN)
        except LabError as error:
            raise DeviceError(str(error)) from error
        return attachment

    def clear_state(self) -> None:
        """TAYGA with static mappings keeps no state."""

    def restart(self) -> None:
        """Ends TAYGA's process and starts it again (RFC 6201 §4.2.2); interface and routes stay."""
        if self._dut is None or self._daemon is None:
            raise DeviceError("TAYGA isn't started")
        try:
            self._run(self._dut, self._daemon)
            with Network(self._dut.testbed.dut) as network:
                self._dropped_before = network.transmit_drops(TUN)
        except LabError as error:
            raise DeviceError(str(error)) from error

    def facts(self) -> dict[str, str]:
        """TAYGA's version and configuration, the kernel and its parameters."""
        if self._dut is None or self._configuration is None:
            return {}
        version = _VERSION.search(self._daemon.output() if self._daemon is not None else "")
        return {
            "tayga": version[1] if version else "unknown",
            "tayga.conf": self._configuration.text,
            "tayga.routes": " ".join(self._configuration.routes),
            "tun.queue_length": str(self._queue_length),
            **self._dut.facts(),
        }

    def diagnose(self) -> list[str]:
        """TAYGA's process, its interface, the routes to it; then what the kernel has to say."""
        if self._dut is None or self._configuration is None:
            return ["the device isn't prepared"]
        lines = list(self._configuration.remarks)
        if self._daemon is None or not self._daemon.running:
            wrote = "" if self._daemon is None else f": {self._daemon.last_line()}"
            lines.append(f"TAYGA's process has ended{wrote}")
        try:
            with Network(self._dut.testbed.dut) as network:
                if TUN not in network.links():
                    return [*lines, f"TAYGA's interface {TUN} is missing", *self._dut.diagnose()]
                if not network.link_is_up(TUN):
                    lines.append(f"TAYGA's interface {TUN} is down")
                known = network.routes(TUN)
                dropped = network.transmit_drops(TUN) - self._dropped_before
        except LabError as error:
            return [*lines, str(error), *self._dut.diagnose()]
        lines += [
            f"the DUT has no route for {prefix} to TAYGA ({TUN}): such packets are never translated"
            for prefix in self._configuration.routes
            if prefix not in known
        ]
        if dropped > 0:
            lines.append(f"TAYGA didn't keep up: {dropped} packets found its queue of {self._queue_length} full")
        return lines + self._dut.diagnose()

    def remove(self) -> None:
        """Ends TAYGA, removes the namespaces with all that is in them."""
        if self._dut is not None:
            self._dut.remove()
        self._dut = self._daemon = None

    def _start(self, dut: KernelDut, configuration: Configuration, on_cores: tuple[int, ...]) -> Daemon:
        bed = dut.testbed
        file = bed.folder / "tayga.conf"
        file.write_text(configuration.text, encoding="ascii")
        bed.dut.run(("tayga", "--config", str(file), "--mktun"))
        with Network(bed.dut) as network:
            # TAYGA reads the MTU when it starts
            network.set_link(TUN, mtu=dut.mtu, txqlen=self._queue_length, state="up")
        # -d: stay in the foreground and write the log to standard output; stdbuf: line by line
        daemon = bed.daemon("tayga", ("stdbuf", "-oL", "tayga", "--config", str(file), "-d"), on_cores)
        self._run(dut, daemon)
        return daemon

    @staticmethod
    def _run(dut: KernelDut, daemon: Daemon) -> None:
        daemon.start()
        with Network(dut.testbed.dut) as network:
            daemon.wait_until(lambda: network.link_is_up(TUN), _START_TIMEOUT_S)
