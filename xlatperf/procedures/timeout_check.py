"""Does the DUT keep its connections as long as a measurement needs them?

RFC 9693 §4.4 asks for a UDP timeout above the length of phase 1, and of phase 1, gap and phase 2 where there is a
phase 2. A DUT with a shorter one loses frames that say nothing about its rate or its table: that must be known before
they are counted. A few connections are enough to see it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from xlatperf.procedures.connections import ACCIDENT_SHARE, Connections
from xlatperf.procedures.shortfall import never_came, shortfall
from xlatperf.procedures.trial import Measure, Trial, measure_once
from xlatperf.procedures.trial_request import TIMEOUT, TrialRequest

FEW = 200
SLOW_FPS = 1000.0
"""So few connections at such a rate are no load, and take no time: what is then lost was forgotten."""

OPENINGS = 3
"""What phase 1 lost was never opened, so it can't have been forgotten: it's tried again so often."""

LONGER = 1.25
"""With no more than ACCIDENT_SHARE lost, the wait is just at the timeout, or it was an accident: a longer one tells."""


@dataclass(frozen=True)
class TimeoutCheck:
    """`connections` and `longest_s`: of the measurement that comes next, phase 1, gap and phase 2 together."""

    trial: TrialRequest
    connections: int
    longest_s: float
    slow_fps: float = SLOW_FPS
    retries: int = 2

    @property
    def few(self) -> int:
        """Connections that are used."""
        return min(FEW, self.connections)

    def request(self, wait_s: float) -> TrialRequest:
        """Opens the connections, waits, and sends one frame back on each."""
        wanted = Connections(self.few, "each_once", self.slow_fps, wait_s=wait_s)
        return self.trial.experiment(wanted, self.slow_fps, TIMEOUT)


@dataclass(frozen=True)
class TimeoutFound:
    """`unclear`: the connections don't work without waiting either, so nothing is known of the timeout."""

    verdict: Literal["remembers", "forgets", "unclear"]
    text: str
    waited_s: float
    connections: int
    lost: int
    trials: tuple[int, ...]


def timeout_check(check: TimeoutCheck, measure: Measure) -> TimeoutFound:
    """One trial, three if frames are lost, more if phase 1 loses some. Raises MeasurementFailed if none is valid."""
    waited_s = round(check.longest_s, 3)
    waited, trials = _opened(check, measure, waited_s)
    count, lost = check.few, _lost(waited, check.few)
    if waited.directions and 0 < lost <= count * ACCIDENT_SHARE:
        waited, more = _opened(check, measure, round(waited_s * LONGER, 3))
        trials, lost = trials + more, _lost(waited, count)
    if waited.directions and lost <= count * ACCIDENT_SHARE:
        return _remembers(waited_s, count, lost, trials)
    at_once, more = measure_once(measure, check.request(0.0), check.retries)
    trials += more
    if at_once.passed({}) and not waited.directions:
        text = (
            f"nothing is known of the DUT's timeout: phase 1 at {check.slow_fps:g} fps was not complete "
            f"{OPENINGS} times ({shortfall(waited.first_phase)}), and was right after"
        )
        return TimeoutFound("unclear", text, waited_s, count, lost, trials)
    if at_once.passed({}):
        # A host that holds DUT or Tester up takes frames away once; what is forgotten is gone each time.
        waited, more = _opened(check, measure, waited_s)
        trials += more
        if waited.directions:
            lost = min(lost, _lost(waited, count))
        if lost <= count * ACCIDENT_SHARE:
            return _remembers(waited_s, count, lost, trials)
        needed_s = waited_s + check.trial.timeout_s
        text = (
            f"the DUT forgets connections within {needed_s:.0f} s: {lost:,} of {count:,} were gone after that time, "
            "none without waiting: set its UDP timeout longer (RFC 9693 §4.4)"
        )
        return TimeoutFound("forgets", text, waited_s, count, lost, trials)
    gone = _lost(at_once, count)
    text = (
        f"{gone:,} of {count:,} connections don't work even when they are used at once at {check.slow_fps:g} fps: "
        "the DUT sends nothing back, or has no room for them, or forgets them within "
        f"{check.trial.timeout_s + count / check.slow_fps:.1f} s"
        if gone
        else f"at {check.slow_fps:g} fps not all is right: {shortfall(at_once.first_phase) or shortfall(at_once)}"
    )
    return TimeoutFound("unclear", text, waited_s, count, lost, trials)


def _remembers(waited_s: float, count: int, lost: int, trials: tuple[int, ...]) -> TimeoutFound:
    text = f"the DUT keeps connections for {waited_s:g} s and more"
    return TimeoutFound("remembers", text, waited_s, count, lost, trials)


def _opened(check: TimeoutCheck, measure: Measure, wait_s: float) -> tuple[Trial, tuple[int, ...]]:
    """A trial whose phase 1 was complete, if one of a few is."""
    trials: tuple[int, ...] = ()
    for _ in range(OPENINGS):
        outcome, more = measure_once(measure, check.request(wait_s), check.retries)
        trials += more
        if outcome.directions:
            break
    return outcome, trials


def check_after(trial: TrialRequest, connections: int, easy_fps: float, seconds: float, retries: int) -> TimeoutCheck:
    """Tells whether an experiment `seconds` long failed because the DUT forgets. It opens connections at `easy_fps`."""
    return TimeoutCheck(trial, connections, seconds, min(SLOW_FPS, easy_fps), retries)


def _lost(outcome: Trial, count: int) -> int:
    """Connections on which nothing comes back: what comes back wrong isn't forgotten."""
    if outcome.directions:
        return never_came(outcome)
    first = outcome.first_phase
    return never_came(first) if first.directions else count
