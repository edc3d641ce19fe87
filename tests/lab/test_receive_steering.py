from __future__ import annotations

from tests.lab.root import needs_root
from xlatperf.lab.receive_steering import mask, steer
from xlatperf.lab.testbed import Testbed


def test_mask() -> None:
    """Documentation/networking/scaling.rst, Documentation/core-api/irq/irq-affinity.rst: groups of 32 bits."""
    assert mask(()) == "00000000"
    assert mask((0, 1, 3)) == "0000000b"
    assert mask((0, 33)) == "00000002,00000001"


@needs_root
def test_all_queues_of_the_namespace(bed: Testbed) -> None:
    steer(bed.dut, (0,))
    show = ("sh", "-c", "cat /sys/class/net/d?/queues/rx-*/rps_cpus")
    assert {int(line.replace(",", ""), 16) for line in bed.dut.run(show).split()} == {1}
    steer(bed.dut, ())
    assert {int(line.replace(",", ""), 16) for line in bed.dut.run(show).split()} == {0}
