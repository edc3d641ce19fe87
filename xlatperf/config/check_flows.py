"""Whether flows can be counted as the bench file counts them (RFC 8219 §10). Each message starts with the place."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from xlatperf.config.traffic import Traffic
from xlatperf.engine.message import DIRECTIONS, DirectionName
from xlatperf.keys.not_allowed import not_allowed, refuse
from xlatperf.procedures.incremental import MOST_FLOWS, MOST_S, Incremental
from xlatperf.procedures.procedure import Procedure
from xlatperf.procedures.series import Series
from xlatperf.technologies.registry import AnyTechnology

_MOST_TUPLES = 2**48
"""Of the permutation that flows are drawn by."""
_UNCOUNTED = (
    "only with a number of flows: that of subscribers, or flows of hosts by columns or by traffic.forward.flows and "
    "traffic.reverse.flows, which are the same"
)


def counted_flows(
    technology: AnyTechnology, traffic: Traffic, series: Series, directions: Sequence[DirectionName]
) -> int | None:
    """How many network flows a series has; None: each frame draws its own, they belong to connections, or directions
    differ."""
    if technology.stateful or technology.hairpins:
        return None
    if technology.subscribers is not None:
        return technology.subscribers if series.subscribers is None else series.subscribers
    counts = {traffic.at(series).of(name).flows for name in directions}
    return counts.pop() if len(counts) == 1 else None


def check_flows(technology: AnyTechnology, traffic: Traffic, measures: Sequence[Procedure]) -> None:
    """Raises ValueError."""
    for at, own in _all(traffic, measures):
        for name in DIRECTIONS:
            _check_number(technology, at, name, own or f"traffic.{name}.flows")
    for index, measure in enumerate(measures):
        for place in measure.places():
            interval_s = place.measure.flows_apart_s
            if interval_s is None:
                continue
            here = f"measure[{index}].flow_interval_s"
            count = counted_flows(technology, traffic, place.series, measure.directions)
            if count is None:
                refuse(here, interval_s, _UNCOUNTED)
            if count > MOST_FLOWS:
                refuse(here, interval_s, f"nothing with {count} flows: with at most {MOST_FLOWS}")
            if Incremental(count, interval_s).begun_s > MOST_S:
                refuse(here, interval_s, f"at most {MOST_S} s until all {count} flows have begun")


def _all(traffic: Traffic, measures: Sequence[Procedure]) -> Iterator[tuple[Traffic, str]]:
    """The traffic of each series, and which key says its number of flows, if it's the series' own."""
    yield traffic, ""
    for index, measure in enumerate(measures):
        for place in measure.places():
            own = place.series.flows is not None and place.column is not None
            here = measure.place_of_column(index, (place.column or 0) - 1)
            yield traffic.at(place.series), f"{here}.flows" if own else ""


def _check_number(technology: AnyTechnology, traffic: Traffic, name: DirectionName, place: str) -> None:
    """So many of hosts: subscribers and connections are counted by other keys."""
    own = traffic.of(name)
    if own.flows is None:
        return
    refused = not_allowed(place, own.flows, "")
    if traffic.connections is not None or len(technology.hosts) < 2:
        raise ValueError(f"{refused}only with technologies that have hosts on both sides, and no connections")
    for end in ("source_ports", "destination_ports"):
        if getattr(own, end).order not in ("pseudorandom", "fixed"):
            raise ValueError(f"{refused}only with traffic.{name}.{end}.order pseudorandom or fixed")
    most = own.most_flows(traffic.left.hosts.count * traffic.right.hosts.count)
    if own.flows > most:
        raise ValueError(f"{refused}at most {most}, which hosts and ports make")
    if most > _MOST_TUPLES:
        raise ValueError(f"{refused}nothing where hosts and ports make more than {_MOST_TUPLES} flows, here {most}")
