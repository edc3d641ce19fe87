"""A DUT that decides about every frame: the engine's answer follows from delays and losses that the test knows."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from math import floor
from typing import Any

from tests.report.test_histogram import encode
from tests.trials import trial_of
from xlatperf.config.bench import Bench
from xlatperf.engine.message import DirectionName
from xlatperf.engine.trial_answer import TrialAnswer
from xlatperf.procedures.trial import Trial
from xlatperf.procedures.trial_request import TrialRequest
from xlatperf.results.frames import SideSizes
from xlatperf.results.statistics import median, percentile
from xlatperf.run.cell_sizes import CellSizes
from xlatperf.run.runs import Run

MS = 1_000_000
MOST_RANGES = 256

ALL_FOREGROUND = (1, 1)
Mix = tuple[int, int]
"""So many of so many frames are foreground."""

Fate = Callable[[TrialRequest, DirectionName, int, float], float | None]
"""Request, direction, number of the frame, when it is due in s: its delay in ns, or None: it is lost."""


def due_times(request: TrialRequest) -> list[float]:
    """docs/protocol.md: a step has floor(rate * duration) frames, the next begins where it ends."""
    times: list[float] = []
    start = 0.0
    for rate, duration in ((request.rate_fps, request.duration_s), *((s.rate_fps, s.duration_s) for s in request.then)):
        frames = floor(rate * duration + 1e-6)
        times += [start + number / rate for number in range(frames)]
        start += frames / rate
    return times


def summary(delays: list[float], histogram: bool) -> dict[str, Any]:
    if not delays:
        return {"count": 0, "negative": 0}
    return {
        "count": len(delays),
        "negative": 0,
        "min_ns": min(delays),
        "p1_ns": percentile(delays, 1),
        "median_ns": median(delays),
        "mean_ns": sum(delays) / len(delays),
        "p99_ns": percentile(delays, 99),
        "p999_ns": percentile(delays, 99.9),
        "max_ns": max(delays),
        **({"histogram": encode([round(delay) for delay in delays])} if histogram else {}),
    }


def tagged(request: TrialRequest, due: list[float], delays: list[float | None]) -> dict[str, Any]:
    assert request.tags is not None
    numbers = [number for number, at in enumerate(due) if at >= request.tags.from_s]
    count = min(request.tags.count, len(numbers))
    chosen = [numbers[index * len(numbers) // count] for index in range(count)]
    known = [delay for number in chosen if (delay := delays[number]) is not None]
    if not known:
        return {"sent": count, "received": 0, "min_ns": None, "median_ns": None, "p999_ns": None, "max_ns": None}
    return {
        "sent": count,
        "received": len(known),
        "min_ns": min(known),
        "median_ns": median(known),
        "p999_ns": percentile(known, 99.9),
        "max_ns": max(known),
    }


def variation(delays: list[float | None]) -> dict[str, Any]:
    """RFC 5481 §4.1."""
    pairs = [b - a for a, b in pairwise(delays) if a is not None and b is not None]
    if not pairs:
        return {"pairs": 0}
    mean = sum(pairs) / len(pairs)
    return {
        "pairs": len(pairs),
        "min_ns": min(pairs),
        "median_ns": median(pairs),
        "max_ns": max(pairs),
        "mean_ns": mean,
    }


def ranges(lost: list[int]) -> list[list[int]]:
    found: list[list[int]] = []
    for number in lost:
        if found and found[-1][1] + 1 == number:
            found[-1][1] = number
        else:
            found.append([number, number])
    return found


def gap(due: list[float], delays: list[float | None]) -> dict[str, Any] | None:
    arrivals = sorted(
        (at + delay / 1e9, number)
        for number, (at, delay) in enumerate(zip(due, delays, strict=True))
        if delay is not None
    )
    if len(arrivals) < 2:
        return None
    longest = max(pairwise(arrivals), key=lambda pair: pair[1][0] - pair[0][0])
    return {"ns": (longest[1][0] - longest[0][0]) * 1e9, "before": longest[0][1], "after": longest[1][1]}


def delays_of(request: TrialRequest, due: list[float], delays: list[float | None]) -> dict[str, Any]:
    """DELAYS of docs/protocol.md."""
    known = [delay for delay in delays if delay is not None]
    found: dict[str, Any] = {"delay": summary(known, request.histograms)}
    if request.tags is not None:
        found["tagged"] = tagged(request, due, delays)
    if request.delay_variation:
        found["delay_variation"] = variation(delays)
    if request.due_delays:
        found["delay_from_due"] = summary(known, request.histograms)
    return found


def counters(request: TrialRequest, due: list[float], delays: list[float | None]) -> dict[str, Any]:
    """CLASS of docs/protocol.md."""
    timeout = request.frame_timeout_ms
    known = [delay for delay in delays if delay is not None]
    late = sum(timeout is not None and delay > timeout * MS for delay in known)
    return {
        "sent": len(due),
        "expected": len(known) - late,
        "late": late,
        "lost": len(due) - len(known),
        **delays_of(request, due, delays),
    }


def classes(request: TrialRequest, due: list[float], delays: list[float | None], mix: Mix) -> dict[str, Any]:
    """Of each class that the mix has, and of both together."""
    take, of = mix
    if take == of:
        return {"foreground": counters(request, due, delays)}
    found: dict[str, Any] = {"together": delays_of(request, due, delays)}
    for name, wanted in (("foreground", True), ("background", False)):
        numbers = [n for n in range(len(due)) if ((n + 1) * take // of != n * take // of) is wanted]
        found[name] = counters(request, [due[n] for n in numbers], [delays[n] for n in numbers])
    return found


def intervals(request: TrialRequest, due: list[float], delays: list[float | None]) -> list[dict[str, Any]]:
    """By when frames were due."""
    interval_s = request.interval_s or request.duration_s
    frames: dict[int, list[float | None]] = {}
    for at, delay in zip(due, delays, strict=True):
        frames.setdefault(floor(at / interval_s + 1e-9), []).append(delay)
    found = []
    for own in frames.values():
        told = counters(replace(request, histograms=False), [0.0] * len(own), own)
        wrong = {"late": told["late"]} if told["late"] else {}
        found.append({name: told[name] for name in ("sent", "expected", "lost", "delay")} | {"wrong": wrong})
    return found


def direction(request: TrialRequest, name: DirectionName, fate: Fate, mix: Mix = ALL_FOREGROUND) -> dict[str, Any]:
    due = due_times(request)
    delays = [fate(request, name, number, at) for number, at in enumerate(due)]
    lost = [number for number, delay in enumerate(delays) if delay is None]
    return {
        "intended": len(due),
        "sent": len(due),
        "offered_fps": len(due) / request.sending_s if request.then else request.rate_fps,
        "sending_s": request.sending_s,
        "frame_size": {"sent": 84, "received": 64},
        **classes(request, due, delays, mix),
        "lost_ranges": ranges(lost)[:MOST_RANGES],
        "lost_ranges_complete": len(ranges(lost)) <= MOST_RANGES,
        "last_lost": lost[-1] if lost else None,
        "longest_gap": gap(due, delays),
        **({"intervals": intervals(request, due, delays)} if request.interval_s else {}),
    }


def frames_answer(
    request: TrialRequest, fate: Fate, tag: int = 0, reasons: tuple[str, ...] = (), mix: Mix = ALL_FOREGROUND
) -> dict[str, Any]:
    """The engine's answer, with the event as the campaign adds it."""
    answer: dict[str, Any] = {
        "response": "trial",
        "id": 1,
        "number": tag,
        "valid": not reasons,
        "reasons": [{"code": code, "text": f"because of {code}"} for code in reasons],
        "elapsed_s": request.sending_s,
        "left": {"received": 1},
        "right": {"received": 1},
        "samples": [],
        **{name: direction(request, name, fate, mix) for name in request.directions},
    }
    if request.event is not None:
        at = request.event_at_s or 0.0
        answer["event"] = {"kind": request.event, "started_s": at, "ended_s": at + 0.25, "error": None}
    return answer


