"""The self-test: the Tester measured without a DUT, on the cores and the ports that it will use, joined to each other.

Beside them stands a loopback over two ports in memory: the limit of generating, receiving and verifying these frames.
RFC 8219 §9.2.1 asks for such a test for DNS64 only; a Tester's limit must not be mistaken for a DUT's anywhere.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from math import inf
from statistics import fmean

from xlatperf.config.bench import Bench
from xlatperf.config.request import configure_message
from xlatperf.config.series import most_subscribers
from xlatperf.engine.client import Engine
from xlatperf.engine.delays import Delay
from xlatperf.engine.direction_answer import Direction
from xlatperf.engine.message import DirectionName
from xlatperf.engine.trial_answer import TrialAnswer
from xlatperf.procedures.connections import Connections
from xlatperf.procedures.procedure import DirectionChoice, Procedure, directions_of
from xlatperf.procedures.series import Series
from xlatperf.procedures.size_mix import SizeMix, in_turn
from xlatperf.procedures.theoretical import maximum_fps
from xlatperf.procedures.trial_request import TrialRequest
from xlatperf.results.frames import SideSizes
from xlatperf.results.selftest_records import SelfTestDelay, SelfTestEntry, SelfTestPhase, SelfTestRun
from xlatperf.run.cell_sizes import CellSizes, mixed_sizes
from xlatperf.run.engines import engine_for
from xlatperf.run.experiment import FRAME_TAGS
from xlatperf.run.joined import Joined, cabled_ports, joined_ports, memory
from xlatperf.run.loopback import not_opened, open_connections
from xlatperf.run.open_ports import open_ports
from xlatperf.run.runs import cells
from xlatperf.run.tester import trial_message
from xlatperf.run.tester_limit import CEILING_FPS, START_FPS, WIDTH, Limit, TrialAt, find_limit, second_look

HEADROOM = 4.0
"""So many times what a campaign asks for is far enough above it: what the Tester could do beyond limits nothing."""
ESTABLISH_FPS = 20_000.0
MOST_OPEN = 20_000
"""Connections are opened at this rate before phase 2; so many, or as many as the bench has."""
MOST_SHOWN = 64
"""The mean size of a mix is that of so many frames."""
TIMEOUT_S = 0.05
"""Nothing but the ports' own buffers lies between the joined ports; they hold some thousand frames."""
PERCENT = (10.0, 50.0, 90.0)
FINE = 0.01
"""How close the limit is known by several runs, whose dispersion is to be theirs and not the search's."""


def _summary(direction: Direction | None) -> Delay | None:
    return direction.all_frames.delay if direction is not None else None


@dataclass(frozen=True)
class Choice:
    """What the Tester's limit is wanted for. `phase`: of connections, with a stateful DUT."""

    frame_size: int
    direction: DirectionChoice
    phase: SelfTestPhase | None = None
    mixed: SizeMix | None = None

    @classmethod
    def of_series(cls, series: Series, measure: Procedure) -> Choice:
        """What a series' frames are."""
        return cls(series.frame_size, measure.direction, measure.selftest_phase, series.mixed)

    @property
    def directions(self) -> tuple[DirectionName, ...]:
        """The directions that send at once."""
        return directions_of(self.direction)

    def in_words(self) -> str:
        """For the terminal."""
        phase = f", {self.phase}" if self.phase is not None else ""
        return f"{self.mixed or self.frame_size} bytes, {self.direction}{phase}"


def choices(bench: Bench) -> list[Choice]:
    """What the bench's measures need; without measures all directions of the smallest frame."""
    wanted = dict.fromkeys(Choice.of_series(cell.series, cell.measure) for cell in cells(bench))
    phase: SelfTestPhase | None = "steady" if bench.traffic.connections is not None else None
    both: DirectionChoice = "forward" if bench.technology.hairpins else "bidirectional"
    return list(wanted) or [Choice(bench.smallest_frame, both, phase)]


def enough_for(bench: Bench) -> float:
    """The rate per direction above which a campaign on this bench needn't know the Tester's limit."""
    return max(START_FPS, HEADROOM * bench.asked_fps) if bench.asked_fps else inf


