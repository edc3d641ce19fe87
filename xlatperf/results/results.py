"""The model of results.json: everything that a report needs, and nothing that depends on how often the run was started.

All rates are frames per second per direction. Delays are in ns. Frame sizes are
bytes with FCS (RFC 1242 §3.5). Loss is `sent - expected`: a frame that came back wrong is lost for RFC 2544.
"""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, Any, Literal

from pydantic import Field

from xlatperf.engine.message import DirectionName, Message, TrafficClass
from xlatperf.engine.trial_answer import Sample
from xlatperf.procedures.capacity_step import CapacityStep
from xlatperf.procedures.deviation import Deviation
from xlatperf.procedures.failure import Failure
from xlatperf.procedures.first_look import FirstLook
from xlatperf.procedures.learning import Learnt
from xlatperf.procedures.negative import NegativeOutcome
from xlatperf.procedures.procedure import DirectionChoice
from xlatperf.procedures.quantity import Derived, GoalResult, LimitedBy, NoResult, Search
from xlatperf.procedures.registry import BY_NAME
from xlatperf.procedures.timeout_check import TimeoutFound
from xlatperf.procedures.trial import Trial
from xlatperf.results.connection_records import ConnectionsRecord
from xlatperf.results.frames import Mix, NamedSize, SideSizes
from xlatperf.results.selftest_records import Cabled, SelfTestEntry
from xlatperf.results.value_records import (
    HistogramFile,
    TesterAlone,
    ValueSeries,
)

SCHEMA_VERSION: Literal[4] = 4

if TYPE_CHECKING:
    ProcedureName = str
else:
    ProcedureName = Literal[tuple(BY_NAME)]


class Repetition(Message):
    """One complete search, one complete sweep, or one trial. What it found is in `values`."""

    number: int = Field(description="from 1")
    run: str
    limited_by: LimitedBy | None = Field(
        description="what keeps the result from being higher: the DUT's loss, the Tester's own limit, the "
        "highest rate of the search (it passed), or nothing passed down to the lowest one (minimum); resolution: the "
        "DUT is faster than the Tester can tell with so few connections; buffers: phase 1 took less than 1 s, which "
        "the DUT's buffers may bear and the DUT not"
    )
    search: Search | None = Field(default=None, description="of a search for a rate")
    final_trial: int | None = Field(description="number of the trial that determined the result")
    trials: tuple[int, ...] = Field(description="numbers of all its trials, in order")
    remarks: tuple[str, ...] = Field(default=(), description="what must be known to read the values")
    no_result: NoResult | None = Field(default=None, description="why it has none although nothing failed")
    goals: tuple[GoalResult, ...] = Field(default=(), description="of a search for several loss ratios (RFC 9971)")
    steps: tuple[CapacityStep, ...] = Field(default=(), description="of a search for the capacity of the state table")


