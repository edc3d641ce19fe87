"""Connection tracking table capacity (RFC 9693 §4.9): the result, and the whole way to it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from xlatperf.keys.in_words import plural
from xlatperf.procedures.capacity import Capacity
from xlatperf.procedures.capacity_result import CAPACITY, FAILED, INITIAL_RATE, SAFE_RATE
from xlatperf.procedures.capacity_step import CapacityStep
from xlatperf.procedures.elementary_test import ElementaryTest
from xlatperf.procedures.shortfall import WRONG
from xlatperf.report.card import card
from xlatperf.report.columns import (
    always,
    median,
    repetitions,
    single,
)
from xlatperf.report.evidence import Evidence
from xlatperf.report.markup import Content, Markup, badge, element, folded, paragraph
from xlatperf.report.numerals import NONE, percent, rate, whole
from xlatperf.report.of_procedure import OfProcedure
from xlatperf.report.plots import capacity as plots
from xlatperf.report.sentence import of_connections, spread
from xlatperf.report.series import place
from xlatperf.report.state_table import StateTable, state_table
from xlatperf.report.table import Column, facts, table, text
from xlatperf.report.values import find, median_of, parameter
from xlatperf.results.results import Measurement

_STAGES = {"initial": "C0, R0", "exponential": "doubling", "final": "halving", "recovery": "after the collapse"}
_CONNECTIONS, _RATES = "Capacity, connections", "Rate, median, connections/s"
NOT_RIGHT = "Frames that did not come as they must"
VERDICTS = {
    "passed": ("passed", "good"),
    "phase_1": ("phase 1 failed", "bad"),
    "validation": ("validation failed", "bad"),
    "tester": ("Tester", "warn"),
    "collapsed": ("collapsed", "bad"),
}


def _with_remarks(item: Measurement) -> Measurement:
    """Without what stands among the facts beside the result."""
    return item.model_copy(update={"remarks": tuple(line for line in item.remarks if not line.startswith("emptied, "))})


def _tests(item: Measurement) -> list[tuple[CapacityStep, ElementaryTest]]:
    return [(step, test) for step in item.capacity_steps for test in step.tests]


def own_entries(item: Measurement, evidence: Evidence) -> int | None:
    """Most entries that the table held after it was emptied; None if the driver can't count them."""
    trials = [evidence.trials.get(number) for test in _held(item) for number in test.trials]
    experiments = [trial.experiment for trial in trials if trial is not None and trial.experiment is not None]
    return max((one.held_before for one in experiments if one.held_before is not None), default=None)


def _held(item: Measurement) -> list[ElementaryTest]:
    return [test for _, test in _tests(item)]


def _beside(evidence: Evidence, item: Measurement) -> Content:
    """What the table was configured as, what it held by its driver's count, how it behaves when it is full."""
    configured = state_table(evidence).of(item)
    said: list[tuple[Content, Content]] = []
    found = find(item, CAPACITY, None)
    capacity = found.summary.median if found is not None and found.summary is not None else None
    error = item.parameters.get("tolerated_error")
    if configured.entries is not None and capacity is not None and isinstance(error, int | float):
        off = configured.entries - capacity
        own = own_entries(item, evidence) or 0
        within = 0 <= off <= error + own
        allowed = f"within E + {own:,} entries of its own" if own else "within E"
        where = f"{abs(off):,.0f} {'below' if off >= 0 else 'above'} it"
        verdict = badge(f"{'' if within else 'not '}{allowed}", "good" if within else "warn")
        said.append(
            (
                f"Configured size ({configured.entries_name})",
                [
                    f"{configured.entries:,}; the capacity found is {'equal' if not off else where} ",
                    verdict,
                    "" if within else f" {_why_off(off, configured)}",
                ],
            )
        )
    said += _of_counts(item, evidence)
    said.append(("A full table", _when_full(item, configured)))
    return [element("h3", f"Beside the result{place(item)}"), facts(said)]