def selftest(
    bench: Bench,
    *,
    duration_s: float = 0.3,
    progress: Callable[[str], None] = lambda _: None,
    cable: bool = False,
    known: Sequence[SelfTestEntry] = (),
    enough_fps: float = inf,
    runs: int | None = None,
) -> list[SelfTestEntry]:
    """Measures the Tester for each frame size and direction of the bench, with its first mix, up to `enough_fps`.

    `runs`: so many times, in place of the bench's number. Over the bench's ports, where its driver can join them or a
    `cable` does, then in memory. What is `known` of the ports isn't measured again. Raises DeviceError, EngineError,
    EngineDied.
    """

    number = bench.tester.selftest_runs if runs is None else runs

    def measured(joined: Joined, reached: Sequence[SelfTestEntry]) -> list[SelfTestEntry]:
        return _selftest(bench, joined, duration_s, progress, reached, enough_fps, number)

    entries = [*known]
    if not known:
        with cabled_ports(bench) if cable else joined_ports(bench) as ports:
            entries += [] if ports is None else measured(ports, ())
    return entries + measured(memory(bench), entries)


def _selftest(
    bench: Bench,
    joined: Joined,
    duration_s: float,
    progress: Callable[[str], None],
    reached: Sequence[SelfTestEntry],
    enough_fps: float,
    runs: int,
) -> list[SelfTestEntry]:
    """`reached`: over other ports, which can't do more; the search begins there."""
    tags = count()
    with engine_for(bench, joined.at) as engine:
        most = most_subscribers(bench.measure)
        engine.configure(configure_message(bench, bench.traffic.mix[0], loopback=True, subscribers=most))
        opened = open_ports(engine, bench, joined.at)
        driver, media_mbps = opened.left.driver, opened.media_mbps

        def run(request: TrialRequest) -> TrialAnswer:
            return engine.trial(trial_message(bench, request, next(tags) % FRAME_TAGS, samples=0))

        def measured(choice: Choice) -> tuple[TrialAt, int | None, float]:
            request = TrialRequest(
                choice.frame_size,
                bench.traffic.frame_size_of,
                START_FPS,
                duration_s,
                TIMEOUT_S,
                choice.directions,
                frame_sizes=in_turn(choice.mixed),
            )
            carried = CEILING_FPS if media_mbps is None else maximum_fps(media_mbps, _mean_sizes(engine, bench, choice))
            return *_trial(bench, choice, request, run), min(carried, enough_fps)

        limits: dict[Choice, list[Limit]] = {}
        for run_number in range(1, runs + 1):  # all choices in turn, so that a slow hour is everybody's
            for choice in choices(bench):
                of = f", run {run_number} of {runs}" if runs > 1 else ""
                progress(f"self-test over {driver}: {choice.in_words()}{of}")
                start = max([START_FPS, *(entry.limit_fps for entry in reached if of_choice(entry, choice))])
                trial, _, ceiling = measured(choice)
                width = FINE if runs > 1 else WIDTH
                limit = find_limit(trial, duration_s, min(start, ceiling), ceiling, width)
                limits.setdefault(choice, []).append(limit)
        entries: list[SelfTestEntry] = []
        for choice, each in limits.items():
            trial, connections, ceiling = measured(choice)
            found = max(each, key=lambda one: one.fps)
            limit = second_look(trial, duration_s, found, ceiling) if runs == 1 else found
            if limit.fps > found.fps:
                progress(
                    f"self-test over {driver}: {choice.in_words()}: a second look shows {limit.fps:,.0f} fps, not "
                    f"{found.fps:,.0f}"
                )
            entry = _entry(choice, trial, connections, duration_s, limit)
            several = tuple(SelfTestRun(limit_fps=one.fps, bound=one.ceiling is not None) for one in each)
            told: dict[str, object] = {"over": joined.over, "driver": driver, "runs": several if runs > 1 else ()}
            if choice.mixed is not None:
                told["frame_size"] = _of_mix(engine, bench, choice, choice.mixed)
            entries.append(entry.model_copy(update=told))
    return entries


