"""What a procedure finds: named quantities with a unit, one value of each per direction and repetition."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from xlatperf.engine.message import TrafficClass
from xlatperf.procedures.trial import DirectionName

Unit = Literal["ns", "s", "frames", "frames/s", "connections", "connections/s"]
Headline = Literal["median", "mean"]
Role = Literal["result", "beside"]
AtLeast = Literal["tester", "resolution"]
"""Why the DUT may do better than what was found."""


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
class Measured:
    """One repetition. `no_result`: why the benchmark can't have a result here, although nothing failed.

    `at_least`: the results are lower bounds: the Tester couldn't do more, or couldn't resolve less.
    """

    values: tuple[Value, ...]
    trials: tuple[int, ...]
    final_trial: int | None = None
    remarks: tuple[str, ...] = ()
    no_result: str | None = None
    at_least: AtLeast | None = None


@dataclass(frozen=True)
class Derived:
    """A value that follows from the summary of all repetitions."""

    name: str
    unit: Unit
    meaning: str
    standard: str
    value: float | None
