"""Puts results.json together from what the procedures returned and the journal holds, and from nothing else."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import xlatperf
from xlatperf.config.bench import Bench
from xlatperf.config.request import technology_message
from xlatperf.meaning.deviations import deviations
from xlatperf.meaning.findings import findings
from xlatperf.meaning.lost_findings import TOLD_BY_THEM
from xlatperf.meaning.stalled import with_stalls
from xlatperf.procedures.timeout_check import TimeoutFound
from xlatperf.procedures.trial import Trial
from xlatperf.procedures.trial_request import FIRST_LOOK, LEARNING, NEGATIVE, WITHOUT_LOAD
from xlatperf.results.compact import compact
from xlatperf.results.results import Results
from xlatperf.results.selftest_records import SelfTest, SelfTestEntry
from xlatperf.run.before import Before
from xlatperf.run.cell_result import CellResult
from xlatperf.run.connections_measured import with_connections
from xlatperf.run.first_look import lost_first
from xlatperf.run.measurement import measurements_of
from xlatperf.run.runs import cells


def results(
    bench: Bench,
    done: Mapping[str, CellResult],
    entries: Sequence[Trial],
    selftest: SelfTest,
    records: dict[int, Trial] | None = None,
    timeout_checks: Sequence[TimeoutFound] = (),
    before: Before | None = None,
) -> Results:
    """The whole of results.json; cells not begun are absent. `records`: of trials, kept from one call to the next."""
    records = {} if records is None else records
    before = Before() if before is None else before
    for entry in entries[len(records) :]:
        records[entry.number] = compact(entry)
    known = list(records.values())
    trials = tuple(
        trial for trial in known if not trial.request.tester_alone and trial.request.purpose not in WITHOUT_LOAD
    )
    lost = lost_first(bench, entries)
    first_trials = tuple(trial for trial in known if trial.request.purpose == FIRST_LOOK)
    begun = [cell for cell in cells(bench) if cell.key in done]
    measurements = tuple(
        with_stalls(with_connections(one, cell, done[cell.key], bench, records), records)
        for cell in begun
        for one in measurements_of(cell, done[cell.key])
    )
    return Results(
        xlatperf_version=xlatperf.__version__,
        title=bench.title or f"{bench.technology.name} on {bench.device.driver}",
        bench=_bench_document(bench),
        technology=technology_message(bench),
        seed=bench.tester.seed,
        complete=len(begun) == len(cells(bench)) and all(one.complete for one in measurements),
        selftest=selftest.entries,
        cabled=selftest.cabled,
        measurements=measurements,
        trials=trials,
        tester_trials=tuple(trial for trial in known if trial.request.tester_alone),
        findings=findings(trials, bench.technology.does),
        deviations=deviations(bench),
        tester_limits=_tester_limits(bench, selftest.entries),
        timeout_checks=tuple(timeout_checks),
        negative_tests=tuple(before.negative),
        negative_trials=tuple(trial for trial in known if trial.request.purpose == NEGATIVE),
        first_look=before.looked,
        first_look_findings=(
            *lost,
            *(
                one
                for one in findings(first_trials, bench.technology.does, bench.traffic.accept)
                if not lost or one.reason not in TOLD_BY_THEM
            ),
        ),
        first_look_trials=first_trials,
        learnt=tuple(before.learnt),
        learning_trials=tuple(trial for trial in known if trial.request.purpose == LEARNING),
    )


def _bench_document(bench: Bench) -> dict[str, Any]:
    """With all defaults, but without the hosts where connections are in their place."""
    document = bench.model_dump(mode="json")
    if bench.traffic.connections is not None:
        for side in ("left", "right"):
            del document["traffic"][side]["hosts"]
    return document


def _tester_limits(bench: Bench, selftest: Sequence[SelfTestEntry]) -> tuple[str, ...]:
    lines = [
        "Delays are between software time stamps: they include the Tester's ports and drivers.",
    ]
    if selftest and all(entry.over == "memory" for entry in selftest):
        lines.append(
            "The self-test ran over ports in memory: it bounds the Tester's processing, not its ports and drivers; a "
            "port that can't follow shows in invalid trials."
        )
    if not bench.device.users_own:
        lines.append(
            "Tester and DUT share this host's processors and memory: results are those of the pair on this host."
        )
    if not selftest:
        lines.append("The Tester's own limit was not measured.")
    return tuple(lines)