def _mean_sizes(engine: Engine, bench: Bench, choice: Choice) -> list[float]:
    """Of each direction's frames, in bytes with FCS (RFC 8219 §5.1: the larger one bounds the rate)."""
    means = []
    for direction in choice.directions:
        size_of, (_, of) = bench.traffic.frame_size_of, bench.traffic.mix[0]
        each = {choice.frame_size: 1} if choice.mixed is None else choice.mixed.shares
        sizes: list[int] = []
        for size, frames in each.items():
            shown = engine.show(size, size_of, min(of, MOST_SHOWN), [direction])
            sizes += [frame.sent.size for frame in shown] * frames
        means.append(fmean(sizes))
    return means


def _trial(
    bench: Bench, choice: Choice, request: TrialRequest, run: Callable[[TrialRequest], TrialAnswer]
) -> tuple[TrialAt, int | None]:
    """What the choice is measured with; and how many connections are open meanwhile, if that doesn't vary."""
    if choice.phase is None or bench.traffic.connections is None:
        return lambda *at: run(request.at(*at)), None
    most = bench.four_tuples(most_subscribers(bench.measure)).size
    if choice.phase == "establish":

        def opens(rate: float, duration_s: float) -> TrialAnswer:
            connections = Connections(max(1, min(most, round(rate * duration_s))), "establish")
            return run(request.experiment(connections, rate, "self-test"))

        return opens, None
    counts = [cell.connections or 1 for cell in cells(bench)]
    number = min(most, MOST_OPEN, max(counts, default=MOST_OPEN))
    wanted = Connections(number, "steady", ESTABLISH_FPS)
    steady = request.experiment(wanted, START_FPS, "self-test")
    failed = open_connections(steady, run)
    if failed is not None:
        return lambda *_: not_opened(failed, 0), number
    return lambda *at: run(steady.at(*at)), number


def _entry(choice: Choice, trial: TrialAt, connections: int | None, duration_s: float, limit: Limit) -> SelfTestEntry:
    delays: list[SelfTestDelay] = []
    last: TrialAnswer | None = None
    for percent in PERCENT if limit.fps else ():
        rate_fps = float(max(1, round(limit.fps * percent / 100)))
        last = trial(rate_fps, duration_s)
        delays.append(
            SelfTestDelay(
                percent_of_limit=percent,
                rate_fps=rate_fps,
                forward=_summary(last.forward),
                reverse=_summary(last.reverse),
            )
        )
    return SelfTestEntry(
        frame_size_named=choice.frame_size,
        frame_size=_sizes(choice.frame_size, {} if last is None else _sent(last)),
        direction=choice.direction,
        phase=choice.phase,
        connections=connections,
        limit_fps=limit.fps,
        ceiling_fps=limit.ceiling,
        reason=limit.reason,
        delays=tuple(delays),
    )


def _sent(answer: TrialAnswer) -> dict[DirectionName, int]:
    return {name: direction.frame_size.sent for name, direction in answer.directions.items()}


def _sizes(size: int, sent: Mapping[DirectionName, int]) -> SideSizes:
    """Loopback: each direction comes back as it was sent, so the left size is what forward sends."""
    left = sent.get("forward", size)
    return SideSizes(left=left, right=sent.get("reverse", left))


def _of_mix(engine: Engine, bench: Bench, choice: Choice, mixed: SizeMix) -> SideSizes:
    """The same of several sizes."""
    size_of, (_, of) = bench.traffic.frame_size_of, bench.traffic.mix[0]

    def sent(size: int, direction: DirectionName) -> int:
        shown = engine.show(size, size_of, min(of, MOST_SHOWN), [direction])
        return next((frame for frame in shown if frame.class_ == "foreground"), shown[0]).sent.size

    def sizes(size: int) -> CellSizes:
        return CellSizes.alike(_sizes(size, {name: sent(size, name) for name in choice.directions}), size)

    return mixed_sizes(mixed, sizes).told


def of_choice(entry: SelfTestEntry, choice: Choice) -> bool:
    """It was measured for this."""
    size = choice.frame_size, str(choice.mixed or "")
    return (entry.size, entry.direction, entry.phase) == (size, choice.direction, choice.phase)


def limit_for(entries: Iterable[SelfTestEntry], choice: Choice) -> float | None:
    """The Tester's limit for frames and directions; None if unknown or if no limit was found.

    Of the entries over the ports in use, if there are any; what it can't do in memory it can't do over any ports.
    """
    limits = [entry.limit_fps for entry in entries if of_choice(entry, choice) and entry.ceiling_fps is None]
    return min(limits, default=None)
