"""Connection tracking table capacity: how many connections the DUT holds at once (RFC 9693 §4.9)."""

from __future__ import annotations

from typing import Literal

from xlatperf.keys.model import REQUIRED, key
from xlatperf.procedures.capacity_keys import MOST_BY_ITSELF, CapacityKeys
from xlatperf.procedures.capacity_result import CAPACITY, FAILED, INITIAL_RATE, SAFE_RATE
from xlatperf.procedures.capacity_search import CapacitySearch, capacity
from xlatperf.procedures.conditions import Conditions
from xlatperf.procedures.facts import Facts
from xlatperf.procedures.quantity import Measured
from xlatperf.procedures.trial import Measure


class Capacity(CapacityKeys):
    """RFC 9693 §4.9: how many connections fit into the DUT's connection tracking table."""

    facts = Facts(
        title="Connection tracking table capacity",
        standard="RFC 9693 §4.9",
        quantities=(CAPACITY, FAILED, INITIAL_RATE, SAFE_RATE),
        smallest_only=True,
        of_connections=True,
    )

    procedure: Literal["capacity"] = key(REQUIRED, "procedure")

    def run(self, conditions: Conditions, measure: Measure) -> Measured:
        """One search. Raises MeasurementFailed."""
        most = self.most_connections(conditions.most_connections or MOST_BY_ITSELF)
        return capacity(CapacitySearch(self, conditions, most), measure).measured()
