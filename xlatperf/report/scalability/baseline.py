"""Native forwarding by the same device, measured in a campaign of its own: what rates of translation compare with.

As draft-lencse-v6ops-transition-scalability has it in its Fig. 2.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from operator import attrgetter
from typing import Any

from xlatperf.report.evidence import Evidence
from xlatperf.report.scalability.groups import Curve, Spot
from xlatperf.report.scalability.rows import error_of, rates, ratio, relative
from xlatperf.report.scalability.table import TableRow
from xlatperf.report.values import directions
from xlatperf.results.results import Measurement

_STATISTICS = (("median", "median"), ("min", "minimum"), ("max", "maximum"))


def baseline_rows(evidence: Evidence, line: Curve | None, columns: Sequence[Spot]) -> Iterator[TableRow]:
    """Heading, error, throughput, relative scale-up and ratio; nothing where there is no baseline for the line."""
    known = evidence.baseline
    if known is None or line is None or line.procedure.facts.finds != "throughput":
        return
    each = {spot: _same(evidence, known, item) for spot, item in line.members.items()}
    members = {spot: one for spot, one in each.items() if one is not None}
    if not members:
        return
    own = replace(line, members=members)
    ports = port_words(known, [line.members[spot] for spot in members])
    yield TableRow(f"{known.families['left']} packet forwarding ({ports})")
    at = [members.get(spot) for spot in columns]
    yield error_of(own, at)
    rows = [rates(f"throughput {name}", "", at, attrgetter(statistic), own.ways) for name, statistic in _STATISTICS]
    yield from rows
    yield from (replace(row, unit="") for row in relative(own, columns, rows[0], "tp. ") if "scale up" in row.name)
    above = rates("", "", [line.members.get(spot) for spot in columns], attrgetter("median"), line.ways)
    yield ratio("throughput ratio (%)", above, rows[0])


def _same(evidence: Evidence, known: Evidence, item: Measurement) -> Measurement | None:
    """The baseline's throughput of frames of the same size, by the same rules, on as many cores."""

    def of(owner: Evidence, one: Measurement) -> tuple[object, ...]:
        rules = one.mix, one.direction, one.frame_timeout_ms, one.loss_tolerance
        return one.procedure, owner.ipv4_size(one), owner.ipv4_sizes(one), one.device_cores, *rules

    return next((one for one in known.results.measurements if of(known, one) == of(evidence, item)), None)


def port_words(known: Evidence, items: Iterable[Measurement]) -> str:
    """Whether native frames had the ports of these connections."""
    same = all(_ports_alike(known, item) for item in items)
    return "using the same port number ranges" if same else "with other port number ranges"


def _ports_alike(known: Evidence, item: Measurement) -> bool:
    """Whether the baseline's frames had the ports of the clients and of the servers, in each direction that sent."""
    space = item.connections
    if space is None or space.server_ports is None:
        return False
    clients, servers = tuple(space.client_ports), tuple(space.server_ports)
    for name in directions(item):
        source, destination = (
            _range(known.asked("traffic", name, end)) for end in ("source_ports", "destination_ports")
        )
        if (source, destination) != ((clients, servers) if name == "forward" else (servers, clients)):
            return False
    return True


def _range(table: Mapping[str, Any]) -> tuple[Any, Any]:
    return table.get("first"), table.get("last")
