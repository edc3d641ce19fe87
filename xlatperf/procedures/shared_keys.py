"""Keys that several procedures share."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import inf
from typing import Annotated, Literal

from pydantic import Field, model_validator

from xlatperf.keys.limits import MOST_CONNECTIONS
from xlatperf.keys.model import Number, Whole, key
from xlatperf.keys.not_allowed import refuse
from xlatperf.procedures.deviation import Deviation
from xlatperf.procedures.phase_1 import Phase1
from xlatperf.procedures.procedure import DirectionChoice, Parameter, Procedure, Rate


class OfConnections(Procedure):
    """A measure through a given number of connections of a stateful DUT."""

    connections: tuple[Annotated[Whole, Field(ge=1, le=MOST_CONNECTIONS)], ...] | None = key(
        None,
        "numbers of connections, each a series of its own; needed with stateful technologies, and only there",
        allowed="a list of numbers from 1 to 4294967295, each once, such as [10000, 100000]",
        source="RFC 9693 §5.1: a series of numbers; §6: to be reported",
        min_length=1,
    )

    @model_validator(mode="after")
    def _numbers_once(self) -> OfConnections:
        if self.connections is not None and len(set(self.connections)) != len(self.connections):
            refuse("connections", self.connections, "each number once")
        return self

    @property
    def axes(self) -> Mapping[str, Sequence[int | None]]:
        """Numbers of connections too."""
        return {**super().axes, "connections": self.connections or (None,)}

    @property
    def column_keys(self) -> frozenset[str]:
        """Numbers of connections too."""
        return super().column_keys | {"connections"}

    @property
    def through_connections(self) -> bool:
        """Whether the DUT is stateful."""
        return bool(self.counts_of_connections)

    @property
    def selftest_phase(self) -> Literal["establish", "steady"] | None:
        """That of RFC 9693 §4.7, unless it only opens them."""
        return "steady" if self.through_connections else None

    @property
    def counts_of_connections(self) -> Mapping[str, int]:
        """Each of the list, or of the columns."""
        return {
            **{f"connections[{place}]": count for place, count in enumerate(self.connections or ())},
            **{
                f"columns[{place}].connections": column.connections
                for place, column in enumerate(self.table)
                if column.connections is not None
            },
        }


class AfterPhase1(OfConnections):
    """A measure that phase 1 comes before, at a rate safely below the connection establishment rate (RFC 9693 §4.2)."""

    establish_fps: Rate | None = key(
        None,
        "with connections: rate of phase 1 in connections per second; not set: from the establishment measure of this "
        "file for the same frames and connections",
        allowed="a number, above 0 to 1000000000",
        source="RFC 9693 §4.2: safely below the maximum connection establishment rate, to be determined first",
    )
    establish_share: Number = key(
        0.5,
        "the share of that rate (the median of its repetitions) which phase 1 has",
        gt=0,
        le=1,
        source="RFC 9693 §4.2: safely below it; no number given",
    )

    phase_1_loss_tolerance: Number = key(
        0.0,
        "with connections: share of phase 1's frames that may be lost; another frame then opens the connections of "
        "these before phase 2",
        ge=0,
        lt=1,
        source="RFC 9693 §4.4: phase 1 is complete",
    )

    @model_validator(mode="after")
    def _one_rate_of_phase_1(self) -> AfterPhase1:
        if self.establish_fps is not None and "establish_share" in self.model_fields_set:
            refuse("establish_share", self.establish_share, "without establish_fps")
        return self

    @property
    def phase_1(self) -> Phase1:
        """As keys."""
        return Phase1(self.establish_fps, self.establish_share, self.phase_1_loss_tolerance)

    def parameters(self) -> dict[str, Parameter]:
        """What phase 1 may lose, if anything."""
        more: dict[str, Parameter] = {"phase_1_loss_tolerance": self.phase_1_loss_tolerance}
        return {**super().parameters(), **(more if self.phase_1_loss_tolerance else {})}

    def deviations(self) -> Iterator[Deviation]:
        """RFC 9693 §4.2, §4.4."""
        yield from super().deviations()
        if self.phase_1_loss_tolerance:
            yield Deviation(
                "RFC 9693 §4.4",
                "phase 1 is complete before phase 2",
                f"{self.label}: a share of {self.phase_1_loss_tolerance:g} of its frames may be lost; another frame "
                "opens the connections of these",
            )
        if self.establish_fps is not None:
            yield Deviation(
                "RFC 9693 §4.2",
                "phase 1 is safely below the maximum connection establishment rate, which is measured first",
                f"{self.label}: phase 1 at the {self.establish_fps:g} connections/s that the bench file says",
            )


class TrafficMeasure(AfterPhase1):
    """A benchmark of RFC 8219 §7: traffic for a time. With a stateful DUT it is phase 2 (RFC 9693 §4.7)."""

    direction: DirectionChoice = key(
        "bidirectional", "which directions run at once", source="RFC 8219 §5.3, RFC 9693 §4.7: bidirectional"
    )
    duration_s: Number = key(
        60.0, "how long each trial sends, in s", gt=0, le=86400, source="RFC 2544 §24: at least 60 s"
    )

    @property
    def trial_s(self) -> float | None:
        """As a key."""
        return self.duration_s

    def deviations(self) -> Iterator[Deviation]:
        """RFC 8219 §5.3; RFC 9693 §4.7 where there are connections."""
        yield from super().deviations()
        if self.direction != "bidirectional":
            yield Deviation("RFC 8219 §5.3", "traffic in both directions", f"{self.label}: {self.direction} only")
        if self.through_connections:
            yield Deviation(
                "RFC 9693 §4.7",
                "the Responder updates its state table in phase 2",
                "phase 2 keeps to what phase 1 has learnt: a mapping that changes counts as wrong",
            )


class OneWay(Procedure):
    """A measure of connections, which the Initiator opens (RFC 9693 §4.5): a frame for each takes its time."""

    @property
    def direction(self) -> Literal["forward"]:
        """The Initiator's."""
        return "forward"

    @property
    def selftest_phase(self) -> Literal["establish", "steady"] | None:
        """That of RFC 9693 §4.5."""
        return "establish"

    def deviations(self) -> Iterator[Deviation]:
        """RFC 9693 §6."""
        yield from super().deviations()
        if self.repetitions < 2:
            yield Deviation("RFC 9693 §6", "measurements are executed multiple times", f"{self.label}: once")


class UpToMaximum(Procedure):
    """A measure that goes up to a highest rate."""

    maximum_fps: Rate | Literal["theoretical"] = key(
        "theoretical",
        "highest rate per direction in frames per second",
        allowed='"theoretical" or above 0 to 1000000000',
        source="RFC 2544 §20; RFC 8219 App. A",
    )

    def highest_fps(self, theoretical_fps: float) -> float:
        """As a key."""
        return theoretical_fps if self.maximum_fps == "theoretical" else self.maximum_fps

    @property
    def asked_fps(self) -> float:
        """As a key."""
        return max(super().asked_fps, self.highest_fps(inf))
