"""Loss that counts although it came right after the Tester itself was held up, and persisted when repeated."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby

from xlatperf.procedures.trial import Trial
from xlatperf.results.results import Measurement


def with_stalls(measurement: Measurement, records: Mapping[int, Trial]) -> Measurement:
    """The same, with a remark on each loss that persisted."""
    found = [
        line
        for one in measurement.repetitions
        for line in persisting([records[number] for number in one.trials if number in records])
    ]
    return measurement.model_copy(update={"remarks": (*measurement.remarks, *found)}) if found else measurement


def persisting(trials: Sequence[Trial]) -> list[str]:
    """Of the trials of a repetition, in order: where all attempts at one lost frames only right after a stall."""
    said = []
    for _, group in groupby(trials, key=lambda trial: trial.request):
        attempts = list(group)
        last = attempts[-1]
        if last.only_after_stalls:
            tries = f", as in {len(attempts) - 1} before it" if len(attempts) > 1 else ""
            said.append(
                f"trial {last.number} at {last.request.rate_fps:,.0f} fps lost frames only right after the Tester "
                f"itself was held up{tries}: what the Tester then sent too fast counts as the DUT's loss"
            )
    return said
