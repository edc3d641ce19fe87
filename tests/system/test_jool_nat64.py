"""Jool's stateful NAT64, in the kernel of a virtual machine; its own counters say what the Tester counted."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from docs.conformance import read
from tests.devices.parts import part
from tests.lab.machine.requirements import needs_machine
from tests.long import more, only_long
from tests.system.in_machines import COUNT, all_came, example, validated
from tests.system.requirements import needs_root
from xlatperf.commands.check_negative import check_negative
from xlatperf.commands.check_rules import check_rules
from xlatperf.config.bench import Bench
from xlatperf.config.load import parse_bench
from xlatperf.conformance.record import records
from xlatperf.devices.jool_instance import JoolInstance
from xlatperf.run.session import Session, session

pytestmark = [needs_root, needs_machine]


@pytest.fixture(scope="module")
def bench() -> Bench:
    """The example, with a pool of two addresses that are no network, and few ports."""
    text = example("jool-nat64")
    one = 'pool = { first = "198.19.0.1", addresses = 1, first_port = 1024, last_port = 17407 }'
    assert one in text
    few = 'pool = { first = "198.19.0.1", addresses = 2, first_port = 2000, last_port = 2999 }'
    text = text.replace(one, few).replace('first = "198.19.0.2"', 'first = "198.19.0.4"')
    return parse_bench(text.replace("connections = [15000]", "connections = [1000]"), "bench")


@pytest.fixture(scope="module")
def running(bench: Bench) -> Iterator[Session]:
    with session(bench) as running:
        yield running


def test_connections_and_frames_back(bench: Bench, running: Session) -> None:
    """R9693-4.5, R9693-4.6-1: each has a mapping in the pool, a frame comes back on it, the table holds as many."""
    all_came(validated(bench, running, 84))
    assert running.device.count_state() == COUNT
    counters = part(running.device, JoolInstance).counters()
    assert counters["JSTAT_SUCCESS"] == 2 * COUNT
    assert counters["JSTAT_BIB_ENTRIES"] == counters["JSTAT_SESSIONS"] == COUNT
    running.device.clear_state()
    assert running.device.count_state() == 0


def test_what_it_must_refuse(bench: Bench, running: Session) -> None:
    """R6052-2.2, R9693-3.1: what isn't under its prefix, or for no address of its pool, isn't translated."""
    found = check_negative(bench, running, 0.3)
    assert {one.test.name: (one.passed, one.untried) for one in found} == {"prefix": (0, None), "pool": (0, None)}


@more
@only_long
def test_rule_by_rule(bench: Bench, running: Session) -> None:
    """RFC 6146, as docs/conformance.md says of this version, but for what this bench file has otherwise."""
    then = read("jool-nat64")
    if running.device.facts()["jool"] != then.device["jool"]:
        pytest.skip(f"docs/conformance.md is about Jool {then.device['jool']}")
    running.device.clear_state()
    found = records(check_rules(bench, running, lambda _: None))
    verdicts = ({one.finding.rule.name: one.verdict for one in rules} for rules in (found, then.rules))
    now, before = verdicts
    assert {name: (before[name], verdict) for name, verdict in now.items() if verdict != before[name]} == {
        "RFC 6146 §3.5.1.1: all ports of a client are mapped to one address": ("not tried", "kept"),  # of two
        "RFC 7915 §4.5: a checksum of UDP that comes to 0 is sent as 0xffff (RFC 768)": ("not kept", "kept"),  # mended
    }


def test_what_is_said_of_it(running: Session) -> None:
    facts = running.device.facts()
    assert facts["jool.pool6"] == "2001:2:0:6464::/96"
    told = facts["jool.told"].split("; ")
    assert told[0] == "pool4 add --udp 198.19.0.1/32 2000-2999 --force"
    assert "pool4 add --icmp 198.19.0.2/32 2000-2999 --force" in told
    assert told[-1] == "global update udp-timeout 300"
    assert "udp-timeout: 0:05:00 (HH:MM:SS)" in facts["jool.global"]
