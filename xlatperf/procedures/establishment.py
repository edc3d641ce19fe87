"""Maximum connection establishment rate: the fastest at which the DUT accepts new connections (RFC 9693 §4.5).

With validation (§4.6): the fastest after which every one of them also takes a frame back, at alpha times that rate.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from pydantic import model_validator

from xlatperf.engine.message import DirectionName
from xlatperf.keys.in_words import significant
from xlatperf.keys.model import REQUIRED, Number, Whole, key
from xlatperf.keys.not_allowed import refuse
from xlatperf.procedures.column import Column
from xlatperf.procedures.conditions import Conditions
from xlatperf.procedures.connection_rates import ConnectionRates
from xlatperf.procedures.deviation import Deviation
from xlatperf.procedures.elementary_test import ElementaryTest, ElementaryTests
from xlatperf.procedures.facts import Facts
from xlatperf.procedures.full_table import FACTOR, FEWER, RATES, held_too_few, seems_full
from xlatperf.procedures.loss_tolerance import Tolerant
from xlatperf.procedures.procedure import Parameter
from xlatperf.procedures.quantity import LimitedBy, Measured, Quantity, Search, Value
from xlatperf.procedures.search_verdict import limit_of
from xlatperf.procedures.searched_rates import search_error
from xlatperf.procedures.shared_keys import OfConnections
from xlatperf.procedures.trial import Measure, MeasurementFailed
from xlatperf.procedures.trial_request import SHORTEST_S
from xlatperf.search.beyond import beyond
from xlatperf.search.bisection import Bounds, between, bisect

RATE = Quantity(
    "connection establishment rate",
    "connections/s",
    "fastest rate at which one frame for each new connection comes through",
    "RFC 9693 §4.5",
)
VALIDATED_RATE = Quantity(
    "validated connection establishment rate",
    "connections/s",
    "fastest rate after which all connections also take a frame back, at alpha times that rate",
    "RFC 9693 §4.6",
)
ERROR = search_error("connections/s")

TOO_SHORT_S = 1.0
"""A phase 1 shorter than this is remarked upon: buffers may have taken much of it."""


class Establishment(Tolerant, ConnectionRates, OfConnections):
    """RFC 9693 §4.5, §4.6: the fastest rate at which each of N frames opens a connection and comes through."""

    facts = Facts(
        title="Connection establishment rate",
        standard="RFC 9693 §4.5",
        quantities=(RATE, VALIDATED_RATE, ERROR),
        finds="establishment",
        performance=(RATE, VALIDATED_RATE),
        usual=True,
        of_connections=True,
    )

    procedure: Literal["establishment"] = key(REQUIRED, "procedure")
    alpha: Number | None = key(
        None,
        "with validation: then one frame comes back on each connection, at alpha times the rate; not set: without",
        gt=0,
        le=10,
        source="RFC 9693 §4.6: less than 1, such as 0.8 or 0.5",
    )
    repetitions: Whole = key(
        10,
        "number of complete searches of the rate",
        ge=1,
        le=10000,
        source="RFC 9693 §6: several, their number is to be reported",
    )

    @model_validator(mode="after")
    def _what_is_validated(self) -> Establishment:
        if self.loss_tolerance.reverse and self.alpha is None and self.columns is None:
            refuse(
                "loss_tolerance.reverse",
                self.loss_tolerance.reverse,
                "nothing without alpha, as nothing comes back",
            )
        return self

    @property
    def tolerance(self) -> Mapping[DirectionName, float]:
        """Of phase 1, and of the validation where there is one."""
        both = super().tolerance
        return both if self.alpha is not None else {"forward": both["forward"]}

    @property
    def label(self) -> str:
        """With a validation, that is said."""
        return "validated establishment" if self.name is None and self.alpha is not None else super().label

    @property
    def series_label(self) -> str:
        """Alpha has a column."""
        return super().label

    @property
    def standards(self) -> str:
        """With a validation, its section too."""
        return self.of_sections(self.facts.standard if self.alpha is None else "RFC 9693 §4.5, §4.6")

    @property
    def column_keys(self) -> frozenset[str]:
        """The validation's rate too."""
        return super().column_keys | {"alpha"}

    def in_column(self, column: Column) -> Establishment:
        """With the validation that it has there."""
        if column.alpha is None:
            return self
        return self.model_copy(update={"alpha": None if column.alpha == "none" else column.alpha})

    @property
    def phases_1(self) -> int:
        """A validation takes as long again."""
        return 1 if self.alpha is None else 2

    def parameters(self) -> dict[str, Parameter]:
        """RFC 9693 §6."""
        return {**super().parameters(), "alpha": self.alpha}

    def deviations(self) -> Iterator[Deviation]:
        """RFC 9693 §4.5."""
        yield from super().deviations()
        yield from self.tolerated("RFC 9693 §4.5, §4.6", "the rate of RFC 9693")
        yield Deviation(
            "RFC 9693 §4.5",
            "binary search of the rate",
            f"{self.label}: ends where the same number of connections works at {RATES} rates or more, the highest "
            f"{FACTOR:g} times the lowest, and {FEWER:g} times that number all work: the table is full, no rate helps",
        )

    def run(self, conditions: Conditions, measure: Measure) -> Measured:
        """One search. Raises MeasurementFailed."""
        return establishment(self, conditions, measure).measured()


