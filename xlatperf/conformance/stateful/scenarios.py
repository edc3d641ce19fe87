"""Scenarios, one after the other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

from xlatperf.conformance.exchange import Exchanges
from xlatperf.conformance.rule import Finding
from xlatperf.conformance.stateful.clients import Setup
from xlatperf.conformance.stateful.talk import Scenario, Silent, Talk
from xlatperf.conformance.trying import Attempt, findings


def told(exchanges: Exchanges, setup: Setup, scenarios: Sequence[Scenario]) -> Iterator[Finding]:
    """Of each rule. Raises EngineError, EngineDied."""
    attempts = (Attempt(one.rules, partial(_once, exchanges, setup, one), one.answered) for one in scenarios)
    yield from findings(attempts, exchanges.sleep)


def _once(exchanges: Exchanges, setup: Setup, scenario: Scenario) -> list[Finding] | None:
    try:
        return list(scenario.told(Talk(exchanges, setup)))
    except Silent:
        return None
