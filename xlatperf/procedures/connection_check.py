"""Whether a stateful DUT keeps each of a few connections, at a low rate: before anything is measured (RFC 9693 §4.4).

Phase 1, a frame back on each connection (§4.6), phase 2 on the same connections (§4.7), and whether it remembers them
for as long as is asked.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from xlatperf.procedures.connections import ACCIDENT_SHARE, Connections
from xlatperf.procedures.shortfall import never_came
from xlatperf.procedures.trial import Measure, Trial
from xlatperf.procedures.trial_request import TrialRequest

FEW, AT_ONCE_S = 100, 0.1
"""So few connections are opened within that time, and used as soon as they are known to be open."""
TIMES = 2
"""What is forgotten is gone each time; a host that holds Tester or DUT up takes frames away once."""


@dataclass(frozen=True)
class ConnectionCheck:
    """`trial`: its rate and frame size family; `connections`: how many; `sizes`: the smallest and the largest frame.

    `hold_s`: for so long the DUT must remember connections; 0: that isn't asked.
    """

    trial: TrialRequest
    connections: int
    sizes: Sequence[int]
    hold_s: float = 0.0

    @property
    def longest_s(self) -> float:
        """So much time may go by between a connection's frames."""
        return 2 * self.connections / self.trial.rate_fps + self.trial.timeout_s

    @property
    def used_again(self) -> Connections:
        """Phase 2 on what is open."""
        return Connections(self.connections, "steady", self.trial.rate_fps, reuse=True)

    def request(self, size: int, connections: Connections) -> TrialRequest:
        """An experiment at the check's rate."""
        return replace(self.trial, frame_size=size).experiment(connections, self.trial.rate_fps, "check")


@dataclass(frozen=True)
class CheckStep:
    """One experiment: `each_once`, `steady` or `held`, which is `each_once` after `hold_s`.

    `waited_s`: for so long connections were left alone before they were used. `forgotten`: of few of them, used after
    `longest_s`, so many were gone, of so many; of as few that were used at once none.
    """

    kind: Literal["each_once", "steady", "held"]
    size: int
    trial: Trial
    waited_s: float = 0.0
    forgotten: tuple[int, int] | None = None


def connection_check(check: ConnectionCheck, measure: Measure) -> Iterator[CheckStep]:
    """Each size in turn. `measure` repeats what may have been disturbed."""

    def each_once(size: int, count: int, wait_s: float = 0.0) -> Trial:
        return measure(check.request(size, Connections(count, "each_once", check.trial.rate_fps, wait_s=wait_s)))

    first = check.sizes[0]
    for size in check.sizes:
        remembers = check.hold_s > 0 and size == first
        once = each_once(size, check.connections, check.hold_s if remembers else 0.0)
        waited_s = check.hold_s if remembers and once.complete else 0.0
        if remembers and not once.complete:  # whether it's the wait that does it is seen without
            once = each_once(size, check.connections)
        forgotten = _forgotten(check, size, measure) if once.directions and not once.complete else None
        yield CheckStep("each_once", size, once, waited_s, forgotten)
        if not once.complete:
            continue
        yield CheckStep("steady", size, measure(check.request(size, check.used_again)))
        if remembers and not waited_s:  # that was the first time
            yield CheckStep("held", size, each_once(size, check.connections, check.hold_s), check.hold_s)


def _forgotten(check: ConnectionCheck, size: int, measure: Measure) -> tuple[int, int] | None:
    """Frames are missing, of few connections that are used at once none: is it only that too much time went by?"""
    few = max(1, min(FEW, check.connections, int(check.trial.rate_fps * AT_ONCE_S)))

    def after(wait_s: float) -> Trial:
        return measure(check.request(size, Connections(few, "each_once", check.trial.rate_fps, wait_s=wait_s)))

    if not after(0.0).complete:
        return None
    gone: tuple[int, int] | None = None
    for _ in range(TIMES):
        waited = after(check.longest_s)
        lost = never_came(waited)
        if waited.reverse is None or not waited.valid or lost <= waited.reverse.sent * ACCIDENT_SHARE:
            return None
        gone = lost, waited.reverse.sent
    return gone
