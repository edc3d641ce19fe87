"""python -m bench.soak [--minutes M]: the Tester alone, in loopback at half of what it can, for so long.

No frame may be lost or wrong, its memory, files and threads must not grow, and delays must not drift. Trials are
invalid while another program has the core, but no frame is missing in these either.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console

from bench.accuracy.machine import describe, sentence
from bench.accuracy.places import LOOPBACK, choose_cores
from bench.resident_memory import resident_mb
from bench.speed.case import Case
from bench.speed.tester import ASKED_FPS, DURATION_S, WAIT_S, trial
from xlatperf.config.request import configure_message, open_message
from xlatperf.engine.client import Engine
from xlatperf.engine.trial_answer import TrialAnswer

TRIAL_S = 30.0
NUMBERS = 2048
"""Of trials, before they begin anew."""
GROWTH_MB, STEP_MB = 1.0, 16.0
"""Of the engine's memory from its second trial on."""
STEPS = 3
"""A leak grows with each trial. A step of some MB stays behind when another program has the main thread's core: then it
has more to take over from the workers at once."""
DRIFT = 0.2
"""Of the median delay, from the first to the last quarter: more than two trials of the same engine differ by."""


@dataclass(frozen=True)
class Sample:
    """What one trial told, and what the engine had when it was over."""

    sent: int
    missing: int
    wrong: int
    valid: bool
    median_ns: float
    off_ppm: float
    resident_mb: float
    files: int
    threads: int


def soak(minutes: float, console: Console) -> list[str]:
    """Runs it, and says each trial in a line. Returns what is wrong. Raises EngineError, EngineDied."""
    case = Case("siit", both_directions=True)
    bench = case.bench(choose_cores().tester)
    samples: list[Sample] = []
    with Engine() as engine:
        engine.configure(configure_message(bench, case.mix, loopback=True))
        engine.open(open_message(bench, *LOOPBACK))
        size = {"frame_size": case.frame_size, "frame_size_of": "ipv6", "timeout_s": WAIT_S}
        fastest = engine.trial(trial(ASKED_FPS, 0, duration_s=DURATION_S, **size))
        limit_fps = statistics.mean(way.offered_fps for way in fastest.directions.values())
        rate_fps = float(round(limit_fps / 2))
        console.print(f"at most {limit_fps:,.0f} frames/s in each direction; half of that for {minutes:g} minutes")
        end = time.monotonic() + 60 * minutes
        while time.monotonic() < end:
            number = len(samples) % (NUMBERS - 1) + 1
            asked = {**trial(rate_fps, number, duration_s=TRIAL_S, **size), "timeout_s": 1.0}
            samples.append(sample(engine.trial(asked), rate_fps, engine.pid))
            console.print(line(len(samples), samples[-1]))
    console.print(
        f"{sum(one.sent for one in samples):,} frames in all; memory rose in {rises(samples[1:] or samples)} trials"
    )
    return faults(samples)


def sample(answer: TrialAnswer, rate_fps: float, pid: int) -> Sample:
    """Of both directions."""
    ways = list(answer.directions.values())
    classes = [counters for way in ways for counters in way.classes.values()]
    return Sample(
        sent=sum(one.sent for one in classes),
        missing=sum(one.lost for one in classes),
        wrong=sum(count for one in classes for count in one.wrong.values()),
        valid=answer.valid,
        median_ns=statistics.mean(one.delay.median_ns or 0 for one in classes),
        off_ppm=max(abs(way.offered_fps / rate_fps - 1) for way in ways) * 1e6,
        resident_mb=resident_mb(pid),
        files=len(list(Path(f"/proc/{pid}/fd").iterdir())),
        threads=len(list(Path(f"/proc/{pid}/task").iterdir())),
    )


def line(number: int, one: Sample) -> str:
    """For a person."""
    held = "" if one.valid else " (invalid: the Tester was held up)"
    return (
        f"{number:>5}: {one.sent:,} frames, {one.missing:,} missing, {one.wrong:,} wrong, "
        f"median {one.median_ns:,.0f} ns, rate off by {one.off_ppm:.2f} ppm, "
        f"{one.resident_mb:,.1f} MB, {one.files} files, {one.threads} threads{held}"
    )


def rises(samples: list[Sample]) -> int:
    """In so many trials the engine had more memory than in any before."""
    most = [samples[0].resident_mb]
    for one in samples:
        if one.resident_mb > most[-1]:
            most.append(one.resident_mb)
    return len(most) - 1


def faults(samples: list[Sample]) -> list[str]:
    """What must not be, in words."""
    found = []
    if missing := sum(one.missing for one in samples):
        found.append(f"{missing:,} frames are missing")
    if wrong := sum(one.wrong for one in samples):
        found.append(f"{wrong:,} frames are wrong")
    settled = samples[1:] or samples
    first, last = settled[0], settled[-1]
    growth, steps = last.resident_mb - first.resident_mb, rises(settled)
    if growth > STEP_MB or (growth > GROWTH_MB and steps > STEPS):
        found.append(f"memory has grown by {growth:.1f} MB in {steps} steps")
    if last.files > first.files or last.threads > first.threads:
        found.append(f"{last.files - first.files} more files and {last.threads - first.threads} more threads")
    quarter = max(1, len(settled) // 4)
    early, late = (statistics.median(one.median_ns for one in part) for part in (settled[:quarter], settled[-quarter:]))
    if abs(late / early - 1) > DRIFT:
        found.append(f"the median delay went from {early:,.0f} ns to {late:,.0f} ns")
    return found


def main() -> int:
    """Exit code 1 if anything is wrong."""
    parser = argparse.ArgumentParser(prog="python -m bench.soak", description=__doc__)
    parser.add_argument("--minutes", type=float, default=60.0)
    console = Console(highlight=False, soft_wrap=True)
    console.print(sentence(describe()))
    wrong = soak(parser.parse_args().minutes, console)
    for one in wrong:
        console.print(f"WRONG: {one}")
    if not wrong:
        console.print("no frame is missing or wrong, nothing has grown, nothing has drifted")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
