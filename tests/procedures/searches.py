"""Searches of a connection establishment rate and of a table's capacity, to be varied by keys and by conditions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Any, Self

from xlatperf.procedures.capacity import Capacity
from xlatperf.procedures.capacity_result import CapacityResult
from xlatperf.procedures.capacity_search import CapacitySearch, capacity
from xlatperf.procedures.conditions import Conditions
from xlatperf.procedures.establishment import Establishment, EstablishmentResult, establishment
from xlatperf.procedures.trial import Measure

_CONDITIONS = frozenset(item.name for item in fields(Conditions))


@dataclass(frozen=True)
class _Search:
    conditions: Conditions
    keys: Mapping[str, Any]

    def but(self, **changes: Any) -> Self:
        """The same with other keys or conditions, each by its name."""
        conditions = {name: value for name, value in changes.items() if name in _CONDITIONS}
        keys = {name: value for name, value in changes.items() if name not in conditions}
        return replace(self, conditions=replace(self.conditions, **conditions), keys={**self.keys, **keys})


@dataclass(frozen=True)
class Establishing(_Search):
    """Of the rate."""

    def found(self, dut: Measure) -> EstablishmentResult:
        """By one search."""
        return establishment(Establishment(procedure="establishment", **self.keys), self.conditions, dut)


@dataclass(frozen=True)
class Filling(_Search):
    """Of the capacity. It ends at `maximum_connections`."""

    def found(self, dut: Measure) -> CapacityResult:
        """By one search."""
        keys = Capacity(procedure="capacity", **self.keys)
        return capacity(CapacitySearch(keys, self.conditions, keys.most_connections(0)), dut)
