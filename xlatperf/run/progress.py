"""Long work shows itself: what runs now, the bounds of the search, trials left, time left."""

from __future__ import annotations

import time
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Protocol

from rich.console import Console
from rich.live import Live
from rich.table import Table

from xlatperf.keys.in_words import plural, significant
from xlatperf.procedures.class_loss import shown
from xlatperf.procedures.in_words import fps
from xlatperf.procedures.shortfall import came_wrong, never_came, shortfall
from xlatperf.procedures.trial import NOT_MEASURED, Trial, link_followed
from xlatperf.procedures.trial_request import WITHOUT_LOAD, TrialRequest
from xlatperf.run.runs import Run
from xlatperf.search.bisection import Progress

TYPICAL_CONNECTIONS_PER_S = 50_000.0
"""For the estimate of the end, until a rate is known."""


def bounds(progress: Progress) -> tuple[str, str]:
    """Both bounds of a search for people."""
    if progress.unit == "fps":
        return fps(progress.lower), fps(progress.upper)
    return f"{progress.lower:,.0f}", f"{progress.upper:,.0f} {progress.unit}"


def trial_seconds(run: Run) -> float:
    """Time of one trial with its waits (RFC 2544 §23)."""
    measure = run.cell.measure
    return (
        connections_seconds(run)
        + measure.sending_s
        + measure.timeout_s
        + max(measure.settle_s, 0.0)
        + measure.learning_wait_s
    )


def connections_seconds(run: Run) -> float:
    """Time of phase 1, and of a validation, at a rate that is typical unless one is given."""
    measure = run.cell.measure
    count = run.cell.connections or measure.least_connections
    given = measure.phase_1.given_fps if measure.phase_1 is not None else None
    return measure.phases_1 * (count / (given or TYPICAL_CONNECTIONS_PER_S) + (measure.timeout_s if count else 0.0))


class RunReporter(Protocol):
    """What one run tells."""

    def say(self, line: str) -> None:
        """Something worth a line."""
        ...

    def search(self, progress: Progress) -> None:
        """The search goes on."""
        ...

    def result(self, run: Run, text: str) -> None:
        """A run has ended."""
        ...


class Reporter(RunReporter, Protocol):
    """What a campaign tells while it runs."""

    def plan(self, runs: Sequence[Run]) -> None:
        """All runs, in order."""
        ...

    def run(self, run: Run) -> None:
        """A run begins."""
        ...

    def trial(self, run: Run, request: TrialRequest, outcome: Trial | None, replayed: bool) -> None:
        """A trial begins (outcome None) or has ended."""
        ...

    def close(self) -> None:
        """Nothing more comes."""
        ...


def asked(request: TrialRequest) -> str:
    """A trial in a few words."""
    wanted = request.connections
    begin = f", flows {request.incremental.interval_s:g} s apart before" if request.incremental is not None else ""
    plain = f"{fps(request.rate_fps)} for {request.duration_s:g} s{begin}"
    if wanted is None:
        return plain
    if not wanted.count:
        return "an empty table"
    connections = f"{wanted.count:,} connections"
    if wanted.phase == "steady":
        return f"{plain} over {connections}"
    if wanted.phase == "each_once":
        waited = f" after {wanted.wait_s:g} s" if wanted.wait_s else ""
        return f"{connections} at {wanted.establish_fps or 0:,.0f}/s, validated{waited} at {request.rate_fps:,.0f}/s"
    return f"{connections} at {request.rate_fps:,.0f}/s"


def verdict(outcome: Trial) -> str:
    """One trial's outcome in a few words."""
    if outcome.collapsed is not None:
        return "the DUT collapsed"
    if outcome.event is not None and link_followed(reason.code for reason in outcome.reasons):
        return "the Tester's port went down with the DUT's"
    if not outcome.valid and (none := [one.text for one in outcome.reasons if one.code in NOT_MEASURED]):
        return f"no trial: {'; '.join(dict.fromkeys(none))}"
    if not outcome.valid:
        return "invalid: " + "; ".join(dict.fromkeys(reason.code for reason in outcome.reasons))
    experiment = outcome.experiment
    if experiment is not None and experiment.cleared_s is not None:
        return f"deleted in {significant(experiment.cleared_s)} s"
    if experiment is not None and not outcome.established:
        return f"phase 1 was not complete: {shortfall(outcome.first_phase)}"
    losses = outcome.loss_percent()
    allowed = _phase_1_lost(outcome)
    if not any(losses.values()):
        return "; ".join(["no loss", *allowed, *_waited(outcome)])
    classes = outcome.class_loss_percent()
    loss = "loss " + ", ".join(
        f"{name} {significant(percent, 4)} %" + (f" ({shown(classes[name])})" if name in classes else "")
        for name, percent in losses.items()
    )
    wrong = came_wrong(outcome)
    said = [loss if never_came(outcome) or not wrong else "none lost", *wrong]
    return "; ".join([*said, *allowed, *_not_offered(outcome), *_waited(outcome)])


def _phase_1_lost(outcome: Trial) -> list[str]:
    """What the tolerance let pass there."""
    first, experiment = outcome.first_phase, outcome.experiment
    if experiment is None or first is outcome or not first.lost:
        return []
    share = f"{significant(100 * experiment.may_lose, 4)} %"
    return [f"phase 1: {shortfall(first)}, {share} may be"]


