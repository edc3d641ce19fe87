"""Keys of the search for the capacity of the connection tracking table (RFC 9693 §4.9)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from pydantic import model_validator

from xlatperf.keys.limits import MOST_CONNECTIONS
from xlatperf.keys.model import Number, Whole, key
from xlatperf.keys.not_allowed import refuse
from xlatperf.procedures.connection_rates import ConnectionRates
from xlatperf.procedures.connections import ACCIDENT_SHARE
from xlatperf.procedures.deviation import Deviation
from xlatperf.procedures.loss_tolerance import Tolerant
from xlatperf.procedures.procedure import SEARCH_STEPS, Parameter

MOST_BY_ITSELF = 10_000_000
"""Up to so many connections the search goes without being told to go further."""


class CapacityKeys(Tolerant, ConnectionRates):
    """Where it begins, when it has failed, when it ends."""

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
    def _room(self) -> CapacityKeys:
        if self.maximum_connections is not None and self.maximum_connections < self.safe_connections:
            refuse(
                "maximum_connections",
                self.maximum_connections,
                f"at least safe_connections, which is {self.safe_connections}",
            )
        return self

    @property
    def steps(self) -> int:
        """A search of searches."""
        return SEARCH_STEPS * SEARCH_STEPS

    @property
    def phases_1(self) -> int:
        """The validation takes as long again."""
        return 2

    @property
    def least_connections(self) -> int:
        """As a key."""
        return self.safe_connections

    @property
    def counts_of_connections(self) -> Mapping[str, int]:
        """Where its search begins and ends."""
        known = {"safe_connections": self.safe_connections, "maximum_connections": self.maximum_connections}
        return {name: count for name, count in known.items() if count is not None}

    def parameters(self) -> dict[str, Parameter]:
        """RFC 9693 §4.9."""
        return {
            **super().parameters(),
            "alpha": self.alpha,
            "beta": self.beta,
            "gamma": self.gamma,
            "safe_connections": self.safe_connections,
            "minimum_phase_1_s": self.minimum_phase_1_s,
            "maximum_connections": self.maximum_connections,
            "tolerated_error": self.tolerated_error,
            "maximum_repeats": self.maximum_repeats,
        }

    def deviations(self) -> Iterator[Deviation]:
        """RFC 9693 §4.9."""
        yield from super().deviations()
        yield from self.tolerated("RFC 9693 §4.9", "the capacity of RFC 9693")
        yield Deviation(
            "RFC 9693 §4.9",
            "binary search of the rate for each number of connections",
            f"{self.label}: the last safe rate is tried first, then a guess, then the lowest rate that counts "
            "(abandoned if that fails), then halves: the same outcome within the stop width in fewer experiments; a "
            f"lowest rate that lost at most {100 * ACCIDENT_SHARE:g} % is tried twice",
        )
        yield Deviation(
            "RFC 9693 §4.9",
            "how a collapse of the DUT is detected is left open",
            f"{self.label}: its driver says so, or it doesn't answer ARP or Neighbor Discovery; a DUT with gateway_mac "
            "isn't asked",
        )
        yield Deviation(
            "RFC 9693 §4.9",
            "R0 is found with C0, a number known to be safe",
            f"{self.label}: C0 and R0 grow from {self.safe_connections:,} connections until phase 1 takes "
            f"{self.minimum_phase_1_s:g} s at R0, as buffers take a shorter one",
        )

    def most_connections(self, possible: int) -> int:
        """Where the search ends."""
        if self.maximum_connections is not None:
            return self.maximum_connections
        return max(self.safe_connections, min(MOST_BY_ITSELF, possible))
