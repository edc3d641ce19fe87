"""The search for the capacity of the connection tracking table (RFC 9693 §4.9).

First the number of connections is doubled until the validated establishment rate breaks down, or the DUT does; then the
distance between the last number that was safe and that one is halved. A single experiment that fails says little: the
rate, the validation's rate or the table may be the reason. So each number of connections gets a search of its rate,
bs(c, r); what counts is how far the rate drops.

A DUT's buffers may take all of a short phase 1, whatever its rate, so phase 1 has a shortest duration: C0 and R0 grow
together, doubled at a rate that takes just so long, until the DUT's rate or the maximum is what keeps R0 from being
higher. From then on it's the RFC's algorithm, whose rate never rises. The names C0, R0, CS, RS, CT, RT, alpha, beta,
gamma, E are the RFC's.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import ceil, log2

from xlatperf.procedures.capacity_keys import CapacityKeys
from xlatperf.procedures.capacity_result import CapacityResult
from xlatperf.procedures.capacity_step import CapacityStep, Stage
from xlatperf.procedures.conditions import Conditions
from xlatperf.procedures.connections import ACCIDENT_SHARE
from xlatperf.procedures.elementary_test import ElementaryTest, ElementaryTests
from xlatperf.procedures.trial import Measure, MeasurementFailed
from xlatperf.search.bisection import Progress, bisect
from xlatperf.search.descent import descend

NO_RATE_SHARE = 0.4
"""A test that loses a larger share is not looked at as one whose rate is a little too high."""


@dataclass(frozen=True)
class CapacitySearch:
    """One search. `most`: it ends there. Rates are connections, and so frames, per second."""

    keys: CapacityKeys
    conditions: Conditions
    most: int

    @property
    def error(self) -> int:
        """E, in connections."""
        return max(1, self.keys.tolerated_error)

    def rates(self, connections: int) -> Conditions:
        """The range of a search: [0, maxrate], and phase 1 not too short."""
        return self.conditions.of_phases(connections, self.keys.alpha, self.keys.minimum_phase_1_s)

    def too_few(self, step: CapacityStep) -> bool:
        """The rate that passed is no higher only because phase 1 would be too short with so few connections."""
        return step.rate_fps == self.rates(step.connections).top_fps < self.rates(2 * step.connections).top_fps


@dataclass
class _State:
    """What the algorithm knows so far."""

    search: CapacitySearch
    tests: ElementaryTests
    safest: CapacityStep
    steps: list[CapacityStep] = field(default_factory=list)
    collapsed: ElementaryTest | None = None
    """The DUT collapsed here, and nothing has passed since."""

    @property
    def safe(self) -> int:
        """CS."""
        return self.safest.connections

    @property
    def safe_fps(self) -> float:
        """RS."""
        return self.safest.rate_fps or 0.0

    def double(self, connections: int) -> CapacityStep:
        """A step of the exponential search, or before it one on the way to C0 and R0."""
        if self.search.too_few(self.safest):
            return self.attempt("initial", connections, self.search.keys.beta, self.search.rates(connections).top_fps)
        return self.attempt("exponential", connections, self.search.keys.beta, self.safe_fps)

    def attempt(self, stage: Stage, connections: int, share: float, top_fps: float) -> CapacityStep:
        """bs(connections, top), abandoned below RS * share. Takes over what passed."""
        begin = len(self.tests.done)
        floor = float(min(max(1, ceil(self.safe_fps * share)), self.safe_fps))
        rate = self._rate(connections, floor, top_fps)
        tests = tuple(self.tests.done[begin:])
        step = CapacityStep(stage, connections, rate, floor, rate is not None, tests)
        self.steps.append(step)
        if rate is not None:
            self.safest, self.collapsed = step, None
            return step
        if step.last.verdict == "tester":
            raise MeasurementFailed(
                f"the Tester could not do {step.last.rate_fps:,.0f} connections/s with {connections:,} connections, "
                "although it did before"
            )
        unsure = self.collapsed is not None
        if step.collapsed is not None:
            self.collapsed = step.last
        if unsure:
            self.recovered(share)
        if step.collapsed is None:
            self.tests.check_timeout(max(tests, key=lambda test: (test.verdict == "validation", test.seconds)))
        return step

    def _rate(self, connections: int, floor: float, top_fps: float) -> float | None:
        """RT, or None if it is below `floor`, or if the DUT collapsed."""

        def passes(rate_fps: float) -> bool:
            repeats = self.search.keys.maximum_repeats if rate_fps <= floor else 0
            before = self.tests.done[-1]
            for _ in range(repeats + 1):
                test = self.tests.run(connections, rate_fps)
                if test.verdict == "passed":
                    return True
                if test.verdict == "collapsed":
                    raise _Collapsed
                if test.verdict == "tester" or not _accident(test, before):
                    return False
            return False

        def likely(top: float) -> float | None:
            """A DUT whose rate is what limits it loses about what is above its rate."""
            share = self.tests.done[-1].lost_share
            if share <= NO_RATE_SHARE:
                return top * (1 - share) * 0.98
            return self.safe_fps if self.safe_fps < top else None

        try:
            return descend(passes, floor, top_fps, self.search.keys.stop, likely=likely).lower
        except _Collapsed:
            return None

    def recovered(self, share: float) -> None:
        """After a collapse, failures mean something only if the DUT works again with what was safe."""
        if self.collapsed is None:
            return
        floor = float(max(1, ceil(self.safe_fps * share)))
        test = self.tests.run(self.safe, floor)
        passed = test.verdict == "passed"
        self.steps.append(CapacityStep("recovery", self.safe, floor if passed else None, floor, passed, (test,)))
        if not passed:
            raise MeasurementFailed(
                f"the DUT collapsed with {self.collapsed.connections:,} connections ({self.collapsed.collapsed}) and "
                f"did not recover: {self.safe:,}, which it held before, failed afterwards"
            )
        self.collapsed = None


def _accident(test: ElementaryTest, before: ElementaryTest) -> bool:
    """Whether a loss may have nothing to do with the number of connections: it is small, and not as at another rate."""
    if test.lost_share > ACCIDENT_SHARE:
        return False
    alike = before.connections == test.connections and 0.5 < before.lost_share / test.lost_share < 2
    return not alike or test.lost_share * test.connections < 4


class _Collapsed(Exception):
    """No lower rate is tried with a number of connections that brings the DUT down."""


def capacity(search: CapacitySearch, measure: Measure) -> CapacityResult:
    """One complete search. Raises MeasurementFailed if C0 connections are already too many, or if the DUT forgets
    connections while they are validated, or does not recover from a collapse.
    """
    keys, progress = search.keys, search.conditions.progress
    tests = ElementaryTests(search.conditions.trial, keys.alpha, keys.retries, measure, keys.tolerance)
    first = _first_rate(search, tests)
    state = _State(search, tests, first, [first])
    progress(_progress(search, state, None, state.safe))
    unsafe: CapacityStep | None = None
    while unsafe is None and state.safe < search.most:
        connections = min(2 * state.safe, search.most)  # CT = 2 CS
        progress(_progress(search, state, None, connections))
        step = state.double(connections)
        unsafe = None if step.passed else step
    while unsafe is not None and unsafe.connections - state.safe > search.error:
        connections = (state.safe + unsafe.connections) // 2
        progress(_progress(search, state, unsafe.connections, connections))
        step = state.attempt("final", connections, keys.gamma, state.safe_fps)
        unsafe = unsafe if step.passed else step
    state.recovered(keys.gamma)
    first = next(step for step in reversed(state.steps) if step.stage == "initial" and step.passed)
    return CapacityResult(
        safe=state.safe,
        unsafe=unsafe.connections if unsafe is not None else None,
        most=search.most,
        error=search.error,
        initial=first.connections,
        initial_fps=first.offered_fps or 0.0,
        safe_fps=state.safest.offered_fps or 0.0,
        above=unsafe.last if unsafe is not None else None,
        shortest_s=keys.minimum_phase_1_s if search.too_few(first) else None,
        steps=tuple(state.steps),
        trials=tuple(tests.trials),
    )


def _first_rate(search: CapacitySearch, tests: ElementaryTests) -> CapacityStep:
    """R0 = bs(C0, maxrate), with as many connections as are known to be safe."""
    connections = min(search.keys.safe_connections, search.most)
    rates = search.rates(connections)
    bottom_fps = rates.bottom_fps(search.keys.minimum_fps)

    def passes(rate_fps: float) -> bool:
        test = tests.run(connections, rate_fps)
        if test.verdict == "collapsed":
            raise MeasurementFailed(
                f"the DUT collapsed with the initial {connections:,} connections at {rate_fps:,.0f} connections/s",
                test.collapsed or "",
            )
        tests.check_timeout(test)
        return test.verdict == "passed"

    bounds = bisect(
        passes,
        bottom_fps,
        rates.top_fps,
        search.keys.stop,
        minimum_first=lambda: tests.done[-1].hopeless,
        progress=search.conditions.progress,
    )
    if bounds.lower is None:
        last = tests.done[-1]
        advice = "begin with fewer"
        if last.lost_share <= ACCIDENT_SHARE:
            advice += f", or, if that little is lost of few as well, allow {last.lost_share:.2g} with loss_tolerance"
        raise MeasurementFailed(
            f"the initial {connections:,} connections are not safe",
            f"down to {bottom_fps:,.0f} connections/s, {last.in_words()}: {advice}",
        )
    return CapacityStep("initial", connections, bounds.lower, bottom_fps, True, tuple(tests.done))


def _progress(search: CapacitySearch, state: _State, unsafe: int | None, trying: int) -> Progress:
    """Steps left: searches of a rate, one experiment or a few each."""
    upper = unsafe if unsafe is not None else search.most
    final = ceil(log2(max(1.0, (upper - state.safe) / search.error)))
    doubling = ceil(log2(max(1.0, search.most / state.safe))) if unsafe is None else 0
    return Progress(state.safe, upper, trying, doubling + final, "connections")
