"""A DUT that is only numbers: the `measure` that procedures get in tests, and a Tester for campaigns."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from tests.trials import changed, trial_of, with_experiment
from xlatperf.config.bench import Bench
from xlatperf.engine.message import DirectionName
from xlatperf.engine.trial_answer import InvalidReason, TrialAnswer
from xlatperf.procedures.trial import Measure, Trial
from xlatperf.procedures.trial_request import FIRST_LOOK, TrialRequest
from xlatperf.results.frames import SideSizes
from xlatperf.run.cell_sizes import CellSizes
from xlatperf.run.runs import Run

DELAY = {
    "count": 1,
    "negative": 0,
    "min_ns": 1,
    "p1_ns": 1,
    "median_ns": 2,
    "mean_ns": 2,
    "p99_ns": 3,
    "p999_ns": 3,
    "max_ns": 3,
}
COUNTS = {"received": 1}

Phase = TypeVar("Phase", bound=TrialAnswer)
Received = Callable[[TrialRequest, DirectionName], int]


def capacity(fps: float) -> Received:
    """Forwards at most so many frames per second in each direction."""

    def received(request: TrialRequest, _: DirectionName) -> int:
        return min(sent(request), round(fps * request.duration_s))

    return received


def sent(request: TrialRequest) -> int:
    return max(1, round(request.rate_fps * request.duration_s))


def tagged(request: TrialRequest, came: int) -> dict[str, Any]:
    """Of the counters of a class: delays of the tagged frames, if there are any."""
    if request.tags is None or not came:
        return {}
    delays = {f"{name}_ns": DELAY[f"{name}_ns"] for name in ("min", "median", "p999", "max")}
    return {"tagged": {"sent": request.tags.count, "received": request.tags.count, **delays}}


def answer(request: TrialRequest, received: Received, reasons: tuple[str, ...] = (), tag: int = 0) -> dict[str, Any]:
    """A trial's answer as the engine writes it."""
    document: dict[str, Any] = {
        "response": "trial",
        "id": 1,
        "number": tag,
        "valid": not reasons,
        "reasons": [{"code": code, "text": f"because of {code}"} for code in reasons],
        "elapsed_s": request.duration_s,
        "left": COUNTS,
        "right": COUNTS,
        "samples": [],
    }
    for name in request.directions:
        frames, came = sent(request), received(request, name)
        counters = {"sent": frames, "expected": came, "lost": frames - came, "delay": DELAY, **tagged(request, came)}
        document[name] = {
            "intended": frames,
            "sent": frames,
            "offered_fps": request.rate_fps,
            "sending_s": request.duration_s,
            "frame_size": {"sent": 84, "received": 64},
            "foreground": counters,
        }
        if request.fence:
            back = min(came, request.fence)
            document[name]["fence"] = {"sent": request.fence, "expected": back, "lost": request.fence - back}
    return document


def sent_less(outcome: Trial, share: float) -> Trial:
    """The same trial by a Tester that could send this share of the frames only."""
    less = {name: one.model_copy(update={"sent": round(one.sent * share)}) for name, one in outcome.directions.items()}
    reasons = (InvalidReason(code="sent_less", text="not all frames could be sent in time"),)
    return changed(outcome, valid=False, reasons=reasons, **less)


def offering(measure: Measure, share: float) -> Measure:
    """A Tester that is so much slower than asked in one direction, yet within what the schedule allows."""

    def slower(phase: Phase) -> Phase:
        really: dict[str, Any] = {
            name: one.model_copy(
                update={
                    "offered_fps": one.offered_fps * (share if name == "reverse" or len(phase.directions) == 1 else 1)
                }
            )
            for name, one in phase.directions.items()
        }
        return phase.model_copy(update=really)

    def of(trial: Trial) -> Trial:
        first = trial.experiment.first_phase if trial.experiment is not None else None
        return slower(trial if first is None else with_experiment(trial, first_phase=slower(first)))

    return lambda request: of(measure(request))


class SimulatedMeasure:
    """`measure` of procedures. `invalid(request, n)` gives the reasons of the n-th trial, from 0."""

    def __init__(
        self, received: Received, invalid: Callable[[TrialRequest, int], tuple[str, ...]] = lambda _, __: ()
    ) -> None:
        self.received = received
        self.invalid = invalid
        self.requests: list[TrialRequest] = []

    def __call__(self, request: TrialRequest) -> Trial:
        number = len(self.requests)
        self.requests.append(request)
        reasons = self.invalid(request, number)
        return trial_of(number, request, answer(request, self.received, reasons))


class Killed(BaseException):
    """Stands for SIGKILL in tests."""


class SimulatedTester:
    """A Tester for campaigns; dies at the trial number `die_at` of its own count."""

    def __init__(self, received: Received, die_at: int | None = None) -> None:
        self.received = received
        self.die_at = die_at
        self.tags: list[int] = []
        self.required: Bench | None = None
        self.reasons: list[tuple[str, ...]] = []
        """Of each trial, but the first look."""

    def sizes(self, frame_size: int, _: object) -> CellSizes:
        return CellSizes.alike(SideSizes(left=frame_size, right=frame_size - 20), frame_size)

    def require(self, bench: Bench) -> None:
        self.required = bench

    def media_mbps(self) -> float | None:
        return None

    def trial(self, run: Run, request: TrialRequest, frame_tag: int) -> TrialAnswer:
        return TrialAnswer.model_validate(self.written(run, request, frame_tag))

    def written(self, run: Run, request: TrialRequest, frame_tag: int) -> dict[str, Any]:
        """The answer as the engine writes it."""
        if self.die_at is not None and len(self.tags) == self.die_at:
            raise Killed
        self.tags.append(frame_tag)
        reasons = self.reasons.pop(0) if self.reasons and request.purpose != FIRST_LOOK else ()
        return answer(request, self.received, reasons, frame_tag)
