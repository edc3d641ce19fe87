"""Measures of connections through a stateful DUT (RFC 9693 §4.5 to §4.9)."""

from __future__ import annotations

from typing import Literal

from pydantic import model_validator

from xlatperf.config.connections import MOST_CONNECTIONS
from xlatperf.config.measure_base import AfterPhase1, OfConnections, OneWay, UpToMaximum
from xlatperf.config.model import REQUIRED, Number, Whole, key


class ConnectionRates(UpToMaximum, OneWay):
    """What a search of the connection establishment rate needs."""

    minimum_fps: Number = key(100.0, "lowest rate of the search in connections per second", gt=0, le=1e9)
    stop_width_fps: Number | None = key(
        None,
        "error of the search: stop when the bounds are so close, in connections per second",
        gt=0,
        le=1e9,
        source="RFC 9693 §6: to be reported",
    )
    stop_width_percent: Number | None = key(
        1.0,
        "error of the search in percent of the upper bound; with both, the first that is reached",
        gt=0,
        le=50,
        source="RFC 9693 §6: to be reported",
    )

    @model_validator(mode="after")
    def _search_bounds(self) -> ConnectionRates:
        if isinstance(self.maximum_fps, float) and self.minimum_fps > self.maximum_fps:
            raise ValueError(
                f"minimum_fps: {self.minimum_fps:g} is not allowed: at most maximum_fps, {self.maximum_fps:g}"
            )
        if self.stop_width_fps is None and self.stop_width_percent is None:
            raise ValueError("stop_width_percent: nothing is not allowed: stop_width_fps or stop_width_percent")
        return self


class Establishment(ConnectionRates, OfConnections):
    """RFC 9693 §4.5, §4.6: the fastest rate at which each of N frames opens a connection and comes through."""

    procedure: Literal["establishment"] = key(REQUIRED, "procedure")
    alpha: Number | None = key(
        None,
        "with validation: then one frame comes back on each connection, at alpha times the rate; not set: without",
        gt=0,
        le=10,
        source="RFC 9693 §4.6: less than 1, such as 0.8 or 0.5",
    )
    repetitions: Whole = key(
        10,
        "number of complete searches of the rate",
        ge=1,
        le=10000,
        source="RFC 9693 §6: several, their number is to be reported",
    )


class Teardown(AfterPhase1, OneWay):
    """RFC 9693 §4.8: how long the DUT takes to delete N connections, less what deleting none takes."""

    procedure: Literal["teardown"] = key(REQUIRED, "procedure")
    repetitions: Whole = key(
        10, "number of deletions", ge=1, le=10000, source="RFC 9693 §6: several, their number is to be reported"
    )


class Capacity(ConnectionRates):
    """RFC 9693 §4.9: how many connections fit into the DUT's connection tracking table."""

    procedure: Literal["capacity"] = key(REQUIRED, "procedure")
    safe_connections: Whole = key(
        10_000,
        "so many connections surely fit: C0, or where they are too few for minimum_phase_1_s the search's begin; the "
        "number is doubled until they don't fit",
        ge=1,
        le=MOST_CONNECTIONS,
        source="RFC 9693 §4.9: a number that is known to be safe",
    )
    minimum_phase_1_s: Number = key(
        1.0,
        "phase 1 takes at least so long: C0 and R0 grow together until it does, as in a shorter one the DUT's buffers "
        "take what it can't establish",
        ge=0.001,
        le=60,
        source="RFC 9693 §4.9 has no such bound",
    )
    maximum_connections: Whole | None = key(
        None,
        "the search ends here; not set: all of traffic.connections, at most 10000000",
        ge=1,
        le=MOST_CONNECTIONS,
        source="RFC 9693 §4.9 has no end",
    )
    tolerated_error: Whole = key(
        1000,
        "E: stop when the bounds are so close, in connections",
        ge=1,
        le=MOST_CONNECTIONS,
        source="RFC 9693 §4.9: a parameter; no value given",
    )
    alpha: Number = key(
        0.8,
        "the validation's rate, as a share of the establishment rate",
        gt=0,
        le=10,
        source="RFC 9693 §4.6: less than 1, such as 0.8 or 0.5",
    )
    beta: Number = key(
        0.1,
        "doubling ends when the establishment rate falls below this share of the one before",
        gt=0,
        lt=1,
        source="RFC 9693 §4.9: for instance 0.1",
    )
    gamma: Number = key(
        0.5,
        "the same for the final search",
        gt=0,
        lt=1,
        source="RFC 9693 §4.9: for instance 0.5",
    )
    maximum_repeats: Whole = key(
        1,
        "how often the last experiment with a number of connections is repeated before that number has failed, if it "
        "lost little",
        ge=0,
        le=100,
        source="ETSI GS NFV-TST 009 §12.3.3: loss verification; RFC 9693 §4.9 has none",
    )
    repetitions: Whole = key(
        10,
        "number of complete searches of the capacity",
        ge=1,
        le=10000,
        source="RFC 9693 §6: several, their number is to be reported",
    )

    @model_validator(mode="after")
    def _room(self) -> Capacity:
        if self.maximum_connections is not None and self.maximum_connections < self.safe_connections:
            raise ValueError(
                f"maximum_connections: {self.maximum_connections} is not allowed: at least safe_connections, which is "
                f"{self.safe_connections}"
            )
        return self


ConnectionMeasure = Establishment | Teardown | Capacity
"""Measures that only stateful DUTs have."""
