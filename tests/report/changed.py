"""Measurements of the simulated campaigns with other values, conditions and numbers of repetitions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from tests.report import connections_campaign, frames_campaign
from xlatperf.keys.in_words import plural
from xlatperf.procedures import establishment, teardown, throughput
from xlatperf.procedures.failure import Failure
from xlatperf.procedures.frame_loss import LOSS
from xlatperf.procedures.quantity import LimitedBy, Quantity, Value
from xlatperf.results.connection_records import ConnectionsRecord
from xlatperf.results.frames import Mix, SideSizes
from xlatperf.results.results import Measurement, Repetition
from xlatperf.run.measurement import series


def valued(
    item: Measurement,
    values: Mapping[Quantity, Sequence[float]],
    *,
    limited_by: LimitedBy = "dut",
    **changes: Any,
) -> Measurement:
    """As many repetitions as there are values; a search ended at the first quantity's value, 1 % wide."""
    rates = next(iter(values.values()))
    found = {
        number: [Value(one, None, of_each[number - 1]) for one, of_each in values.items()]
        for number in range(1, len(rates) + 1)
    }
    repetitions = tuple(
        _repetition(item.repetitions[0], number, rate, limited_by) for number, rate in enumerate(rates, 1)
    )
    return item.model_copy(update={"repetitions": repetitions, "values": series(found), **changes})


def _repetition(first: Repetition, number: int, rate: float, limited_by: LimitedBy) -> Repetition:
    if first.search is None:
        return first.model_copy(update={"number": number})
    search = replace(first.search, lower_fps=rate or None, upper_fps=rate * 1.01)
    return first.model_copy(update={"number": number, "search": search, "limited_by": limited_by})


def failure(what: str, *details: str) -> Failure:
    """Of the first repetition."""
    return Failure(repetition=1, what=what, details=details)


def frames(
    rates: Sequence[float],
    *,
    size: int = 84,
    mix: tuple[int, int] = (1, 1),
    **changes: Any,
) -> Measurement:
    """Throughput of a stateless DUT."""
    return valued(
        frames_campaign.measured("throughput"),
        {throughput.RATE: rates, throughput.ERROR: [2000.0] * len(rates)},
        **{
            "frame_size": SideSizes(left=size, right=size - 20),
            "frame_size_named": size,
            "mix": Mix(take=mix[0], of=mix[1]),
            "failures": () if rates else (failure("the DUT does not answer"),),
            **changes,
        },
    )


def losses(percent: float | None, **changes: Any) -> Measurement:
    """The frame loss at each rate of the sweep; None: the Tester could do none of them."""
    item = frames_campaign.measured("frame_loss")
    values = tuple(
        one.model_copy(
            update={
                "summary": None,
                "values": tuple(value.model_copy(update={"value": percent}) for value in one.values),
            }
        )
        if one.quantity == LOSS.name
        else one
        for one in item.values
    )
    return item.model_copy(update={"values": values, **changes})


def space(count: int, **changes: Any) -> ConnectionsRecord:
    """One client with 40,000 ports, one server."""
    known = connections_campaign.measurements()[0].connections
    assert known is not None
    return known.model_copy(update={"count": count, "server_ports": (1, -(-count // 40_000)), **changes})


def rates(
    connections: int,
    found: Sequence[float],
    *,
    alpha: float | None = None,
    cores: int | None = None,
    several: bool = True,
    **changes: Any,
) -> Measurement:
    """Establishment rates, with an error of 1 %; no part of the DUT is known."""
    name = "establishment" if alpha is None else "validated establishment"
    name += f", {connections:,} connections" if several else ""
    item = connections_campaign.measured("establishment", alpha=None if alpha is None else 0.8)
    quantity = establishment.RATE if alpha is None else establishment.VALIDATED_RATE
    return valued(
        item,
        {quantity: found, establishment.ERROR: [round(rate * 0.01, 3) for rate in found]},
        **{
            "measure": name + _on(cores),
            "connections": space(connections),
            "device_cores": cores,
            "device_cpu": {},
            "parameters": {**item.parameters, "alpha": alpha},
            **changes,
        },
    )


def teardowns(connections: int, seconds: Sequence[float]) -> Measurement:
    """Deleting none takes a millisecond."""
    of_medians = teardown.rate_of_medians(connections, seconds, [0.001] * len(seconds))
    return valued(
        connections_campaign.measured("teardown"),
        {
            teardown.RATE: [connections / (full - 0.001) for full in seconds],
            teardown.GROSS_RATE: [connections / full for full in seconds],
            teardown.DELETING: seconds,
            teardown.DELETING_EMPTY: [0.001] * len(seconds),
        },
        measure=f"teardown, {connections:,} connections",
        connections=space(connections),
        derived=(of_medians,),
    )


def throughputs(connections: int, found: Sequence[float], *, cores: int | None = None, **changes: Any) -> Measurement:
    """Of phase 2."""
    return valued(
        connections_campaign.measured("throughput"),
        {throughput.RATE: found, throughput.ERROR: [2000.0] * len(found)},
        **{
            "measure": f"throughput, {connections:,} connections{_on(cores)}",
            "connections": space(connections),
            "device_cores": cores,
            "device_cpu": {},
            **changes,
        },
    )


def over_cores() -> tuple[Measurement, ...]:
    """One and two cores."""
    return (
        rates(40_000, (60_000.0, 59_000.0), cores=1, several=False),
        rates(40_000, (96_000.0, 95_000.0), cores=2, several=False),
        throughputs(40_000, (120_000.0,), cores=1),
        throughputs(40_000, (180_000.0,), cores=2),
    )


def _on(cores: int | None) -> str:
    return "" if cores is None else f", {plural(cores, 'core')}"