def _why_off(off: float, configured: StateTable) -> str:
    if configured.when_full is not None and "at once" in configured.when_full:
        return f"As configured {configured.when_full}: of S entries S - K + 1 are left (RFC 9693 §4.9)."
    if off < 0:
        return "The device holds more than it was told: does it count an entry for several connections?"
    return (
        "Entries of the device's own take room as well; a device also may begin to drop old entries a little "
        "before its table is full."
    )


def _of_counts(item: Measurement, evidence: Evidence) -> list[tuple[Content, Content]]:
    """What the driver counted in the device's table."""
    most = max((test.held for test in _held(item) if test.held is not None), default=None)
    if most is None:
        return [("Entries counted", "The device's driver can't count them.")]
    said: list[tuple[Content, Content]] = [
        ("Most entries counted after a phase 1", f"{most:,}"),
    ]
    own = own_entries(item, evidence)
    if own is not None:
        theirs = (
            f"up to {own:,} in the emptied table: the kernel's own traffic, such as neighbour discovery and multicast "
            "reports, is tracked as well and takes its part of the size"
            if own
            else "none in the emptied table"
        )
        said.append(("Entries that are not the Tester's", theirs))
    return said


def _when_full(item: Measurement, configured: StateTable) -> str:
    """What can be seen of the replacement policy (RFC 9693 §4.9), where the most connections failed."""
    said = f"Configured: {configured.when_full}. " if configured.when_full else ""
    failed = [
        (step.connections, test)
        for step, test in _tests(item)
        if not step.passed and test.verdict in ("phase_1", "validation")
    ]
    if not failed:
        return f"{said}It was not seen full."
    connections, test = max(failed, key=lambda pair: pair[0])
    refused = test.phase_1_lost or 0
    counts = f"With {connections:,} connections {refused:,} frames of phase 1 did not come as they must"
    if test.validation_lost is not None:
        counts += f", of the validation {test.validation_lost:,}"
    gone = test.validation_lost or 0
    if test.held is not None:
        gone = max(gone, connections - refused - test.held)
        counts += f"; afterwards the device held {test.held:,}"
    if gone > refused:
        return (
            f"{said}{counts}: it dropped {gone:,} older entries to make room for new ones, rather than refusing these. "
            "Phase 1 does not see that, only the validation does."
        )
    if WRONG in test.shortfall:
        return f"{said}{counts} ({test.shortfall}): whether it refuses new ones can't be seen in that."
    return f"{said}{counts}: it refuses new connections."


def _ways(item: Measurement, number: int, *, several: bool) -> Content:
    """Each search's way: the first one open, with a plot."""
    ways = [(one.number, one.steps) for one in item.repetitions if one.steps]
    if not ways:
        return None
    (first, steps), *others = ways
    where = place(item) if several else ""
    return [
        element("h3", f"The way of the algorithm{where}, search {first}"),
        plots.plot(steps, f"plot-capacity-{number}"),
        _way(steps),
        paragraph(
            "R: the highest rate that passed, from a search of its own with so many tests (experiments). A search is "
            "abandoned, and C is too many, when the floor fails. Decided at: the rate of the experiment that the rest "
            "of the row is about, the last that passed, or the last that failed. Phase 1 and validation: frames that "
            "did not come as they must. Held: entries in the device's table after phase 1.",
            class_="muted",
        ),
        [
            folded(f"The way of search {repetition} ({plural(len(found), 'step')})", _way(found), class_="more")
            for repetition, found in others
        ],
    ]


class _Step(NamedTuple):
    """With its place on the way, and the experiment that decided: the last that passed, or the last that failed."""

    number: int
    step: CapacityStep
    decided: ElementaryTest | None


def _decided(step: CapacityStep) -> ElementaryTest | None:
    last = step.tests[-1] if step.tests else None
    if last is not None and step.passed:
        return next((test for test in reversed(step.tests) if test.verdict == "passed"), last)
    return last


def _of_test(cell: Callable[[_Step, ElementaryTest], Content]) -> Callable[[_Step], Content]:
    """Of the experiment that decided; there is none if it was abandoned before."""
    return lambda one: NONE if one.decided is None else cell(one, one.decided)