def _waited(outcome: Trial) -> list[str]:
    """For how long frames waited until the DUT took them."""
    return [
        f"{name} frames waited for {significant(direction.waited_ns / 1e6)} ms or more in the Tester's own port"
        for name, direction in outcome.directions.items()
        if direction.waited_ns
    ]


def _not_offered(outcome: Trial) -> list[str]:
    """Of which lost frames the DUT got nothing, which never came to be sent, and which may only have been late."""
    said = []
    for name, direction in outcome.directions.items():
        not_taken = direction.departure.not_taken
        if not_taken:
            said.append(f"{name} the DUT didn't take {not_taken:,} of the {direction.sent:,} frames")
        unsent = direction.intended - direction.sent
        if unsent:
            said.append(f"{name} {unsent:,} of {direction.intended:,} frames were never sent")
        if direction.still_arriving:
            said.append(f"{name} frames were still arriving when the wait ended: raise timeout_s")
    return said


class _State:
    """What both reporters keep count of."""

    def __init__(self) -> None:
        self.runs: list[Run] = []
        self.position = 0
        self.progress: Progress | None = None
        self.replayed = 0

    def seconds_left(self) -> float:
        """Estimate: what the search says it needs, and typical searches for the rest."""
        if not self.runs:
            return 0.0
        current = self.runs[min(self.position, len(self.runs) - 1)]
        steps = self.progress.steps_left if self.progress is not None else current.cell.measure.steps
        rest = sum(trial_seconds(run) * run.cell.measure.steps for run in self.runs[self.position + 1 :])
        return steps * trial_seconds(current) + rest

    def left(self) -> str:
        """Estimate in words, with the time it will end."""
        seconds = round(self.seconds_left())
        end = datetime.now().astimezone() + timedelta(seconds=seconds)
        return f"about {timedelta(seconds=seconds)} left, until {end:%Y-%m-%d %H:%M}"


class PlainReporter:
    """One line per event, for logs and pipes."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._state = _State()

    def say(self, line: str) -> None:
        """Prints the line."""
        self._console.print(line, markup=False, highlight=False, soft_wrap=True)

    def plan(self, runs: Sequence[Run]) -> None:
        """Counts the runs."""
        self._state.runs = list(runs)
        self.say(f"{plural(len(runs), 'run')}, {self._state.left()}")

    def run(self, run: Run) -> None:
        """Names the run."""
        self._state.position = self._state.runs.index(run)
        self._state.progress = None
        self._state.replayed = 0
        self.say(f"[{self._state.position + 1}/{len(self._state.runs)}] {run.key}")

    def search(self, progress: Progress) -> None:
        """Remembers the bounds for the next trial's line."""
        self._state.progress = progress

    def trial(
        self,
        run: Run,  # noqa: ARG002
        request: TrialRequest,
        outcome: Trial | None,
        replayed: bool,
    ) -> None:
        """One line per trial that has ended; what frames without load tell is said when all are known."""
        if request.purpose in WITHOUT_LOAD:
            return
        if replayed:
            self._state.replayed += 1
            return
        if outcome is None:
            if self._state.replayed:
                self.say(f"  {self._state.replayed} trials taken from the journal")
                self._state.replayed = 0
            return
        progress = self._state.progress
        ends = () if progress is None else bounds(progress)
        between = ", between {} and {}".format(*ends) if len(set(ends)) > 1 else ""
        self.say(f"  {asked(request)}: {verdict(outcome)}{between}; {self._state.left()}")

    def result(self, run: Run, text: str) -> None:  # noqa: ARG002
        """The run's result."""
        self.say(f"  {text}" + (" (from the journal)" if self._state.replayed else ""))

    def close(self) -> None:
        """Nothing to close."""


class LiveReporter(PlainReporter):
    """The same on a terminal: results stay, what runs now is redrawn below them."""

    def __init__(self, console: Console) -> None:
        super().__init__(console)
        self._now: tuple[TrialRequest, float] | None = None
        self._last = ""
        self._live = Live(console=console, get_renderable=self._draw, refresh_per_second=4, transient=True)
        self._live.start()

    def _draw(self) -> Table:
        table = Table.grid(padding=(0, 2))
        state = self._state
        if not state.runs:
            return table
        run = state.runs[state.position]
        table.add_row("now", f"{run.key}  ({state.position + 1} of {len(state.runs)})")
        if state.progress is not None:
            table.add_row(
                "search",
                "{} to {}".format(*bounds(state.progress)) + f", about {state.progress.steps_left} trials left",
            )
        if self._now is not None:
            request, since = self._now
            table.add_row(
                "trial",
                f"{asked(request)}, running for {time.monotonic() - since:.0f} of about {trial_seconds(run):.0f} s",
            )
        if self._last:
            table.add_row("before", self._last)
        table.add_row("end", state.left())
        return table

    def trial(
        self,
        run: Run,  # noqa: ARG002
        request: TrialRequest,
        outcome: Trial | None,
        replayed: bool,
    ) -> None:
        """Redraws instead of printing."""
        if outcome is None:
            self._now = (request, time.monotonic())
            return
        self._now = None
        if replayed:
            self._state.replayed += 1
        self._last = f"{asked(request)}: {verdict(outcome)}"

    def close(self) -> None:
        """Ends the redrawing."""
        self._live.stop()


def reporter_for(console: Console) -> Reporter:
    """Live on a terminal, plain lines elsewhere."""
    return LiveReporter(console) if console.is_terminal else PlainReporter(console)
