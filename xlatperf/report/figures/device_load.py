"""What each part of the device used of the processor over the time of a trial."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from xlatperf.engine.trial_answer import LoadSample
from xlatperf.procedures.trial import Trial
from xlatperf.report.figures.paper import figure, legend
from xlatperf.report.plots.look import COLOURS
from xlatperf.results.results import Results


def device_load(results: Results, folder: Path, written: list[Path]) -> None:
    """One figure for each trial that determined a result, where its load is known. Raises OSError."""
    numbers = {rep.final_trial for item in results.measurements for rep in item.repetitions}
    for trial in results.trials:
        if trial.number in numbers and len(trial.device_load) > 1:
            _trial(trial, folder, written)


def _trial(trial: Trial, folder: Path, written: list[Path]) -> None:
    with figure(folder, f"device-load-trial-{trial.number}", written) as axes:
        parts = dict.fromkeys(part for sample in trial.device_load for part in sample.cores)
        for number, part in enumerate(parts):
            at, used = steps([sample for sample in trial.device_load if part in sample.cores], part)
            axes.plot(at, used, color=COLOURS[number % len(COLOURS)], label=part)
        axes.set_xlabel("time in s after the first frame")
        axes.set_ylabel("CPU cores' worth used")
        axes.set_xlim(left=0)
        axes.set_ylim(bottom=0)
        legend(axes, least=1)


def steps(samples: Sequence[LoadSample], part: str) -> tuple[list[float], list[float]]:
    """Points of a line that is level between two samples: what is known is the mean over that time."""
    at = [end for sample in samples for end in (sample.from_s, sample.to_s)]
    return at, [sample.cores[part] for sample in samples for _ in range(2)]