_WAY: Sequence[Column[_Step]] = (
    Column("Step", lambda one: str(one.number)),
    text("Stage", lambda one: _STAGES[one.step.stage]),
    Column("C", lambda one: element("strong", whole(one.step.connections))),
    Column("R", lambda one: rate(one.step.rate_fps), "", "Connections per second"),
    Column("Floor", lambda one: rate(one.step.floor_fps), "", "Connections per second"),
    Column("Decided at", _of_test(lambda _, test: rate(test.rate_fps)), "", "Connections per second"),
    Column("Tests", _of_test(lambda one, _: str(len(one.step.tests)))),
    text("Verdict", _of_test(lambda _, test: element("span", badge(*VERDICTS[test.verdict]), title=test.collapsed))),
    Column(
        "Phase\N{NO-BREAK SPACE}1",
        _of_test(lambda one, test: _lost(test.phase_1_lost, one.step.connections)),
        "",
        NOT_RIGHT,
    ),
    Column("Validation", _of_test(lambda one, test: _lost(test.validation_lost, one.step.connections)), "", NOT_RIGHT),
    Column("Held", _of_test(lambda _, test: whole(test.held))),
)


def _way(steps: Sequence[CapacityStep]) -> Markup:
    return table(_WAY, [_Step(number, step, _decided(step)) for number, step in enumerate(steps, 1)])


def _lost(lost: int | None, of: int) -> Content:
    if not lost:
        return whole(lost)
    return [whole(lost), element("span", f"{percent(100 * lost / of)} %", class_="below")]


def _sentence(evidence: Evidence, item: Measurement) -> Content:
    def said() -> Content:
        found = find(item, CAPACITY, None)
        if found is None or found.summary is None:
            return None
        error, failed = parameter(item, "tolerated_error"), median_of(item, FAILED, None)
        return [
            f"{evidence.device} holds ",
            element("strong", whole(found.summary.median)),
            f" connections{f' (E = {error})' if error else ''}, all established and validated"
            + (f"; {whole(failed)} were too many" if failed is not None else "")
            + f" ({spread(found.summary, 'search', 'searches')}).",
        ]

    return of_connections(item, said)


def _cards(measurements: Sequence[Measurement]) -> list[Markup]:
    made: list[Markup] = []
    for item in measurements[:1]:
        found = find(item, CAPACITY, None)
        if found is not None and found.summary is not None:
            error = parameter(item, "tolerated_error")
            caption: list[Content] = [element("b", "connection tracking table capacity"), element("br")]
            caption.append(f"E = {error}, N = {found.summary.n}" if error else f"N = {found.summary.n}")
            made.append(card(whole(found.summary.median), "connections", caption))
    return made


REPORT = OfProcedure(
    procedure=Capacity,
    about=(
        "C0 and R0: so many connections that phase 1 is not too short at the rate that the DUT does. The number of "
        "connections C is doubled from C0 on until the validated establishment rate R breaks down (below beta times "
        "the last safe rate RS), then the distance is halved down to E (with gamma). Nothing was told about the "
        "table's size.",
    ),
    values=(
        repetitions("N", "searches"),
        single("Median", CAPACITY, "median", _CONNECTIONS, strong=True),
        single("Min", CAPACITY, "minimum", _CONNECTIONS),
        single("Max", CAPACITY, "maximum", _CONNECTIONS),
        always(Column("E", lambda line: parameter(line.item, "tolerated_error") or NONE)),
        median("Failed with", FAILED),
        median("with C0 (R0)", INITIAL_RATE, _RATES),
        median("at capacity (RS)", SAFE_RATE, _RATES),
    ),
    note=(
        "Capacity: the largest number of connections that were established and all validated. The device's table has "
        "room for at least so many of the Tester's, and for fewer than the next number tried, at most E more.",
    ),
    parts=(lambda of: [_beside(of.evidence, item) for item in of.measurements],),
    remarks=_with_remarks,
    plots=(
        lambda of: [
            _ways(item, number, several=len(of.measurements) > 1) for number, item in enumerate(of.measurements)
        ],
    ),
    sentence=_sentence,
    cards=_cards,
)