class FramesMeasure:
    """`measure` of procedures."""

    def __init__(self, fate: Fate, mix: Mix = ALL_FOREGROUND) -> None:
        self.fate = fate
        self.mix = mix
        self.requests: list[TrialRequest] = []
        self.reasons: list[tuple[str, ...]] = []
        self.changes: dict[str, Any] = {}

    def __call__(self, request: TrialRequest) -> Trial:
        self.requests.append(request)
        reasons = self.reasons.pop(0) if self.reasons else ()
        answer = frames_answer(request, self.fate, reasons=reasons, mix=self.mix)
        return trial_of(len(self.requests) - 1, request, {**answer, **self.changes})


class FramesTester:
    """A Tester for campaigns; dies at the trial number `die_at` of its own count."""

    def __init__(self, fate: Fate, die_at: int | None = None) -> None:
        self.fate = fate
        self.die_at = die_at
        self.requests: list[TrialRequest] = []

    def sizes(self, frame_size: int, _: object) -> CellSizes:
        return CellSizes.alike(SideSizes(left=frame_size, right=frame_size - 20), frame_size)

    def require(self, _: Bench) -> None:
        """Its frames are right in any case."""

    def media_mbps(self) -> float | None:
        return None

    def trial(self, run: Run, request: TrialRequest, frame_tag: int) -> TrialAnswer:
        return TrialAnswer.model_validate(self.written(run, request, frame_tag))

    def written(self, run: Run, request: TrialRequest, frame_tag: int) -> dict[str, Any]:
        """The answer as the engine writes it."""
        from tests.simulated_dut import Killed

        if self.die_at is not None and len(self.requests) == self.die_at:
            raise Killed
        self.requests.append(request)
        alone: Fate = lambda *_: 700.0  # noqa: E731
        fate = alone if request.tester_alone else self.fate
        return frames_answer(request, fate, frame_tag, mix=run.cell.mix)


def queue(service_fps: float, buffer: int) -> Fate:
    """A DUT that serves so many frames per second and holds so many that wait; each trial finds it empty."""
    served: dict[tuple[int, DirectionName], list[float]] = {}

    def fate(request: TrialRequest, name: DirectionName, number: int, due_s: float) -> float | None:
        waiting = served.setdefault((id(request), name), [])
        if number == 0:
            waiting.clear()
        while waiting and waiting[0] <= due_s + 1e-9:
            waiting.pop(0)
        if len(waiting) >= buffer:
            return None
        done = max(due_s, waiting[-1] if waiting else 0.0) + 1 / service_fps
        waiting.append(done)
        return (done - due_s) * 1e9

    return fate
