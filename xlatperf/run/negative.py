"""The negative tests of a campaign: once, before anything is measured, so that a rate is never without them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from xlatperf.config.bench import Bench
from xlatperf.config.negative_tests import negative_tests_of
from xlatperf.config.request import ALL_FOREGROUND
from xlatperf.meaning.refusals import in_words
from xlatperf.procedures.negative import NegativeOutcome, negative_tests
from xlatperf.run.measures import Measures
from xlatperf.run.progress import Reporter
from xlatperf.run.runs import Run, trial_template


def campaign_tests(
    bench: Bench, wanted: Sequence[Run], measures: Measures, reporter: Reporter
) -> list[NegativeOutcome]:
    """All that the bench has, with the frames of the first run, all of them foreground."""
    tests = negative_tests_of(bench)
    if not wanted or not tests:
        return []
    cell = replace(wanted[0].cell, mix=ALL_FOREGROUND)
    reporter.say("What the DUT must refuse:")
    measure = measures.measure(Run(cell, 0, "negative-tests"))
    found = negative_tests(
        tests,
        trial_template(bench, cell),
        measure,
        cell.measure.retries,
        connections=bench.most_connections(cell.series),
    )
    for one in found:
        reporter.say(f"  {in_words(one)}")
    return found
