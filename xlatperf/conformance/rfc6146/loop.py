"""RFC 6146 §3.5: what would go round for ever."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from xlatperf.conformance.rule import Finding, Level, Rule
from xlatperf.conformance.stateful.talk import Scenario, Talk

_LOOP = Rule("RFC 6146 §3.5", Level.MUST, "a packet whose source is in the prefix is silently discarded")


def _loop(talk: Talk) -> Iterator[Finding]:
    packet = replace(talk.client(), source=talk.setup.outside(talk.setup.other)).udp()
    yield talk.silently_discarded(_LOOP, talk.out, packet)


SCENARIOS = (Scenario((_LOOP,), _loop),)
