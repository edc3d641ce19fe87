"""Compares the searches for a throughput on simulated devices, for docs/searches.md: python -m docs.searches."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from docs.marked import Marked
from xlatperf.engine.trial_answer import TrialAnswer
from xlatperf.procedures.conditions import Conditions
from xlatperf.procedures.throughput import RATE, Throughput
from xlatperf.procedures.trial import Trial
from xlatperf.procedures.trial_request import TrialRequest
from xlatperf.results.statistics import median, percentile

PAGE = Marked(
    Path(__file__).with_name("searches.md"),
    "<!-- What follows is written by docs/searches.py. -->",
    "<!-- end of what is written -->",
)
TIMES = 25
_MOST_FPS, _FPS, _SLOW_FPS = 1_000_000.0, 400_000.0, 360_000.0
_WAITS_S = 2.0 + 5.0 + 2.0
"""Residual frames, rest, learning frames (RFC 2544 §23)."""
_EVENTS_PER_S, _EVENT_FRAMES = 1 / 60, 100

Loses = Callable[[float, float, Random], float]
"""How many frames of a trial at a rate that takes so many seconds."""


def _above(fps: float, rate_fps: float, duration_s: float) -> float:
    return max(0.0, rate_fps - fps) * duration_s


def _ideal(rate_fps: float, duration_s: float, _: Random) -> float:
    return _above(_FPS, rate_fps, duration_s)


def _noisy(rate_fps: float, duration_s: float, chance: Random) -> float:
    events, until_s = 0, chance.expovariate(_EVENTS_PER_S)
    while until_s < duration_s:
        events, until_s = events + 1, until_s + chance.expovariate(_EVENTS_PER_S)
    return _above(_FPS, rate_fps, duration_s) + events * _EVENT_FRAMES


def _hole(rate_fps: float, duration_s: float, _: Random) -> float:
    in_it = 0.001 * rate_fps * duration_s if 370_000 <= rate_fps <= 380_000 else 0.0
    return in_it + _above(_FPS, rate_fps, duration_s)


def _collapsing(rate_fps: float, duration_s: float, _: Random) -> float:
    return 0.0 if rate_fps <= _FPS else (rate_fps - 100_000.0) * duration_s


def _bimodal(rate_fps: float, duration_s: float, chance: Random) -> float:
    return _above(_FPS if chance.random() < 0.5 else _SLOW_FPS, rate_fps, duration_s)


DEVICES: Mapping[str, tuple[Loses, float, str]] = {
    "ideal": (_ideal, _FPS, "forwards 400,000 frames/s, and no more"),
    "noisy": (_noisy, _FPS, "the same, and drops 100 frames once a minute on average, whatever the rate"),
    "hole": (_hole, _FPS, "the same, and loses 0.1 % from 370,000 to 380,000 frames/s"),
    "collapsing": (_collapsing, _FPS, "the same, but 100,000 where it is offered more"),
    "bimodal": (_bimodal, _SLOW_FPS, "in half of the trials 400,000, in the others 360,000 frames/s"),
}
SEARCHES: Mapping[str, Throughput] = {
    "guided": Throughput(procedure="throughput"),
    "binary": Throughput(procedure="throughput", search="binary"),
    "MLRsearch": Throughput(procedure="throughput", search="mlrsearch"),
    "MLRsearch, exceed_ratio = 0.5, duration_sum_s = 120": Throughput(
        procedure="throughput", search="mlrsearch", exceed_ratio=0.5, duration_sum_s=120.0
    ),
}


@dataclass
class Device:
    """`measure` of a search."""

    loses: Loses
    chance: Random
    requests: list[TrialRequest] = field(default_factory=list)

    def __call__(self, request: TrialRequest) -> Trial:
        """A trial in one direction."""
        number = len(self.requests)
        self.requests.append(request)
        sent = max(1, round(request.rate_fps * request.duration_s))
        lost = min(sent, round(self.loses(request.rate_fps, request.duration_s, self.chance)))
        way = {
            "intended": sent,
            "sent": sent,
            "offered_fps": request.rate_fps,
            "sending_s": request.duration_s,
            "frame_size": {"sent": 84, "received": 64},
            "foreground": {"sent": sent, "expected": sent - lost, "lost": lost, "delay": {"count": 0}},
        }
        nothing = {"received": 0}
        answer = {"number": number, "valid": True, "elapsed_s": 0.0, "left": nothing, "right": nothing, "forward": way}
        return Trial.of(number, "", request, TrialAnswer.model_validate(answer))


@dataclass(frozen=True)
class Compared:
    """Of many searches."""

    trials: float
    minutes: float
    medians_fps: float
    spread: float
    error: float
    worst: float


def compared(search: Throughput, loses: Loses, truth_fps: float, times: int = TIMES) -> Compared:
    """The same each time: chance begins with the number of the search."""
    rates, trials, minutes = [], [], []
    for number in range(times):
        device = Device(loses, Random(number))  # noqa: S311 - the same dice each time
        trial = TrialRequest(84, "ipv6", 1.0, 60.0, directions=("forward",))
        (rate_fps,) = search.run(Conditions(trial, _MOST_FPS), device).known(RATE)
        rates.append(rate_fps)
        trials.append(len(device.requests))
        minutes.append(sum(one.duration_s + _WAITS_S for one in device.requests) / 60)
    errors = [rate_fps / truth_fps - 1 for rate_fps in rates]
    centre = median(rates)
    return Compared(
        median(trials),
        median(minutes),
        centre,
        (percentile(rates, 99) - percentile(rates, 1)) / centre if centre else 0.0,
        centre / truth_fps - 1,
        max(errors, key=abs),
    )


def table() -> Iterator[str]:
    """A line for each search on each device."""
    yield "| Device | Search | Trials | Minutes | Median, frames/s | Spread | Error | Largest |"
    yield "|---|---|---|---|---|---|---|---|"
    for device, (loses, truth_fps, _) in DEVICES.items():
        for search, wanted in SEARCHES.items():
            one = compared(wanted, loses, truth_fps)
            yield (
                f"| {device} | {search} | {one.trials:g} | {one.minutes:.1f} | {one.medians_fps:,.0f} | "
                f"{100 * one.spread:.1f} % | {100 * one.error:+.1f} % | {100 * one.worst:+.1f} % |"
            )


def part() -> str:
    """The devices, and the table."""
    devices = [f"- **{name}**: {what}" for name, (_, _, what) in DEVICES.items()]
    return "\n".join([*devices, "", *table()])


if __name__ == "__main__":
    PAGE.write(part())
