"""docs/conformance.md is what was found, by the rules that there are."""

from __future__ import annotations

import pytest

from docs import conformance as script
from tests.conformance.nat44 import setup as nat44_setup
from tests.conformance.nat64 import SETUP
from tests.conformance.test_hairpin_rules import WAY
from tests.conformance.test_map_t_ce_rules import BACK, OUT
from tests.conformance.translator import FROM_IPV4, FROM_IPV6
from tests.conformance.tunnel_end import both_ways
from xlatperf.conformance.exchange import Way
from xlatperf.conformance.nat44 import rules as nat44
from xlatperf.conformance.nat44.ends import ClientEnds
from xlatperf.conformance.nat44.rules import ALONE, TWICE
from xlatperf.conformance.nat44.twice import TwiceEnds
from xlatperf.conformance.probe import Make
from xlatperf.conformance.rfc6146 import rules as rfc6146
from xlatperf.conformance.rfc7599.rules import FROM_CLIENTS, TO_CLIENTS, from_ipv4, from_ipv6
from xlatperf.conformance.rfc7915 import rules as rfc7915
from xlatperf.conformance.rule import Rule
from xlatperf.conformance.stateful.sessions import OPENED
from xlatperf.conformance.tunnel import rules as tunnel
from xlatperf.conformance.tunnel.ends import makes
from xlatperf.conformance.tunnel.hairpin import hairpin_rules
from xlatperf.conformance.tunnel.natted import natted
from xlatperf.conformance.tunnel.standard import AFTR, B4, LWAFTR, LWB4_NAT, MAP_E, MAP_E_NAT, Standard


@pytest.mark.parametrize("table", script.TABLES, ids=lambda table: table.name)
def test_up_to_date(table: script.Table) -> None:
    assert table.part.with_part(table.text()) == table.part.text(), "run: python -m docs.conformance"


def of(*both: tuple[Way, tuple[Make, ...]]) -> list[Rule]:
    return [rule for way, makes in both for make in makes for rule in make(way.ends).rules]


def of_tunnels(standard: Standard) -> list[Rule]:
    into, out = both_ways(edge=standard.edge)
    if standard.nat:
        into, out = natted(into, out, edge=standard.edge)
    opened = [rule for _, rule in OPENED] if standard.nat else []
    return [*opened, *of((into, makes(tunnel.into(standard))), (out, makes(tunnel.out_of(standard))))]


def of_nat44(standard: nat44.Standard) -> list[Rule]:
    clients = nat44_setup(TwiceEnds if standard is TWICE else ClientEnds).clients
    packets = of((clients.outward, standard.out), (clients.inward, standard.back))
    return [*(rule for one in nat44.SCENARIOS for rule in one.rules), *packets]


def of_map_t_ce() -> list[Rule]:
    return [*(rule for _, rule in OPENED), *of((OUT, FROM_CLIENTS), (BACK, TO_CLIENTS))]


TODAY = {
    "siit": of((FROM_IPV4, rfc7915.FROM_IPV4), (FROM_IPV6, rfc7915.FROM_IPV6)),
    "nat64": [
        *(rule for one in rfc6146.SCENARIOS for rule in one.rules),
        *of((SETUP.clients.inward, rfc7915.STATEFUL_FROM_IPV4), (SETUP.clients.outward, rfc7915.STATEFUL_FROM_IPV6)),
    ],
    "nat44": of_nat44(ALONE),
    "464xlat": of_nat44(TWICE),
    "map-t": of((FROM_IPV4, from_ipv4()), (FROM_IPV6, from_ipv6(border_relay=True, another=None))),
    "map-t-ce": of_map_t_ce(),
    "map-e": of_tunnels(MAP_E),
    "lw4o6": of_tunnels(LWAFTR),
    "dslite": of_tunnels(AFTR),
    "map-e-ce": of_tunnels(MAP_E_NAT),
    "lw4o6-b4": of_tunnels(LWB4_NAT),
    "dslite-b4": of_tunnels(B4),
}


_TRANSLATORS = ("siit", "nat64", "nat44", "464xlat", "map-t", "map-t-ce")


@pytest.mark.parametrize("name", [name for table in script.TABLES for name in table.devices.values()])
def test_the_rules_of_today(name: str) -> None:
    """Else: xlatperf check examples/NAME.toml --all --output docs/conformance/NAME.json."""
    record = script.read(name)
    of_464xlat = record.driver == "jool-464xlat"
    assert [one.finding.rule for one in record.rules] == TODAY["464xlat" if of_464xlat else record.technology]


def test_how_many_there_are() -> None:
    page = script.TABLES[0].part.text()
    assert f"{len(TODAY['siit'])} of them" in page
    assert f"together {len(TODAY['nat64'])}" in page
    assert f"{len(TODAY['nat44'])} with those of headers" in page
    assert len(TODAY["nat44"]) == len(TODAY["464xlat"])
    assert f"(with `hairpinning` {len(of((WAY, makes(hairpin_rules(LWAFTR)))))}," in page
    assert f"(border relay, with `hairpinning` {len(of((WAY, makes(hairpin_rules(MAP_E)))))}, and CE" in page
    assert f"{len(TODAY['map-t'])} in all" in page
    tunnels = [len(rules) for name, rules in TODAY.items() if name not in _TRANSLATORS]
    assert f"{min(tunnels)} to {max(tunnels)} of RFC 2473" in page
