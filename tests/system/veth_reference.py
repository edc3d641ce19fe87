"""The reference device on network interfaces, as a gateway of a user's own: its driver can't see whether it works."""

from __future__ import annotations

import contextlib
import json
import os
import signal
from collections.abc import Iterator
from dataclasses import dataclass, field

from tests.system.stateful_messages import LINKS, as_asked, configuration
from xlatperf.devices import veth_port
from xlatperf.devices.device import Attachment, Plan
from xlatperf.devices.reference import Reference, ReferenceDevice, find_program
from xlatperf.devices.reference_configuration import configuration as reference_configuration
from xlatperf.engine.client import Engine
from xlatperf.engine.messages import ResolveAnswer
from xlatperf.engine.trial_answer import TrialAnswer
from xlatperf.lab.bed import DEFAULT_MTU, DUT_PORTS
from xlatperf.lab.testbed import Testbed
from xlatperf.lab.tester_side import TESTER_PORTS
from xlatperf.procedures.trial_request import TrialRequest
from xlatperf.run.experiment import Experiments


class VethReference(ReferenceDevice):
    """It answers ARP itself: killed, it's gone from the link, while the link stays up."""

    def __init__(self, testbed: Testbed, plan: Plan) -> None:
        made = reference_configuration(Reference(driver="reference"), plan, testbed.folder)
        for number, (side, interface) in enumerate(DUT_PORTS.items()):
            made[side]["port"] = veth_port.name("af_packet", number, interface, DEFAULT_MTU)
        file = testbed.folder / "reference.json"
        file.write_text(json.dumps({"core": 0, "hugepages": "never", **made}))
        daemon = testbed.daemon("reference", (str(find_program()), "--config", str(file)))
        super().__init__(Attachment(TESTER_PORTS["left"], TESTER_PORTS["right"]), made, daemon)
        daemon.start()
        self.wait_until_ready()

    def alive(self) -> bool:
        return True

    def kill(self) -> None:
        assert self.pid is not None
        os.kill(self.pid, signal.SIGKILL)


class Impatient(Engine):
    """Half a second of silence is long enough on a link of its own."""

    def resolve(self, timeout_s: float = 0.5) -> ResolveAnswer:
        return super().resolve(timeout_s)


@dataclass
class Killable:
    """An engine, the device beside it, and the phase during which the device is killed."""

    engine: Engine
    device: VethReference
    dies_in: str | None = None
    phases: list[str] = field(default_factory=list)
    """That were asked for, without those on old connections."""

    def trial(self, request: TrialRequest, tag: int) -> TrialAnswer:
        """As a campaign asks; the device dies as soon as frames are on their way."""
        wanted = request.connections
        assert wanted is not None
        dies = self.dies_in == wanted.phase and wanted.some is None
        if wanted.some is None:
            self.phases.append(wanted.phase)
        return self.engine.trial(as_asked(request, tag), self.device.kill if dies else lambda: None)

    def experiments(self) -> Experiments:
        return Experiments(self.engine, self.device, self.trial, lambda _: None)


@contextlib.contextmanager
def killable_nat44() -> Iterator[Killable]:
    message = configuration("nat44")
    testbed = Testbed()
    with Engine() as planner:
        describe = planner.configure(message).model_dump(mode="json", by_alias=True)
    try:
        testbed.make()
        testbed.dut.set_sysctl("net.ipv4.conf.all.arp_ignore", 8)  # whatever answers there isn't the kernel
        plan = Plan(message["technology"], describe, LINKS["left"], LINKS["right"], "af_packet", tester_cores=(1,))
        device = VethReference(testbed, plan)
        with Impatient(command_prefix=testbed.tester.prefix) as engine:
            ports = {
                side: {"port": veth_port.name("af_packet", n, interface, DEFAULT_MTU)}
                for n, (side, interface) in enumerate(TESTER_PORTS.items())
            }
            engine.configure(message)
            engine.open({"request": "open", "cores": [1], "hugepages": "never", **ports})
            yield Killable(engine, device)
    finally:
        testbed.remove()
