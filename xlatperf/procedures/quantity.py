"""What a procedure finds: named quantities with a unit, one value of each per direction and repetition."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from xlatperf.engine.message import TrafficClass
from xlatperf.procedures.trial import DirectionName

if TYPE_CHECKING:
    from xlatperf.procedures.capacity_result import CapacityStep
    from xlatperf.procedures.frame_loss import SweepPoint

Unit = Literal["ns", "s", "%", "frames", "frames/s", "connections", "connections/s"]
Headline = Literal["median", "mean"]
Role = Literal["result", "beside"]
AtLeast = Literal["tester", "resolution"]
"""Why the DUT may do better than what was found."""
LimitedBy = Literal["dut", "tester", "maximum", "minimum"]


@dataclass(frozen=True)
class Quantity:
    """`headline`: how the standard summarises repetitions. `role`: the benchmark's result, or what stands beside it."""

    name: str
    unit: Unit
    meaning: str
    standard: str = ""
    headline: Headline = "median"
    role: Role = "result"


@dataclass(frozen=True)
class Value:
    """`direction` None: both together. `value` None: there is none, `remark` says why.

    `traffic_class`: of the frames of one class; None: of all.
    """

    quantity: Quantity
    direction: DirectionName | None
    value: float | None
    remark: str | None = None
    traffic_class: TrafficClass | None = None


@dataclass(frozen=True)
class Search:
    """What a search says of its result. The bounds are rates that were asked for: one passed, one did not.

    `limited_by`: what keeps the result from being higher. `duration_s`: of the trial that determined it.
    `loss_percent_above`: at the upper bound, if a valid trial ran there. `inversions`: pairs of trials where a higher
    rate passed and a lower one did not.
    """

    lower_fps: float | None
    upper_fps: float | None
    limited_by: LimitedBy
    duration_s: float | None = None
    loss_percent_above: Mapping[DirectionName, float] | None = None
    inversions: int = 0


@dataclass(frozen=True)
class Measured:
    """One repetition. `no_result`: why the benchmark can't have a result here, although nothing failed.

    `at_least`: the results are lower bounds: the Tester couldn't do more, or couldn't resolve less. `search`: of a
    search; `points`: of a sweep; `steps`: of the search for the table's capacity.
    """

    values: tuple[Value, ...]
    trials: tuple[int, ...]
    final_trial: int | None = None
    remarks: tuple[str, ...] = ()
    no_result: str | None = None
    at_least: AtLeast | None = None
    search: Search | None = None
    points: tuple[SweepPoint, ...] = ()
    steps: tuple[CapacityStep, ...] = ()

    def known(self, quantity: Quantity) -> list[float]:
        """Its values, as far as there are any, in all directions."""
        return [one.value for one in self.values if one.quantity is quantity and one.value is not None]


@dataclass(frozen=True)
class Derived:
    """A value that follows from the summary of all repetitions."""

    name: str
    unit: Unit
    meaning: str
    standard: str
    value: float | None
