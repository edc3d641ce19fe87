"""What the bench file leaves open is learnt from a campaign's first frames, through the journal, and then required."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from xlatperf.config.bench import Bench
from xlatperf.config.learnt import to_learn, with_learnt
from xlatperf.config.negative_tests import negative_tests_of
from xlatperf.engine.message import DIRECTIONS, DirectionName
from xlatperf.meaning.learnt import in_words
from xlatperf.procedures.learning import Learnt, learn
from xlatperf.run.progress import Reporter
from xlatperf.run.replay import Replay
from xlatperf.run.runs import Run, trial_template
from xlatperf.run.session import richest_mix
from xlatperf.run.tester import Tester


def learn_hops(bench: Bench, wanted: Sequence[Run], tester: Tester, replay: Replay, reporter: Reporter) -> list[Learnt]:
    """From frames of the first run's size, in all directions that are used; the Tester then requires it."""
    unknown = to_learn(bench, _directions(bench, wanted))
    if not unknown:
        return []
    reporter.say("What the first frames tell, which is then required of all others:")
    mix = richest_mix(bench)
    cell = replace(wanted[0].cell, mix=mix)
    measure = replay.measure(Run(cell, 0, "learning"))
    learnt = learn(
        unknown,
        trial_template(bench, cell),
        mix,
        bench.traffic.hop_limit,
        measure,
        cell.measure.retries,
        connections=bench.most_connections(cell.subscribers),
        require=lambda known: tester.require(with_learnt(bench, known)),
    )
    for one in learnt:
        reporter.say(f"  {in_words(one)}")
    return learnt


def _directions(bench: Bench, wanted: Sequence[Run]) -> list[DirectionName]:
    """Those that are measured, and those of negative tests; connections go forward and are used in both."""
    used = {direction for run in wanted for direction in run.cell.directions}
    used |= {test.direction for test in negative_tests_of(bench)}
    return [direction for direction in DIRECTIONS if bench.technology.stateful or direction in used]
