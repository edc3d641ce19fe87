"""The first look of a campaign at what the DUT does with header fields, through the journal."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from xlatperf.config.bench import Bench
from xlatperf.procedures.first_look import FirstLook, first_look
from xlatperf.procedures.trial import Trial
from xlatperf.procedures.trial_request import FIRST_LOOK, LEARNING
from xlatperf.run.directions import used_directions
from xlatperf.run.progress import Reporter
from xlatperf.run.replay import Replay
from xlatperf.run.runs import Run, trial_template
from xlatperf.run.session import richest_mix

OLDER = "the campaign was begun by a version that didn't look"


def look_first(
    bench: Bench, wanted: Sequence[Run], entries: Sequence[Trial], replay: Replay, reporter: Reporter
) -> FirstLook:
    """With frames of the first run's size, in all directions that are used. `entries`: of the journal."""
    purposes = {entry.request.purpose for entry in entries}
    if not wanted:
        return FirstLook(untried="the bench file names no measure")
    if FIRST_LOOK not in purposes and not purposes <= {LEARNING}:
        return FirstLook(untried=OLDER)
    mix = richest_mix(bench)
    cell = replace(wanted[0].cell, mix=mix)
    found = first_look(
        trial_template(bench, cell),
        mix,
        tuple(used_directions(bench, wanted)),
        replay.measure(Run(cell, 0, "first-look")),
        cell.measure.retries,
        connections=bench.most_connections(cell.subscribers),
    )
    if found.untried is not None:
        reporter.say(f"What the DUT does with a traffic class other than the bench file's isn't known: {found.untried}")
    return found
