"""NAT44 by the kernel of a virtual machine."""

from __future__ import annotations

from tests.lab.machine.requirements import needs_machine
from tests.long import more, only_long
from tests.system.in_machines import COUNT, all_came, example, validated
from tests.system.requirements import needs_root
from xlatperf.config.load import parse_bench
from xlatperf.run.session import session

pytestmark = [needs_root, needs_machine]


@more
@only_long
def test_nat44() -> None:
    """R9693-3.1: the bench file of the host's kernel, with another one's name."""
    text = example("nft-nat44").replace('driver = "nft-nat44"', 'driver = "vm-nat44"')
    bench = parse_bench(text, "bench")
    with session(bench) as running:
        all_came(validated(bench, running, 84))
        assert running.device.count_state() == COUNT
        facts = running.device.facts()
        assert facts["net.netfilter.nf_conntrack_udp_timeout"] == "300"
        assert facts["machine"].startswith("QEMU, software emulation (TCG), cores: 1")
