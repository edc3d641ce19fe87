"""The model of results.json: everything that a report needs, and nothing that depends on how often the run was started.

All rates are frames per second per direction unless the name says `total_fps`. Delays are in ns. Frame sizes are
bytes with FCS (RFC 1242 §3.5). Loss is `sent - expected`: a frame that came back wrong is lost for RFC 2544.
"""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from xlatperf.report.statistics import Summary

SCHEMA_VERSION: Literal[1] = 1

LimitedBy = Literal["dut", "tester", "maximum", "minimum"]
DirectionName = Literal["forward", "reverse"]
DirectionChoice = Literal["bidirectional", "forward", "reverse"]


class Record(BaseModel):
    """Base of all records: frozen, no unknown keys."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class SideSizes(Record):
    """Foreground frame size on each side in bytes with FCS (RFC 8219 §5.1: the larger one bounds the rate)."""

    left: int
    right: int


class Mix(Record):
    """`take` of `of` frames are foreground, the rest is native IPv6 background (RFC 8219 §5.3)."""

    take: int
    of: int


class DelaySummary(Record):
    """Delays of expected frames in ns; all but the counts are None when count is 0. RFC 2330 §11.3 percentiles."""

    count: int
    negative: int
    min_ns: float | None
    p1_ns: float | None
    median_ns: float | None
    mean_ns: float | None
    p99_ns: float | None
    p999_ns: float | None
    max_ns: float | None


class ClassRecord(Record):
    """Counters of one class of frames in one direction."""

    sent: int
    expected: int = Field(description="arrived exactly as they must")
    lost: int = Field(description="numbers that never arrived, in whatever condition")
    wrong: dict[str, int] = Field(
        description="arrived but wrong, by reason (docs/protocol.md); only those that occurred"
    )
    remarks: dict[str, int] = Field(description="reordered, df_set, udp_checksum_zero; they also count as expected")
    delay: DelaySummary


class DirectionRecord(Record):
    """One direction of a trial."""

    intended: int
    sent: int
    offered_fps: float
    loss: int = Field(description="sent - expected, both classes together")
    loss_percent: float
    frame_size_sent: int
    frame_size_received: int
    foreground: ClassRecord
    background: ClassRecord | None
    late_frames: int = Field(description="frames that left later than the schedule allows (the Tester's doing)")
    longest_stall_ns: float | None


class IcmpRecord(Record):
    """ICMP errors that arrived on one side."""

    side: Literal["left", "right"]
    version: int
    type: int
    code: int
    count: int
    sender: str | None
    meaning: str


class SampleRecord(Record):
    """A frame that came back wrong: bytes as hex, without FCS."""

    side: Literal["left", "right"]
    direction: DirectionName | None
    reason: str
    number: int | None
    traffic_class: Literal["foreground", "background"] | None
    received: str | None
    expected: str | None
    text: str


class TrialReason(Record):
    """Why a trial is invalid."""

    code: str
    text: str


class TrialRequestRecord(Record):
    """What was asked of the engine."""

    frame_size: int
    frame_size_of: Literal["ipv4", "ipv6"]
    rate_fps: float
    duration_s: float
    timeout_s: float
    directions: tuple[DirectionName, ...]
    frame_timeout_ms: float | None
    purpose: str = Field(description="what the procedure wanted to know: search, confirm, sweep")


class TrialRecord(Record):
    """One trial, compact. `number` is its place in the journal, from 0."""

    number: int
    run: str = Field(description="key of the run that it belongs to")
    request: TrialRequestRecord
    valid: bool = Field(description="false: the trial says nothing about the DUT")
    reasons: tuple[TrialReason, ...]
    elapsed_s: float
    forward: DirectionRecord | None
    reverse: DirectionRecord | None
    port_counters: dict[str, dict[str, int]] = Field(
        description="left, right: stale, returned, foreign, receive_drops ..."
    )
    icmp_errors: tuple[IcmpRecord, ...]
    samples: tuple[SampleRecord, ...]


class Repetition(Record):
    """One complete search, or one complete sweep."""

    number: int = Field(description="from 1")
    run: str
    rate_fps: float | None = Field(description="the result; 0 if even the minimum failed; None for a sweep")
    total_fps: float | None = Field(description="rate_fps times the number of directions")
    lower_fps: float | None = Field(description="highest rate that passed")
    upper_fps: float | None = Field(description="lowest rate that did not pass; None if the maximum passed")
    limited_by: LimitedBy | None = Field(
        description="what keeps the result from being higher: the DUT's loss, the Tester's own limit, the "
        "highest rate of "
        "the search (it passed), or nothing passed down to the lowest one (minimum)"
    )
    duration_s: float | None = Field(description="duration of the trial that determined the result")
    final_trial: int | None = Field(description="number of the trial that determined the result")
    loss_percent_above: dict[DirectionName, float] | None = Field(
        description="loss at upper_fps, if a valid trial ran there"
    )
    inversions: int = Field(description="pairs of trials where a higher rate passed and a lower one did not")
    trials: tuple[int, ...] = Field(description="numbers of all its trials, in order")


class LossPoint(Record):
    """One rate of a frame loss sweep (RFC 2544 §26.3)."""

    repetition: int
    rate_fps: float
    percent_of_maximum: float = Field(
        description="of theoretical_maximum_fps, or of the highest rate if that is unknown"
    )
    valid: bool = Field(description="false: the Tester could not offer or receive this rate; no loss is stated")
    loss_percent: dict[DirectionName, float] = Field(description="empty when not valid")
    trial: int | None
    remark: str | None


class Measurement(Record):
    """One cell of the matrix: all repetitions of a measure for a mix, a frame size and a direction."""

    name: str
    procedure: Literal["throughput", "frame_loss"]
    standard: str = Field(description="such as `RFC 2544 §26.1, RFC 8219 §7.1`")
    quantity: str = Field(description="what the values of the summary are, with unit")
    frame_size: SideSizes
    frame_size_named: int = Field(description="the size that the bench file names")
    mix: Mix
    direction: DirectionChoice
    media_mbps: float | None = Field(description="of the theoretical maximum")
    theoretical_maximum_fps: float | None = Field(description="RFC 8219 App. A, by the larger frame of both sides")
    minimum_fps: float | None = Field(description="lower bound of the search")
    maximum_fps: float = Field(description="upper bound of the search or first rate of the sweep")
    tester_limit_fps: float | None = Field(description="from the self-test; a search never goes above it")
    stop_width_fps: float | None = Field(description="of the search, at its result")
    stop_width_relative: float | None
    loss_tolerance: dict[DirectionName, float] = Field(description="ratio; 0 is RFC 2544's throughput")
    repetitions: tuple[Repetition, ...]
    summary: Summary | None = Field(description="of rate_fps over the repetitions; None for a sweep or when all failed")
    points: tuple[LossPoint, ...] = Field(description="frame loss only")
    failures: tuple[str, ...] = Field(description="why repetitions have no result, one line each")
    complete: bool = Field(description="false while repetitions are missing")


class SelfTestDelay(Record):
    """The Tester's own delay at a share of its own limit."""

    percent_of_limit: float
    rate_fps: float
    forward: DelaySummary | None
    reverse: DelaySummary | None


