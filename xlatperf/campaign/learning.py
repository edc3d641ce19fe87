"""What the bench file leaves open is learnt from a campaign's first frames, through the journal, and then required."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from xlatperf.campaign.learnt_records import LearntRecord, in_words, learnt_record
from xlatperf.campaign.progress import Reporter
from xlatperf.campaign.replay import Replay
from xlatperf.campaign.runs import Run, trial_template
from xlatperf.campaign.session import richest_mix
from xlatperf.campaign.tester import Tester
from xlatperf.config.bench import Bench
from xlatperf.config.learnt import to_learn, with_learnt
from xlatperf.procedures.learning import Learnt, learn, stages
from xlatperf.procedures.trial import DirectionName


def learn_hops(
    bench: Bench, wanted: Sequence[Run], tester: Tester, replay: Replay, reporter: Reporter
) -> list[LearntRecord]:
    """From frames of the first run's size, in all directions that are measured; the Tester then requires it."""
    directions: dict[DirectionName, None] = {}
    for run in wanted:
        directions |= dict.fromkeys(run.cell.directions)
    unknown = to_learn(bench, directions)
    if not unknown:
        return []
    reporter.say("What the first frames tell, which is then required of all others:")
    mix = richest_mix(bench)
    cell = replace(wanted[0].cell, mix=mix)
    measure = replay.measure(Run(cell, 0, "learning"))
    learnt: list[Learnt] = []
    for phase, part in stages(unknown, connections=bench.traffic.connections is not None):
        trial, retries = trial_template(bench, cell), cell.measure.retries
        learnt += learn(part, trial, mix, bench.traffic.hop_limit, measure, retries, phase)
        tester.require(with_learnt(bench, learnt))
    found = [learnt_record(one) for one in learnt]
    for one in found:
        reporter.say(f"  {in_words(one)}")
    return found
