"""What each part of the device used of the processor over the time of a trial, and how idle each core was."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from xlatperf.report.figures.paper import figure, legend
from xlatperf.report.plots.look import COLOURS
from xlatperf.report.steps import level
from xlatperf.results.results import Results

_Samples = Sequence[tuple[float, float, Mapping[str, float]]]
"""From, to in s; a value for each part or core."""


def device_load(results: Results, folder: Path, written: list[Path]) -> None:
    """Figures for each trial that determined a result, where these are known. Raises OSError."""
    numbers = {rep.final_trial for item in results.measurements for rep in item.repetitions}
    for trial in results.trials:
        if trial.number not in numbers:
            continue
        used = [(one.from_s, one.to_s, one.cores) for one in trial.device_load]
        idle = [(one.from_s, one.to_s, _percent(one.idle)) for one in trial.core_idle]
        _drawn(used, f"device-load-trial-{trial.number}", "CPU cores' worth used", None, (folder, written))
        _drawn(idle, f"core-idle-trial-{trial.number}", "idle, %", 100, (folder, written))


def _percent(shares: Mapping[str, float]) -> dict[str, float]:
    return {core: 100 * share for core, share in shares.items()}


def _drawn(samples: _Samples, name: str, what: str, most: float | None, into: tuple[Path, list[Path]]) -> None:
    """`most`: the end of its axis."""
    if len(samples) < 2:
        return
    with figure(into[0], name, into[1]) as axes:
        for number, part in enumerate(dict.fromkeys(part for *_, values in samples for part in values)):
            at, value = level([(start, stop, values[part]) for start, stop, values in samples if part in values])
            axes.plot(at, value, color=COLOURS[number % len(COLOURS)], label=part)
        axes.set_xlabel("time in s after the first frame")
        axes.set_ylabel(what)
        axes.set_xlim(left=0)
        axes.set_ylim(bottom=0, top=most)
        legend(axes, least=1)