@dataclass(frozen=True)
class EstablishmentResult:
    """Result of one search. `rate_fps` is 0 if nothing passed down to the minimum (`limited_by` then says so).

    It's the rate that was offered when `lower_fps` was asked for; the bounds are rates that were asked for.
    `above`: the elementary test at the upper bound, which says whether phase 1 or the validation failed there.
    `error_fps`: the search's error, upper bound less lower (RFC 9693 §6).
    """

    connections: int
    alpha: float | None
    rate_fps: float
    lower_fps: float | None
    upper_fps: float | None
    error_fps: float | None
    limited_by: LimitedBy
    above: ElementaryTest | None
    at_result: ElementaryTest | None
    tests: tuple[ElementaryTest, ...]
    trials: tuple[int, ...]
    timeout_unclear: str | None = None

    @property
    def longest_s(self) -> float:
        """The longest that the DUT had to keep a connection."""
        return max(test.seconds for test in self.tests)

    @property
    def _too_short(self) -> str | None:
        """What must be said of the phase 1 that passed."""
        return None if self.at_result is None else too_short(self.connections, self.at_result.rate_fps)

    def remarks(self) -> tuple[str, ...]:
        """What the reader must know about the result."""
        found: list[str] = []
        if self.above is not None:
            found.append(f"at {self.above.rate_fps:,.0f} connections/s: {self.above.in_words()}")
        if self.timeout_unclear is not None:
            found.append(self.timeout_unclear)
        result = self.at_result
        if result is None:
            return tuple(found)
        short = self._too_short
        if short is not None:
            found.append(f"{short}; more connections make it longer")
        validated = result.worked if result.validation_lost is not None else None
        too_few = held_too_few(result.held, result.connections, validated)
        if too_few is not None:
            found.append(too_few)
        return tuple(found)

    def measured(self) -> Measured:
        """As quantities. Nothing passed: no value, and why."""
        rate = RATE if self.alpha is None else VALIDATED_RATE
        none = None
        if self.lower_fps is None:
            none = f"not even the lowest rate of the search, {self.upper_fps or 0:,.0f} connections/s, passed"
        found = self.rate_fps if self.lower_fps is not None else None
        values = (Value(rate, None, found, none), Value(ERROR, None, self.error_fps))
        final = self.at_result or self.above
        return Measured(
            values,
            self.trials,
            final.trials[-1] if final is not None else None,
            self.remarks(),
            limited_by="buffers" if self._too_short is not None else self.limited_by,
            search=Search(self.lower_fps, self.upper_fps),
        )


