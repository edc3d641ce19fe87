"""The self-test: the Tester measured in loopback, over two ports in memory, on the cores that it will use.

What it shows is the limit of generating, receiving and verifying these frames, and the Tester's own delay. RFC 8219
§9.2.1 asks for such a test for DNS64 only; a Tester's limit must not be mistaken for a DUT's anywhere.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import count
from typing import Any

from xlatperf.campaign.records import delay_summary
from xlatperf.campaign.results import DelaySummary, DirectionChoice, SelfTestDelay, SelfTestEntry, SideSizes
from xlatperf.campaign.runs import cells
from xlatperf.campaign.tester import trial_message
from xlatperf.config.bench import Bench
from xlatperf.config.request import configure_message, open_message
from xlatperf.engine.client import Engine, parse_trial
from xlatperf.engine.trial_answer import Direction, TrialAnswer
from xlatperf.procedures.trial import DirectionName, TrialRequest
from xlatperf.search.bisection import StopWidth, between

LEFT_PORT, RIGHT_PORT = "net_ring0", "net_ring1"
START_FPS = 50_000.0
CEILING_FPS = 50_000_000.0
FLOOR_FPS = 1_000.0
ATTEMPTS = 3
"""A rate counts as reached if one of so many short trials is without fault: a stall of the host is not a limit."""
FAILURES = 2
"""A rate counts as too high only if its double is too: at a low rate it was a stall of the host."""
PERCENT = (10.0, 50.0, 90.0)

TrialAt = Callable[[float], TrialAnswer]


@dataclass(frozen=True)
class Limit:
    """Highest rate without fault; `ceiling` is set if nothing failed up to it; `reason` is what failed above."""

    fps: float
    ceiling: float | None
    reason: str | None


def fault(answer: TrialAnswer) -> str | None:
    """What is wrong with a loopback trial, in one line; None if nothing is."""
    if not answer.valid:
        return "; ".join(dict.fromkeys(f"{reason.code}: {reason.text}" for reason in answer.reasons)) or "invalid"
    for name, direction in answer.directions():
        for traffic_class, counters in direction.classes():
            if counters.expected != counters.sent:
                missing = counters.sent - counters.expected
                return f"{missing} of {counters.sent} {traffic_class} frames lost or wrong {name}"
    return None


def find_limit(trial: TrialAt) -> Limit:
    """Doubles from START_FPS until FAILURES rates in a row fail, then halves the distance to 10 %.

    It doubles and no more: far above its limit the Tester sends for a multiple of the duration.
    """
    reasons: dict[float, str] = {}

    def passes(rate: float) -> bool:
        for _ in range(ATTEMPTS):
            wrong = fault(trial(rate))
            if wrong is None:
                return True
            reasons[rate] = wrong
        return False

    lower, rate, failures = 0.0, START_FPS, 0
    while failures < FAILURES and rate <= CEILING_FPS:
        if passes(rate):
            lower, failures = rate, 0
        else:
            failures += 1
        rate *= 2
    if not failures:
        return Limit(lower, lower, None)
    upper = lower * 2 if lower else START_FPS
    bounds = between(passes, max(lower, FLOOR_FPS), upper, StopWidth(relative=0.1), lower_passed=lower > 0)
    at = bounds.upper if bounds.upper is not None else upper
    return Limit(bounds.lower or 0.0, None, reasons.get(at))


def _summary(direction: Direction | None) -> DelaySummary | None:
    return delay_summary(direction.foreground.delay) if direction is not None else None


def choices(bench: Bench) -> list[tuple[int, DirectionChoice]]:
    """Sizes and directions that the bench's measures need; without measures all directions of the smallest frame."""
    wanted: list[tuple[int, DirectionChoice]] = []
    for cell in cells(bench):
        choice = (cell.frame_size, cell.measure.direction)
        if choice not in wanted:
            wanted.append(choice)
    return wanted or [(84 if bench.traffic.frame_size_of == "ipv6" else 64, "bidirectional")]


def directions_of(choice: DirectionChoice) -> tuple[DirectionName, ...]:
    """The directions that send at once."""
    return ("forward", "reverse") if choice == "bidirectional" else (choice,)


def selftest(
    bench: Bench,
    *,
    duration_s: float = 0.3,
    wanted: Iterable[tuple[int, DirectionChoice]] | None = None,
    progress: Callable[[str], None] = lambda _: None,
) -> list[SelfTestEntry]:
    """Measures the Tester for each frame size and direction of the bench, with its first mix.

    Raises EngineError, EngineDied.
    """
    entries: list[SelfTestEntry] = []
    tags = count()
    with Engine() as engine:
        engine.configure(configure_message(bench, bench.traffic.mix[0], loopback=True))
        engine.open(open_message(bench, LEFT_PORT, RIGHT_PORT))
        for size, choice in choices(bench) if wanted is None else wanted:
            progress(f"self-test: {size} bytes, {choice}")
            request = TrialRequest(size, bench.traffic.frame_size_of, START_FPS, duration_s, 0.1, directions_of(choice))

            def trial(rate: float, request: TrialRequest = request) -> TrialAnswer:
                message: dict[str, Any] = trial_message(bench, request.at(rate), next(tags) % 32768, samples=0)
                return parse_trial(engine.trial(message))

            entries.append(_entry(size, choice, trial))
    return entries


def _entry(size: int, choice: DirectionChoice, trial: TrialAt) -> SelfTestEntry:
    limit = find_limit(trial)
    delays: list[SelfTestDelay] = []
    last: TrialAnswer | None = None
    for percent in PERCENT if limit.fps else ():
        last = trial(float(max(1, round(limit.fps * percent / 100))))
        delays.append(
            SelfTestDelay(
                percent_of_limit=percent,
                rate_fps=float(max(1, round(limit.fps * percent / 100))),
                forward=_summary(last.forward),
                reverse=_summary(last.reverse),
            )
        )
    return SelfTestEntry(
        frame_size_named=size,
        frame_size=_sizes(size, last),
        direction=choice,
        limit_fps=limit.fps,
        ceiling_fps=limit.ceiling,
        reason=limit.reason,
        delays=tuple(delays),
    )


def _sizes(size: int, answer: TrialAnswer | None) -> SideSizes:
    """Loopback: each direction comes back as it was sent, so the left size is what forward sends."""
    if answer is None:
        return SideSizes(left=size, right=size)
    left = answer.forward.frame_size.sent if answer.forward is not None else size
    right = answer.reverse.frame_size.sent if answer.reverse is not None else left
    return SideSizes(left=left, right=right)


def limit_for(entries: Iterable[SelfTestEntry], size: int, choice: DirectionChoice) -> float | None:
    """The Tester's limit for a frame size and direction; None if unknown or if no limit was found."""
    for entry in entries:
        if entry.frame_size_named == size and entry.direction == choice:
            return entry.limit_fps if entry.ceiling_fps is None else None
    return None
