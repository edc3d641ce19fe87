"""The first look of a campaign at who is lost, and what the DUT does with header fields, through the journal."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from xlatperf.config.bench import Bench
from xlatperf.meaning.about import About
from xlatperf.meaning.findings import findings
from xlatperf.meaning.lost_findings import lost_findings
from xlatperf.procedures.first_look import FirstLook, first_look
from xlatperf.procedures.trial import Trial
from xlatperf.procedures.trial_request import FIRST_LOOK, LEARNING
from xlatperf.results.results import Finding
from xlatperf.run.directions import used_directions
from xlatperf.run.measures import Measures
from xlatperf.run.progress import Reporter
from xlatperf.run.runs import Run, trial_template

OLDER = "the campaign was begun by a version that didn't look"


def look_first(
    bench: Bench, wanted: Sequence[Run], entries: Sequence[Trial], measures: Measures, reporter: Reporter
) -> FirstLook:
    """With frames of the first run's size, in all directions that are used. `entries`: of the journal."""
    purposes = {entry.request.purpose for entry in entries}
    if not wanted:
        return FirstLook(untried="the bench file names no measure")
    if FIRST_LOOK not in purposes and not purposes <= {LEARNING}:
        return FirstLook(untried=OLDER)
    mix = bench.traffic.richest_mix
    cell = replace(wanted[0].cell, mix=mix)
    found = first_look(
        trial_template(bench, cell),
        mix,
        tuple(used_directions(bench, wanted)),
        measures.measure(Run(cell, 0, "first-look")),
        cell.measure.retries,
        connections=bench.most_connections(cell.series),
    )
    if found.untried is not None:
        reporter.say(
            f"What the DUT does with a traffic class other than the bench file's isn't fully known: {found.untried}"
        )
    for told in _why_lost(bench, entries):
        which = f"{told.direction} {told.traffic_class}" if told.direction is not None else told.reason
        reporter.say(f"The first frames: {which}: {told.meaning}")
    return found


def lost_first(bench: Bench, entries: Sequence[Trial]) -> tuple[Finding, ...]:
    """Who is lost in the last of the first look's trials, if any. `entries`: of the journal."""
    return tuple(told for last in _last(entries) for told in lost_findings(last, About.of(bench)))


def _last(entries: Sequence[Trial]) -> list[Trial]:
    return [entry for entry in entries if entry.request.purpose == FIRST_LOOK][-1:]


def _why_lost(bench: Bench, entries: Sequence[Trial]) -> list[Finding]:
    """With the ICMP errors, which may say why."""
    lost = lost_first(bench, entries)
    errors = findings(_last(entries) if lost else (), bench.technology.does)
    return [*lost, *(one for one in errors if one.kind == "icmp")]
