"""What the bench file leaves open is learnt from a campaign's first frames, through the journal, and then required."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from xlatperf.config.bench import Bench
from xlatperf.config.learnt import to_learn, with_learnt
from xlatperf.meaning.learnt import in_words
from xlatperf.procedures.learning import Learnt, learn
from xlatperf.run.directions import used_directions
from xlatperf.run.measures import Measures
from xlatperf.run.progress import Reporter
from xlatperf.run.runs import Run, trial_template
from xlatperf.run.tester import Tester


def learn_hops(
    bench: Bench, wanted: Sequence[Run], tester: Tester, measures: Measures, reporter: Reporter
) -> list[Learnt]:
    """From frames of the first run's size, in all directions that are used; the Tester then requires it."""
    unknown = to_learn(bench, used_directions(bench, wanted))
    if not unknown:
        return []
    reporter.say("What the first frames tell, which is then required of all others:")
    mix = bench.traffic.richest_mix
    cell = replace(wanted[0].cell, mix=mix)
    measure = measures.measure(Run(cell, 0, "learning"))
    learnt = learn(
        unknown,
        trial_template(bench, cell),
        mix,
        bench.traffic.hop_limit,
        measure,
        cell.measure.retries,
        connections=bench.most_connections(cell.series),
        require=lambda known: tester.require(with_learnt(bench, known)),
    )
    for one in learnt:
        reporter.say(f"  {in_words(one)}")
    return learnt