class SelfTestEntry(Record):
    """The Tester measured in loopback over net_ring ports, with the same cores and frames (no NIC, no driver)."""

    frame_size_named: int
    frame_size: SideSizes
    direction: DirectionChoice
    limit_fps: float = Field(description="highest rate that it sent, received and verified without fault")
    ceiling_fps: float | None = Field(description="set if the test stopped at this rate without finding the limit")
    reason: str | None = Field(description="what failed above the limit")
    delays: tuple[SelfTestDelay, ...]


class Finding(Record):
    """What was wrong or remarkable, all trials together."""

    kind: Literal["error", "remark", "icmp", "tester"]
    reason: str = Field(description="counter's name, or `icmp 6 1/0`, or the code of an invalid trial")
    direction: DirectionName | None
    traffic_class: Literal["foreground", "background"] | None
    count: int
    trials: int = Field(description="number of trials in which it occurred")
    first_trial: int
    meaning: str = Field(description="in plain words, with the section that says how it should be")
    example: SampleRecord | None


class Deviation(Record):
    """Where this campaign does something else than the standard says."""

    section: str
    standard: str = Field(description="what the standard says")
    here: str = Field(description="what was done, and why")


class Results(Record):
    """results.json."""

    schema_version: Literal[1] = SCHEMA_VERSION
    xlatperf_version: str
    title: str
    bench: dict[str, Any] = Field(description="the bench file with all defaults filled in")
    technology: dict[str, Any] = Field(description="as the engine was told (docs/protocol.md)")
    seed: int
    complete: bool = Field(description="false: some runs are missing, run the campaign again on this folder")
    selftest: tuple[SelfTestEntry, ...]
    measurements: tuple[Measurement, ...]
    trials: tuple[TrialRecord, ...]
    findings: tuple[Finding, ...]
    deviations: tuple[Deviation, ...]
    tester_limits: tuple[str, ...] = Field(description="what this Tester can't do or can't know, one line each")
