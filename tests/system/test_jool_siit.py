"""Jool's SIIT, in the kernel of a virtual machine: what it does right, and what not; its own counters say the same."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator

import pytest

from docs.conformance import read
from tests.devices.parts import part
from tests.lab.machine.requirements import needs_machine
from tests.system.command import REPOSITORY
from tests.system.requirements import needs_root
from xlatperf.commands.check_negative import check_negative
from xlatperf.commands.check_rules import check_rules
from xlatperf.commands.check_trials import CheckTrials
from xlatperf.config.bench import Bench
from xlatperf.config.load import parse_bench
from xlatperf.config.request import configure_message
from xlatperf.conformance.record import records
from xlatperf.devices.jool_instance import MENDING_RULES, JoolInstance
from xlatperf.devices.kernel_dut import KernelDut
from xlatperf.engine.direction_answer import ClassCounters
from xlatperf.lab.machine.machine import Machine
from xlatperf.procedures.trial import Trial
from xlatperf.procedures.trial_request import TrialRequest
from xlatperf.run.session import Session, session

pytestmark = [needs_root, needs_machine]

FRAMES = 400
REQUEST = TrialRequest(84, "ipv6", 2000, FRAMES / 2000, 1.0)


@pytest.fixture(scope="module")
def bench() -> Bench:
    """The example, with native IPv6 beside."""
    text = (REPOSITORY / "examples/jool-siit.toml").read_text(encoding="utf-8")
    return parse_bench(text.replace("[traffic]\n", "[traffic]\nmix = [[1, 2]]\n"), "bench")


@pytest.fixture(scope="module")
def running(bench: Bench) -> Iterator[Session]:
    with session(bench) as running:
        yield running


def measured(bench: Bench, running: Session, *accept: str) -> Trial:
    trials = CheckTrials(bench, running, 0)
    trials.configure(configure_message(bench, (1, 2), traffic_class=0xB8, accept=accept))
    return trials.undisturbed(REQUEST)


def test_rule_by_rule(bench: Bench, running: Session) -> None:
    """R7915-V: as docs/conformance.md says of this version."""
    then = read("jool-siit")
    if running.device.facts()["jool"] != then.device["jool"]:
        pytest.skip(f"docs/conformance.md is about Jool {then.device['jool']}")
    assert records(check_rules(bench, running, lambda _: None)) == then.rules


def test_a_checksum_that_comes_to_0_can_be_mended(bench: Bench, running: Session) -> None:
    """RFC 8200 §8.1: what drivers with connections do behind Jool."""
    then = read("jool-siit")
    machine = part(running.device, KernelDut).testbed.dut
    machine.run(("nft", "-f", "-"), text=MENDING_RULES)
    now = records(check_rules(bench, running, lambda _: None))
    machine.run(("nft", "delete", "table", "ip6", "mend"))
    before, after = ({rule.says for rule in rules if rule.verdict == "not kept"} for rules in (then.rules, now))
    assert before - after == {"a checksum of UDP that comes to 0 is sent as 0xffff (RFC 768)"}
    assert after < before


def counted(trial: Trial, direction: str, of: str) -> ClassCounters:
    found = getattr(getattr(trial, direction), of)
    assert isinstance(found, ClassCounters)
    return found


def test_both_directions(bench: Bench, running: Session) -> None:
    """R7915-5.1: of the traffic class Jool 4.1.9 copies but four bits. All else is right, and native IPv6 passes."""
    trial = measured(bench, running)
    sent = counted(trial, "forward", "foreground").sent
    assert counted(trial, "forward", "foreground").wrong == {"traffic_class": sent}
    for name, of in (("forward", "background"), ("reverse", "foreground"), ("reverse", "background")):
        counts = counted(trial, name, of)
        assert counts.expected == counts.sent > 0


def test_its_counters_are_ours(bench: Bench, running: Session) -> None:
    jool = part(running.device, JoolInstance)
    before = jool.counters()
    trial = measured(bench, running, "traffic_class")
    more = {name: count - before[name] for name, count in jool.counters().items() if count != before[name]}
    to_ipv4, to_ipv6, native, native_back = (
        counted(trial, name, of) for of in ("foreground", "background") for name in ("forward", "reverse")
    )
    assert to_ipv4.expected == to_ipv4.sent
    assert more["JSTAT_SUCCESS"] == to_ipv4.sent + to_ipv6.sent
    assert more["JSTAT_RECEIVED4"] == to_ipv6.sent
    # native IPv6 comes by it as well, and so does Neighbor Discovery
    assert more["JSTAT_RECEIVED6"] >= to_ipv4.sent + native.sent + native_back.sent


def test_what_it_must_refuse(bench: Bench, running: Session) -> None:
    """R6052-2.2: what isn't under its prefix isn't translated."""
    found = check_negative(bench, running, 1.0)
    assert [(one.test.name, one.passed, one.untried) for one in found] == [("prefix", 0, None)]


def test_restarted(bench: Bench, running: Session) -> None:
    running.device.restart()
    assert part(running.device, JoolInstance).counters()["JSTAT_SUCCESS"] == 0
    trial = measured(bench, running, "traffic_class")
    counts = counted(trial, "forward", "foreground")
    assert counts.expected == counts.sent


def test_what_is_said_of_it(running: Session) -> None:
    facts = running.device.facts()
    assert facts["jool"].startswith("4.1.")
    assert facts["jool_siit.pool6"] == "2001:2:0:6464::/96"
    assert facts["jool_siit.told"] == "eamt add 198.18.0.0/16 2001:2::/112"
    assert "amend-udp-checksum-zero: false" in facts["jool_siit.global"]
    assert facts["kernel"].startswith("Linux ")
    assert facts["machine"] == "QEMU, software emulation (TCG), cores: 1, memory: 512 MB"
    assert "jool-dkms 4." in facts["machine.packages"]
    assert facts["machine.host_cores"] == "0"
    assert running.device.alive()
    assert running.device.cpu_s()["machine"] > 0
    lines = running.device.diagnose()
    assert any(line.startswith("Jool: JSTAT_SUCCESS ") for line in lines)
    jool = part(running.device, JoolInstance)
    jool.remove_instance()
    assert any("Jool has no instance" in line for line in running.device.diagnose())


def test_the_machine_is_ended_by_somebody(running: Session) -> None:
    """The last of these."""
    assert running.device.ended() is None
    assert not running.device.stopped()
    machine = part(running.device, KernelDut).testbed.dut
    assert isinstance(machine, Machine)
    assert machine.daemon.pid is not None
    os.kill(machine.daemon.pid, signal.SIGKILL)
    until = time.monotonic() + 10
    while running.device.ended() is None:
        assert time.monotonic() < until
        time.sleep(0.01)
    said = "the virtual machine was ended by signal 9 (Killed)"
    assert running.device.ended() == said
    assert running.device.why_not_alive() == said
    assert running.device.diagnose()[-1] == said
