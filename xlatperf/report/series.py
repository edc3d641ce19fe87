"""Series over the number of connections and of the DUT's cores: what belongs together, and how it is named."""

from __future__ import annotations

from xlatperf.campaign.results import Measurement
from xlatperf.procedures import establishment, teardown
from xlatperf.report.statistics import Summary
from xlatperf.report.values import find


def series_name(item: Measurement) -> str:
    """The measure's name without what has a column of its own: timeout, share, cores, connections, alpha."""
    name = item.measure
    if item.frame_timeout_ms is not None:
        name = name.removesuffix(f" with frame timeout {item.frame_timeout_ms:g} ms")
    if item.share is not None:
        name = name.removesuffix(f" at {100 * item.share:g} % of the throughput")
    if item.device_cores is not None:
        name = name.removesuffix(f", {cores_in_words(item.device_cores)}")
    count = connections_of(item)
    if count is not None:
        name = name.removesuffix(f", {count:,} connections")
    return "establishment" if alpha_of(item) is not None and name == "validated establishment" else name


def full_name(item: Measurement) -> str:
    """With alpha, where it has no column."""
    alpha = alpha_of(item) if item.procedure == "establishment" else None
    return series_name(item) if alpha is None else f"{series_name(item)}, validated at alpha = {alpha:g}"


def connections_of(item: Measurement) -> int | None:
    """N; None for a stateless DUT, and where the procedure varies it."""
    return item.connections.count if item.connections is not None else None


def cores_in_words(count: int) -> str:
    """`1 core`, `2 cores`."""
    return f"{count} {'core' if count == 1 else 'cores'}"


def point(item: Measurement) -> tuple[int | None, int | None]:
    """Where in its series a measurement is: connections and cores."""
    return connections_of(item), item.device_cores


def place(item: Measurement) -> str:
    """` with 10,000 connections on 2 cores`; nothing for others."""
    count, cores = point(item)
    said = f" with {count:,} connection{'' if count == 1 else 's'}" if count is not None else ""
    return said + (f" on {cores_in_words(cores)} of the device" if cores is not None else "")


def alpha_of(item: Measurement) -> float | None:
    """Rate of the validation as a share of phase 1's (RFC 9693 §4.6); None: no validation."""
    value = item.parameters.get("alpha")
    return float(value) if isinstance(value, int | float) else None


def performance(item: Measurement) -> Summary | None:
    """The rate that a series is about, over all repetitions; None: nothing was found, or it's no rate."""
    if item.procedure == "throughput":
        return item.summary
    if item.procedure == "teardown":
        return _teardown(item)
    if item.procedure != "establishment":
        return None
    for quantity in (establishment.RATE, establishment.VALIDATED_RATE):
        found = find(item, quantity, None)
        if found is not None and found.summary is not None:
            return found.summary
    return None


def _teardown(item: Measurement) -> Summary | None:
    """The rate of the medians, which is what the draft's tables have; the spread is that of the repetitions."""
    found = find(item, teardown.RATE, None)
    rate = next((one.value for one in item.derived if one.quantity == teardown.OF_MEDIANS), None)
    if found is None or found.summary is None or rate is None:
        return None
    return found.summary.model_copy(update={"median": rate})
