"""All rules of a NAT44 that single packets show, also of 464XLAT as a whole."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from xlatperf.conformance.exchange import Exchanges
from xlatperf.conformance.nat44.clients import Nat44Setup
from xlatperf.conformance.nat44.errors import ERRORS
from xlatperf.conformance.probe import Make
from xlatperf.conformance.rule import Finding, Level, Says
from xlatperf.conformance.stateful.hairpinning import hairpinning_scenarios
from xlatperf.conformance.stateful.icmp import icmp_scenarios
from xlatperf.conformance.stateful.scenarios import told
from xlatperf.conformance.stateful.sessions import Sessions
from xlatperf.conformance.stateful.standard import NAT44
from xlatperf.conformance.stateful.tcp import tcp_scenarios
from xlatperf.conformance.stateful.udp import udp_scenarios
from xlatperf.conformance.through import CLIENTS, Through, fragment_rules, through_rules
from xlatperf.conformance.transport import ECHO_REPLY

SCENARIOS = (
    *udp_scenarios(NAT44),
    *tcp_scenarios(NAT44),
    *icmp_scenarios(NAT44),
    *hairpinning_scenarios(NAT44),
)


@dataclass(frozen=True)
class Standard:
    """`names`: the RFCs. `clients`: what comes from them."""

    names: str
    clients: Through

    @property
    def out(self) -> tuple[Make, ...]:
        """From clients."""
        return _rules(self.clients)

    @property
    def back(self) -> tuple[Make, ...]:
        """To clients."""
        return _rules(replace(self.clients, echoes=(ECHO_REPLY,)))

    @property
    def count(self) -> int:
        """Exchanges with the device, a scenario as one."""
        return len(SCENARIOS) + len(self.out) + len(self.back)


def _rules(says: Through) -> tuple[Make, ...]:
    return (*through_rules(says, shared=True), *fragment_rules(says), *ERRORS)


ALONE = Standard("RFC 3022, RFC 4787, RFC 5382 and RFC 5508", CLIENTS)
"""The NAT44 by itself."""
TWICE = Standard(
    "RFC 4787, RFC 5382, RFC 5508 and RFC 7915",
    replace(CLIENTS, header=Says("RFC 7915 §4.1, §5.1", Level.MUST), twice=True),
)
"""464XLAT (RFC 6877)."""


def findings(exchanges: Exchanges, standard: Standard, setup: Nat44Setup) -> Iterator[Finding]:
    """Mappings first, then packets in sessions of a client. Raises EngineError, EngineDied."""
    yield from told(exchanges, setup, SCENARIOS)
    sessions = Sessions(exchanges, setup.clients)
    yield from exchanges.findings(setup.clients.outward, standard.out, sessions.outward)
    yield from exchanges.findings(setup.clients.inward, standard.back, sessions.inward)