def too_short(connections: int, rate_fps: float) -> str | None:
    """What must be said of a phase 1 that is so short that the DUT's buffers matter; None: it isn't."""
    phase_1_s = connections / rate_fps
    if phase_1_s >= TOO_SHORT_S:
        return None
    took = f"{significant(phase_1_s, 2)} s"
    return f"phase 1 took {took} only: the DUT's buffers may have taken what it could not establish in time"


def establishment(wanted: Establishment, conditions: Conditions, measure: Measure) -> EstablishmentResult:
    """One complete search, every elementary test one experiment with an empty table.

    Raises MeasurementFailed if the DUT collapses, if its table is full, if it forgets connections while they are
    validated, or if trials stay invalid and a lower rate would not help.
    """
    connections = conditions.connections or 1
    rates = conditions.of_phases(connections, wanted.alpha, SHORTEST_S)
    tests = ElementaryTests(conditions.trial, wanted.alpha, wanted.retries, measure, wanted.tolerance)
    by_rate: dict[float, ElementaryTest] = {}
    loses_a_share = False

    def passes(rate_fps: float) -> bool:
        nonlocal loses_a_share
        test = tests.run(connections, rate_fps)
        by_rate[rate_fps] = test
        if test.verdict == "collapsed":
            raise MeasurementFailed(
                f"the DUT collapsed with {connections:,} connections at {rate_fps:,.0f} connections/s",
                test.collapsed or "",
            )
        if not loses_a_share and (full := seems_full(tests.done, connections)) is not None:
            fewer = tests.run(full.fewer, full.rates_fps[0])
            if fewer.verdict == "passed":
                raise MeasurementFailed(full.in_words(fewer))
            loses_a_share = True  # of fewer connections some fail as well
        tests.check_timeout(test)  # at once: each lower rate takes longer and would fail for the same reason
        return test.verdict == "passed"

    bounds = bisect(
        passes,
        rates.bottom_fps(wanted.minimum_fps),
        rates.top_fps,
        wanted.stop,
        minimum_first=lambda: by_rate[rates.top_fps].hopeless,
        progress=conditions.progress,
    )
    bounds = beyond(
        bounds,
        rates.most_fps,
        passes,
        lambda rate_fps: by_rate[rate_fps].verdict == "tester",
        lambda lower, upper: between(
            passes, lower, upper, wanted.stop, lower_passed=True, progress=conditions.progress
        ),
    )
    if bounds.lower is None and bounds.upper is not None and by_rate[bounds.upper].verdict == "tester":
        raise MeasurementFailed(
            f"the Tester could not do any rate of the search, {rates.top_fps:,.0f} down to {bounds.upper:,.0f} "
            "connections/s"
        )
    return _result(wanted, rates, bounds, tests, by_rate)


def _result(
    wanted: Establishment,
    rates: Conditions,
    bounds: Bounds,
    tests: ElementaryTests,
    by_rate: dict[float, ElementaryTest],
) -> EstablishmentResult:
    """States what keeps the result from being higher."""
    above = by_rate[bounds.upper] if bounds.upper is not None else None
    at_result = by_rate[bounds.lower] if bounds.lower is not None else None
    return EstablishmentResult(
        connections=rates.connections or 1,
        alpha=wanted.alpha,
        rate_fps=at_result.offered_fps if at_result is not None else 0.0,
        lower_fps=bounds.lower,
        upper_fps=bounds.upper,
        error_fps=bounds.width,
        limited_by=limit_of(bounds, rates.most_fps, by_tester=above is not None and above.verdict == "tester"),
        above=above,
        at_result=at_result,
        tests=tuple(tests.done),
        trials=tuple(tests.trials),
        timeout_unclear=tests.timeout_unclear,
    )
