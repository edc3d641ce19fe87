"""NAT44 by the kernel of a virtual machine."""

from __future__ import annotations

import threading

import pytest

from docs.conformance import read
from tests.lab.machine.requirements import needs_machine
from tests.long import more, only_long
from tests.system.in_machines import COUNT, all_came, example, validated
from tests.system.requirements import needs_root
from xlatperf.commands.check_rules import check_rules
from xlatperf.config.load import parse_bench
from xlatperf.conformance.record import records
from xlatperf.devices.device import DeviceError
from xlatperf.run.device_load import DeviceLoad, device_load
from xlatperf.run.session import Session, session

pytestmark = [needs_root, needs_machine]


@more
@only_long
def test_nat44() -> None:
    """R9693-3.1: the bench file of the host's kernel, with another one's name; its rules, and its cores (R9693-5.2)."""
    text = example("nft-nat44").replace('driver = "nft-nat44"', 'driver = "vm-nat44"\nmachine_cores = 2')
    bench = parse_bench(text, "bench")
    with session(bench) as running:
        assert records(check_rules(bench, running, lambda _: None)) == read("vm-nat44").rules
        running.device.clear_state()
        all_came(validated(bench, running, 84))
        assert running.device.count_state() == COUNT
        facts = running.device.facts()
        assert facts["net.netfilter.nf_conntrack_udp_timeout"] == "300"
        assert facts["machine"].startswith("QEMU, software emulation (TCG), cores: 2")
        for count in (1, 2):
            running.device.set_cores(count)
            assert names(loaded(running)) == {"machine", *(f"machine core {number}" for number in range(count))}
            all_came(validated(bench, running, 84))
        with pytest.raises(DeviceError, match=r"device_cores: 3 is not allowed: 1 to 2: device\.machine_cores"):
            running.device.set_cores(3)


def loaded(running: Session) -> DeviceLoad:
    """Sampled for two and a half seconds."""
    with device_load(running.device, 2.5) as load:
        threading.Event().wait(2.5)
    return load


def names(load: DeviceLoad) -> set[str]:
    """Of the parts that can be told, each used something and no more than there is."""
    load.starts_at_s, load.sending_s = load.samples[0].at_s, 2.5
    found = load.added["device_cpu"]
    idle = load.added["device_idle"]
    assert set(idle) == set(found) - {"machine"}
    assert all(idle[core] + found[core] == pytest.approx(1, abs=0.15) for core in idle)
    assert all(0 <= used <= 1.05 for name, used in found.items() if name != "machine")
    return set(found)
