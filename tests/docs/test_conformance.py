"""docs/conformance.md is what was found, by the rules that there are."""

from __future__ import annotations

import pytest

from docs import conformance as script
from tests.conformance.nat64 import SETUP
from tests.conformance.translator import FROM_IPV4, FROM_IPV6
from xlatperf.conformance.exchange import Way
from xlatperf.conformance.probe import Make
from xlatperf.conformance.rfc6146 import rules as rfc6146
from xlatperf.conformance.rfc7915 import rules as rfc7915
from xlatperf.conformance.rule import Rule

SIIT, NAT64 = script.TABLES


@pytest.mark.parametrize("table", script.TABLES, ids=lambda table: table.technology)
def test_up_to_date(table: script.Table) -> None:
    assert table.part.with_part(table.text()) == table.part.text(), "run: python -m docs.conformance"


def of(*both: tuple[Way, tuple[Make, ...]]) -> list[Rule]:
    return [rule for way, makes in both for make in makes for rule in make(way.ends).rules]


TODAY = {
    "siit": of((FROM_IPV4, rfc7915.FROM_IPV4), (FROM_IPV6, rfc7915.FROM_IPV6)),
    "nat64": [
        *(rule for one in rfc6146.SCENARIOS for rule in one.rules),
        *of((SETUP.inward, rfc7915.STATEFUL_FROM_IPV4), (SETUP.outward, rfc7915.STATEFUL_FROM_IPV6)),
    ],
}


@pytest.mark.parametrize(
    ("table", "name"), [(table, name) for table in script.TABLES for name in table.devices.values()], ids=str
)
def test_the_rules_of_today(table: script.Table, name: str) -> None:
    """Else: xlatperf check examples/NAME.toml --all --output docs/conformance/NAME.json."""
    today = TODAY[table.technology]
    assert [one.finding.rule for one in table.read(name).rules] == today
    assert f"{len(today)} of them" in table.part.text() or f"together {len(today)}" in table.part.text()
