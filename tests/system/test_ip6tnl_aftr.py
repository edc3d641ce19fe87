"""DS-Lite's AFTR by the kernel of a virtual machine: ip6_tunnel and nftables."""

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
from xlatperf.devices.many_tunnels import ManyTunnels
from xlatperf.run.session import Session, session

pytestmark = [needs_root, needs_machine]


@pytest.fixture(scope="module")
def aftr() -> Iterator[tuple[Bench, Session]]:
    bench = parse_bench(example("ip6tnl-aftr"), "bench")
    with session(bench) as running:
        yield bench, running


def test_one_client_address_behind_each_b4(aftr: tuple[Bench, Session]) -> None:
    """R6333-6.6: what comes back is in the tunnel of the B4 that the connection is of; each is an entry of its own."""
    bench, running = aftr
    all_came(validated(bench, running, 104))
    assert running.device.count_state() == COUNT
    running.device.clear_state()
    assert running.device.count_state() == 0


def test_an_encapsulation_limit_is_borne(aftr: tuple[Bench, Session]) -> None:
    """RFC 2473 §4.1.1: an option in the tunnel, behind which the kernel finds the packet."""
    _, running = aftr
    limited = example("ip6tnl-aftr").replace("[technology]\n", "[technology]\ntunnel.encapsulation_limit = 4\n")
    assert limited != example("ip6tnl-aftr")
    all_came(validated(parse_bench(limited, "bench"), running, 104))
    running.device.clear_state()


def test_fragments_in_tunnels(aftr: tuple[Bench, Session]) -> None:
    """What doesn't fit a tunnel, this kernel fragments before it encapsulates it; RFC 2473 §7.2 has it done behind."""
    _, running = aftr
    text = example("ip6tnl-aftr").replace("[traffic]\n", "[traffic]\ndont_fragment = false\nreassemble = true\n")
    device = part(running.device, ManyTunnels).device
    for mtu in (1280, 1460):
        for number in range(1, 9):
            device.run(("ip", "link", "set", f"b4-{number}", "mtu", str(mtu)))
        trial = validated(parse_bench(text, "bench"), running, 1500)
        all_came(trial)
        assert trial.reverse is not None
        assert trial.reverse.foreground.remarks.get("in_fragments", 0) == (COUNT if mtu == 1280 else 0)
        running.device.clear_state()


def test_what_an_aftr_must_refuse(aftr: tuple[Bench, Session]) -> None:
    """R6333-11: a source that isn't private; and what isn't to the AFTR, to a port or to an address that nobody has."""
    found = check_negative(*aftr, 0.3)
    assert {one.test.name: one.passed for one in found if one.untried is None} == {
        "source_address": 0,
        "aftr": 0,
        "nobodys_port": 0,
        "pool": 0,
    }


@more
@only_long
def test_rule_by_rule(aftr: tuple[Bench, Session]) -> None:
    """As docs/conformance.md says: RFC 6333 and, in a client's sessions, RFC 4787 and RFC 5508."""
    assert records(check_rules(*aftr, lambda _: None)) == read("ip6tnl-aftr-dslite").rules


def tunnels_missing(running: Session) -> list[str]:
    return [line for line in running.device.diagnose() if "tunnel" in line]


def test_what_is_said_of_an_aftr(aftr: tuple[Bench, Session]) -> None:
    _, running = aftr
    facts = running.device.facts()
    assert facts["tunnels"] == "8"
    assert "ip6tnl" in facts["tunnels.first"]
    assert "ct original zone" in facts["nft.tunnels"]
    assert "snat to 198.19.0.1:1024-65535" in facts["nft.rules"]
    assert tunnels_missing(running) == []
    machine = part(running.device, ManyTunnels).device
    machine.run(("ip", "link", "delete", "b4-8"))
    assert tunnels_missing(running) == ["the DUT has no tunnel b4-8 to 2001:2:0:4007::2"]
