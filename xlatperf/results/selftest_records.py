"""The Tester measured without a DUT: selftest.json, and part of results.json."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from xlatperf.engine.delays import Delay
from xlatperf.engine.message import Message
from xlatperf.engine.trial_answer import JoinedOver
from xlatperf.procedures.lower_bounds import Limited, more_possible
from xlatperf.procedures.procedure import DirectionChoice
from xlatperf.procedures.quantity import Bound
from xlatperf.results.frames import NamedSize, SideSizes
from xlatperf.results.statistics import Summary, summarise

SelfTestPhase = Literal["establish", "steady"]


class SelfTestDelay(Message):
    """The Tester's own delay at a share of its own limit."""

    percent_of_limit: float
    rate_fps: float
    forward: Delay | None
    reverse: Delay | None


class SelfTestRun(Message):
    """One of several searches for the Tester's limit."""

    limit_fps: float = Field(description="highest rate that it sent, received and verified without fault; 0: none")
    bound: bool = Field(description="no higher rate was tried")


class SelfTestEntry(Message):
    """The Tester measured without a DUT, with the same cores and frames."""

    over: JoinedOver = Field(default="memory", description="the ports in use, joined to each other, or ports in memory")
    driver: str = Field(default="net_ring", description="DPDK driver of these ports")
    frame_size_named: int
    frame_size: SideSizes
    direction: DirectionChoice
    phase: SelfTestPhase | None = Field(default=None, description="of connections, with a stateful DUT")
    connections: int | None = Field(default=None, description="that were open; None: as many as frames were sent")
    limit_fps: float = Field(
        description="highest rate that it sent, received and verified without fault; of several runs the best"
    )
    runs: tuple[SelfTestRun, ...] = Field(default=(), description="of tester.selftest_runs, where these are several")
    ceiling_fps: float | None = Field(description="set if the test stopped at this rate without finding the limit")
    found_fps: float | None = Field(
        default=None, description="the limit that the self-test found, where a trial of the campaign did more"
    )
    reason: str | None = Field(description="what failed above the limit, or which trial did more")
    delays: tuple[SelfTestDelay, ...]

    @property
    def size(self) -> NamedSize:
        """What tells its frames from others."""
        return self.frame_size_named, self.frame_size.text

    @property
    def is_bound(self) -> bool:
        """The limit is this or higher: no more was tried, or a trial of the campaign did more than was found."""
        return self.ceiling_fps is not None or self.found_fps is not None

    def summary(self) -> Summary | None:
        """Of all runs (RFC 8219 §12); None if there was one only."""
        return summarise([run.limit_fps for run in self.runs]) if self.runs else None

    @property
    def dispersion(self) -> float | None:
        """(P99 - P1) / median of all runs; None: there was one only, or some run is only known from below."""
        found = self.summary()
        return None if found is None or self.bound_of(None) else found.dispersion

    def bound_of(self, statistic: float | None) -> Bound:
        """Of a statistic of all runs; None: of one that depends on all."""
        limited: list[Limited] = [(run.limit_fps, "maximum" if run.bound else None) for run in self.runs]
        return ">=" if more_possible(limited, statistic) else ""


class Cabled(Message):
    """A self-test over ports that the user had joined by a cable, used by a later campaign."""

    measured: str = Field(description="when: date and time, UTC")
    why_not: str | None = Field(default=None, description="why it is not used; None: it is")
    changed: tuple[str, ...] = Field(default=(), description="what is different since, one line each")
    not_measured: tuple[str, ...] = Field(default=(), description="what this campaign sends and the test didn't")

    def in_words(self) -> list[str]:
        """First what it is, then what to know about it."""
        test = f"the self-test with a cable of {self.measured}"
        if self.why_not is not None:
            return [f"{test} is not used, as this was different: {self.why_not}"]
        return [
            f"the ports' limit is from {test}",
            *(f"not measured with it: {what}" for what in self.not_measured),
            *(f"changed since: {change}" for change in self.changed),
        ]


class SelfTest(Message):
    """All that is known of the Tester alone when a campaign begins."""

    entries: tuple[SelfTestEntry, ...] = ()
    cabled: Cabled | None = None
