"""464XLAT by Jool, CLAT and PLAT in two namespaces of a virtual machine: what the Tester counts is what both count."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from docs.conformance import read
from tests.lab.machine.requirements import needs_machine
from tests.long import more, only_long
from tests.system.in_machines import COUNT, all_came, example, validated
from tests.system.requirements import needs_root
from xlatperf.commands.check_negative import check_negative
from xlatperf.commands.check_rules import check_rules
from xlatperf.config.bench import Bench
from xlatperf.config.load import parse_bench
from xlatperf.conformance.record import records
from xlatperf.devices.assembled import Assembled
from xlatperf.devices.jool_instance import JoolInstance
from xlatperf.run.session import Session, session

pytestmark = [needs_root, needs_machine]


@pytest.fixture(scope="module")
def bench() -> Bench:
    return parse_bench(example("jool-464xlat").replace("connections = [20000]", "connections = [1000]"), "bench")


@pytest.fixture(scope="module")
def running(bench: Bench) -> Iterator[Session]:
    with session(bench) as running:
        yield running


def test_connections_and_frames_back(bench: Bench, running: Session) -> None:
    """R8219-4.2-1: a client's packet becomes IPv6 by its address alone, and gets a mapping in the PLAT's pool."""
    all_came(validated(bench, running, 64))
    assert isinstance(running.device, Assembled)
    plat, clat = (part for part in running.device.parts if isinstance(part, JoolInstance))
    assert clat.count_state() is None
    assert running.device.count_state() == plat.count_state() == COUNT
    assert clat.counters()["JSTAT_SUCCESS"] == plat.counters()["JSTAT_SUCCESS"] == 2 * COUNT
    running.device.clear_state()
    assert running.device.count_state() == 0


def test_what_it_must_refuse(bench: Bench, running: Session) -> None:
    """R9693-3.1: what is for no address of the pool isn't translated."""
    found = check_negative(bench, running, 0.3)
    assert {one.test.name: (one.passed, one.untried) for one in found} == {"pool": (0, None)}


@more
@only_long
def test_rule_by_rule(bench: Bench, running: Session) -> None:
    """As docs/conformance.md says of this version; how many ports become even ones is chance."""
    then = read("jool-464xlat")
    assert isinstance(running.device, Assembled)
    if running.device.facts()["jool"] != then.device["jool"]:
        pytest.skip(f"docs/conformance.md is about Jool {then.device['jool']}")
    running.device.clear_state()
    now = records(check_rules(bench, running, lambda _: None))
    parity = "an even port is mapped to an even one, an odd one to an odd one"
    assert [one for one in now if one.says != parity] == [one for one in then.rules if one.says != parity]


def test_what_is_said_of_it(running: Session) -> None:
    facts = running.device.facts()
    assert facts["jool_siit.pool6"] == facts["jool.pool6"] == "2001:2:0:6464::/96"
    assert facts["jool_siit.told"] == "eamt add 10.0.0.2/32 2001:db8:c1a7::a00:2/128"
    assert facts["jool.told"].startswith("pool4 add --udp 198.19.0.1/32 ")
    assert facts["inner_mtu"] == "1528"
