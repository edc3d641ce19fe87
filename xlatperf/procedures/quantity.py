"""What a procedure finds: named quantities with a unit, one value of each per direction and repetition."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Literal

from pydantic import Field

from xlatperf.engine.message import DirectionName, TrafficClass
from xlatperf.procedures.capacity_step import CapacityStep
from xlatperf.procedures.class_loss import ClassLoss, limiting
from xlatperf.search.mlrsearch import GoalFound

Unit = Literal["ns", "s", "%", "frames", "frames/s", "connections", "connections/s"]
Headline = Literal["median", "mean"]
Role = Literal["result", "beside"]
LimitedBy = Literal["dut", "tester", "maximum", "minimum", "resolution", "buffers"]
"""What keeps a result from being higher: the DUT, the Tester's own limit, the highest rate asked for (it passed), that
nothing passed down to the lowest one, or that the DUT is faster than can be told with so few connections. `buffers`:
phase 1 was so short that the DUT's buffers may have taken it: it may be slower, and if nothing failed above, faster."""


Bound = Literal["", ">=", "<=", "~"]
"""Of a value: it's what it says (empty), at least or at most so much; `~`: no rate that the DUT is known to bear."""


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

    `traffic_class`: of the frames of one class; None: of all. `rate_fps`: that was asked for, and `trial`: where it's
    from, if a repetition has values at several rates.
    """

    quantity: Quantity
    direction: DirectionName | None
    value: float | None
    remark: str | None = None
    traffic_class: TrafficClass | None = None
    rate_fps: float | None = None
    trial: int | None = None


@dataclass(frozen=True)
class Search:
    """What a search says of its result. The bounds are rates that were asked for: one passed, one did not.

    `loss_percent_above`: at the upper bound, if a valid trial ran there; `class_loss_percent_above`: of each class,
    where they differ. `inversions`: pairs of trials where a higher rate passed and a lower one did not.
    """

    lower_fps: float | None
    upper_fps: float | None
    loss_percent_above: Mapping[DirectionName, float] | None = None
    inversions: int = 0
    class_loss_percent_above: Mapping[DirectionName, ClassLoss] = field(default_factory=dict)


@dataclass(frozen=True)
class GoalResult(GoalFound):
    """Of one loss ratio. `limited_by`: what keeps its throughput from being higher."""

    limited_by: LimitedBy


@dataclass(frozen=True)
class NoResult:
    """Why a benchmark can't have a result, although nothing failed. `standard`: the section that says so."""

    kind: Literal["not applicable", "not measurable", "not valid", "not found", "no result"]
    text: str
    standard: str | None = None

    def in_words(self) -> str:
        """In one line."""
        if self.kind == "no result":
            return self.text
        return f"{self.kind}{f' ({self.standard})' if self.standard else ''}: {self.text}"


def nothing_found(values: Sequence[Value]) -> NoResult | None:
    """Why, as the first result says it, if none of the results has a value."""
    results = [one for one in values if one.quantity.role == "result"]
    if any(one.value is not None for one in results):
        return None
    why = next((one.remark for one in results if one.remark), None)
    return None if why is None else NoResult("no result", why)


@dataclass(frozen=True)
class Measured:
    """One repetition. `no_result`: why the benchmark can't have a result here, although nothing failed.

    `limited_by`: what keeps the results from being higher, where that is known. `search`: of a search for a rate;
    `steps`: of the search for the table's capacity; `goals`: of one for several. `late`: the values of the same trials
    with late frames lost.
    """

    values: tuple[Value, ...]
    trials: tuple[int, ...]
    final_trial: int | None = None
    remarks: tuple[str, ...] = ()
    no_result: NoResult | None = None
    limited_by: LimitedBy | None = None
    search: Search | None = None
    late: tuple[Value, ...] = ()
    steps: tuple[CapacityStep, ...] = ()
    goals: tuple[GoalResult, ...] = ()

    @property
    def limiting_class(self) -> str | None:
        """Of which class of frames more was lost at the lowest rate that failed, in words; None: they don't differ."""
        return None if self.search is None else limiting(self.search.class_loss_percent_above)

    def known(self, quantity: Quantity) -> list[float]:
        """Its values, as far as there are any, in all directions."""
        return [one.value for one in self.values if one.quantity is quantity and one.value is not None]


@dataclass(frozen=True)
class Derived:
    """A value that follows from the summary of all repetitions."""

    quantity: str
    unit: Unit
    meaning: str
    standard: str
    value: float | None
    bound: Annotated[Bound, Field(description="`>=` or `<=` where the value is a lower or an upper bound")] = ""
