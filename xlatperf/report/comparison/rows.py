"""Puts what the campaigns found beside each other: a row for each kind, a place in it for each campaign."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from xlatperf.procedures.quantity import Bound
from xlatperf.report.bounds import of_ratio
from xlatperf.report.comparison.campaign import Campaign
from xlatperf.report.comparison.found import NO_QUANTITY, Found, found_in
from xlatperf.report.comparison.kind import Kind


@dataclass(frozen=True)
class Row:
    """`found`: one for each campaign, in their order; None: it has not measured that."""

    kind: Kind
    found: tuple[Found | None, ...]

    def ratio(self, index: int) -> float | None:
        """To the first campaign; None if one of both has no value, the first's is 0, or nothing is known of it.

        Nothing is known either where a throughput is a bound and both were measured at a share of it: at different
        loads that have nothing in common.
        """
        first, one = self.found[0], self.found[index]
        if first is None or one is None or not first.value or one.value is None:
            return None
        if self.ratio_bound(index) is None:
            return None
        return one.value / first.value

    def ratio_bound(self, index: int) -> Bound | None:
        """What that ratio is: a value (empty), at least (>=), at most (<=) so much; None: nothing is known of it."""
        first, one = self.found[0], self.found[index]
        if first is None or one is None or not comparable(first, one):
            return None
        return of_ratio(one.bound, first.bound)

    @property
    def shared(self) -> bool:
        """More than one campaign has a value."""
        return sum(one is not None and one.value is not None for one in self.found) > 1


def comparable(first: Found, one: Found) -> bool:
    """Whether both were measured at what the row says: a share of a throughput that is known, or the same load."""
    if first.load_fps is None and one.load_fps is None:
        return True
    return first.measurement.throughput_fps == one.measurement.throughput_fps


def rows(campaigns: Sequence[Campaign]) -> list[Row]:
    """All kinds that any of the campaigns has."""
    columns = [dict(found_in(campaign)) for campaign in campaigns]
    columns = [_with_quantities(column, columns) for column in columns]
    columns = [
        column if campaign.evidence.stateful else _for_each_number(column, columns)
        for campaign, column in zip(campaigns, columns, strict=True)
    ]
    kinds = list(dict.fromkeys(kind for column in columns for kind in column))
    return [
        Row(kind, tuple(column.get(kind) for column in columns)) for kind in sorted(kinds, key=lambda kind: kind.order)
    ]


def _with_quantities(column: Mapping[Kind, Found], columns: Sequence[Mapping[Kind, Found]]) -> dict[Kind, Found]:
    """A measurement without a result stands beside the quantities that others found."""
    everywhere = list(dict.fromkeys(kind for one in columns for kind in one if kind.quantity != NO_QUANTITY))
    found: dict[Kind, Found] = {}
    for kind, one in column.items():
        names = [other for other in everywhere if kind.quantity == NO_QUANTITY and _plain(other) == _plain(kind)]
        found |= dict.fromkeys(names or [kind], one)
    return found


def _plain(kind: Kind) -> Kind:
    return replace(kind, quantity="", unit="", direction="bidirectional", traffic_class=None)


def _for_each_number(column: Mapping[Kind, Found], columns: Sequence[Mapping[Kind, Found]]) -> dict[Kind, Found]:
    """A stateless DUT has no connections: its result is comparable with that of others through any number of them."""
    found: dict[Kind, Found] = {}
    for kind, one in column.items():
        numbers = [
            other
            for campaign in columns
            for other in campaign
            if other.connections is not None and replace(other, connections=None) == kind
        ]
        found |= dict.fromkeys(numbers, replace(one, stateless=True)) if numbers else {kind: one}
    return found
