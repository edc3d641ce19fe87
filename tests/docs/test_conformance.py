"""docs/conformance.md is what was found, by the rules that there are."""

from __future__ import annotations

import pytest

from docs import conformance as script
from tests.conformance.translator import FROM_IPV4, FROM_IPV6
from xlatperf.conformance.rfc7915 import rules as rfc7915


def test_up_to_date() -> None:
    assert script.PAGE.with_part(script.table()) == script.PAGE.text(), "run: python -m docs.conformance"


@pytest.mark.parametrize("name", script.DEVICES.values())
def test_the_rules_of_today(name: str) -> None:
    """Else: xlatperf check examples/NAME-siit.toml --all --output docs/conformance/NAME.json."""
    ways = ((FROM_IPV4, rfc7915.FROM_IPV4), (FROM_IPV6, rfc7915.FROM_IPV6))
    today = [rule for way, makes in ways for make in makes for rule in make(way.ends).rules]
    assert [one.finding.rule for one in script.read(name).rules] == today
    assert f"RFC 7915, {len(today)} of them" in script.PAGE.text()