class Measurement(Message):
    """One cell of the matrix: all repetitions of a measure for a mix, a frame size and a direction."""

    measure: str = Field(description="its name in the report, unlike those of all others")
    series: str = Field(description="the same for what differs only in frame timeout, share, axes, alpha or the frames")
    procedure: ProcedureName
    standard: str = Field(description="such as `RFC 2544 §26.1, RFC 8219 §7.1`")
    frame_size: SideSizes
    frame_size_named: int = Field(
        description="the size that the bench file names; of several as one traffic the mean, rounded"
    )
    mix: Mix
    direction: DirectionChoice
    media_mbps: float | None = Field(description="of the theoretical maximum")
    theoretical_maximum_fps: float | None = Field(description="RFC 8219 App. A, by the largest frame on any segment")
    minimum_fps: float | None = Field(description="lower bound of the search")
    maximum_fps: float = Field(description="upper bound of the search or first rate of the sweep")
    tester_limit_fps: float | None = Field(
        description="from the self-test, or what a trial did that did more; a search goes above it only where it passes"
    )
    loss_tolerance: dict[DirectionName, float] = Field(description="ratio; 0 is RFC 2544's throughput")
    repetitions: tuple[Repetition, ...]
    failures: tuple[Failure, ...] = Field(description="why repetitions have no result")
    complete: bool = Field(description="false while repetitions are missing")
    one_line: bool = Field(
        default=False, description="both directions were on one port, whose line carried a frame of each side's size"
    )
    frame_timeout_ms: float | None = Field(default=None, description="frames that took longer count as lost here")
    rate_fps: float | None = Field(default=None, description="rate of the trials, if all have the same")
    share: float | None = Field(default=None, description="of the throughput, that rate_fps is")
    throughput_fps: float | None = Field(default=None, description="that the rates follow from")
    throughput_more_possible: tuple[LimitedBy, ...] = Field(
        default=(), description="what kept that throughput, where it's a lower bound, from being higher"
    )
    values: tuple[ValueSeries, ...] = ()
    derived: tuple[Derived, ...] = ()
    parameters: dict[str, float | int | str | None] = Field(
        default_factory=dict, description="what the standard wants reported; units are in the names"
    )
    definition: str | None = Field(default=None, description="RFC 8219 §7.2: the definition of latency used")
    histograms: tuple[HistogramFile, ...] = ()
    tester_alone: TesterAlone | None = Field(default=None, description="the Tester itself at the same rate")
    remarks: tuple[str, ...] = Field(default=(), description="of the repetitions, each once")
    no_result: NoResult | None = Field(
        default=None, description="why no repetition has a result although nothing failed"
    )
    connections: ConnectionsRecord | None = Field(default=None, description="with a stateful DUT")
    establish_fps: float | None = Field(default=None, description="rate of phase 1 where another phase follows")
    subscribers: int | None = Field(default=None, description="how many were simulated, where a series says it")
    networks: int | None = Field(default=None, description="of hosts on each side, where a series says it")
    flows: int | None = Field(default=None, description="of hosts in each direction, where a series says it")
    device_cores: int | None = Field(default=None, description="that the DUT was set to")
    table_size: int | None = Field(default=None, description="of the DUT's table, that it was set to, in connections")
    hash_size: int | None = Field(default=None, description="of its hash table, that it was set to, in buckets")
    column: int | None = Field(
        default=None, description="number of the column of the measure's table, from 1, where it has one"
    )
    measure_number: int | None = Field(default=None, description="of the measure that has columns, from 1")
    device_cpu: dict[str, float] = Field(
        default_factory=dict,
        description="cores' worth that each part of the DUT used, median of the trials that determined the results",
    )
    device_idle: dict[str, float] = Field(
        default_factory=dict,
        description="share of the time that each core of the DUT was idle, median of the same trials",
    )
    device_vectors: dict[str, float] = Field(
        default_factory=dict,
        description="packets that each thread of the DUT took at once, median of the same trials",
    )

    @property
    def size(self) -> NamedSize:
        """What tells its frames from others."""
        return self.frame_size_named, self.frame_size.text

    @property
    def capacity_steps(self) -> tuple[CapacityStep, ...]:
        """Of all searches for the capacity."""
        return tuple(step for one in self.repetitions for step in one.steps)


class Finding(Message):
    """What was wrong or remarkable, all trials together."""

    kind: Literal["error", "remark", "icmp", "tester"]
    reason: str = Field(description="counter's name, or `icmp 6 1/0`, or the code of an invalid trial")
    direction: DirectionName | None
    traffic_class: TrafficClass | None
    count: int
    trials: int = Field(description="number of trials in which it occurred")
    first_trial: int
    meaning: str = Field(description="in plain words, with the section that says how it should be")
    example: Sample | None


class Results(Message):
    """results.json."""

    schema_version: Literal[4] = SCHEMA_VERSION
    xlatperf_version: str
    title: str
    bench: dict[str, Any] = Field(description="the bench file with all defaults filled in")
    technology: dict[str, Any] = Field(description="as the engine was told (docs/protocol.md)")
    seed: int
    complete: bool = Field(description="false: some runs are missing, run the campaign again on this folder")
    selftest: tuple[SelfTestEntry, ...]
    cabled: Cabled | None = Field(default=None, description="where `selftest` over the ports is from, if from a cable")
    measurements: tuple[Measurement, ...]
    trials: tuple[Trial, ...]
    tester_trials: tuple[Trial, ...] = Field(default=(), description="trials of the Tester without the DUT")
    findings: tuple[Finding, ...]
    deviations: tuple[Deviation, ...]
    tester_limits: tuple[str, ...] = Field(description="what this Tester can't do or can't know, one line each")
    timeout_checks: tuple[TimeoutFound, ...] = ()
    negative_tests: tuple[NegativeOutcome, ...] = Field(
        default=(), description="what the DUT must refuse, and whether it does: one that skips a check is faster"
    )
    negative_trials: tuple[Trial, ...] = Field(default=(), description="trials of the negative tests")
    first_look: FirstLook | None = Field(
        default=None, description="the first frames, sent with traffic class 0xb8: whether they came"
    )
    first_look_findings: tuple[Finding, ...] = Field(default=(), description="what was wrong or remarkable about them")
    first_look_trials: tuple[Trial, ...] = Field(default=(), description="trials of the first look")
    learnt: tuple[Learnt, ...] = Field(
        default=(), description="hops and outer hop limits that the first frames told, and that were then required"
    )
    learning_trials: tuple[Trial, ...] = Field(default=(), description="trials that they were learnt from")

    @property
    def all_trials(self) -> tuple[Trial, ...]:
        """Of all kinds, as the journal has them."""
        kinds = (self.trials, self.tester_trials, self.negative_trials, self.first_look_trials, self.learning_trials)
        return tuple(sorted(chain.from_iterable(kinds), key=lambda trial: trial.number))
