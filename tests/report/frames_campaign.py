"""A campaign of throughput and frame loss through a simulated TAYGA: known limits, wrong frames, a slow Tester."""

from __future__ import annotations

import tempfile
from functools import cache
from pathlib import Path
from typing import Any

from tests.report.frame_bytes import EXPECTED_IPV4, WRONG_IPV4
from tests.simulated_campaign import campaign
from tests.simulated_dut import SimulatedTester, answer, capacity, sent
from xlatperf.engine.delays import Delay
from xlatperf.engine.message import DirectionName
from xlatperf.engine.trial_answer import TrialAnswer
from xlatperf.procedures.trial import Trial
from xlatperf.procedures.trial_request import TrialRequest
from xlatperf.results.frames import SideSizes
from xlatperf.results.results import Measurement, Results
from xlatperf.results.selftest_records import SelfTestDelay, SelfTestEntry
from xlatperf.run.runs import Run

BENCH = """
title = "SIIT through TAYGA"
technology.name = "siit"
device.driver = "tayga"
traffic.mix = [[1, 1], [5, 10]]
[[measure]]
procedure = "throughput"
search = "binary"
frame_sizes = [84, 256, 1280]
repetitions = 3
duration_s = 2
settle_s = 0.5
retries = 0
minimum_fps = 1000
maximum_fps = 200000
stop_width_percent = 1
media_mbps = 10000
[[measure]]
procedure = "frame_loss"
frame_sizes = [84]
repetitions = 1
duration_s = 2
settle_s = 0.5
retries = 0
maximum_fps = 200000
media_mbps = 10000
"""
_FRAMES_PER_S = {84: 103_500, 256: 99_000, 1280: 81_000}
_DELAY = {
    "min_ns": 21_403,
    "p1_ns": 30_000,
    "median_ns": 61_056,
    "mean_ns": 70_000.5,
    "p99_ns": 412_672,
    "p999_ns": 1_204_224,
    "max_ns": 2_913_877,
}
SAMPLE = {
    "side": "right",
    "direction": "forward",
    "reason": "wrong_address",
    "number": 17,
    "class": "foreground",
    "received": WRONG_IPV4,
    "expected": EXPECTED_IPV4,
    "text": "destination 198.19.0.3, expected 198.19.0.2",
}


class Tester(SimulatedTester):
    """It can't send 200,000 frames/s; at 150,000 some of the first ones came back wrong, others were refused."""

    def __init__(self) -> None:
        super().__init__(self.came)
        self.repetition = 1
        self.mix = (1, 1)

    def came(self, request: TrialRequest, name: DirectionName) -> int:
        """Of wrong frames none; more if half needn't be translated; less in the second search, more in the third."""
        if request.alter:
            return 0
        limit = _FRAMES_PER_S[request.frame_size] * (1.18 if self.mix != (1, 1) else 1)
        limit += {2: -2000, 3: 1000}.get(self.repetition, 0)
        lost = sent(request) - min(sent(request), round(limit * request.duration_s))
        return sent(request) - (lost if name == "forward" else round(lost * 0.6))

    def written(self, run: Run, request: TrialRequest, frame_tag: int) -> dict[str, Any]:
        self.repetition, self.mix = run.repetition, run.cell.mix
        document = super().written(run, request, frame_tag)
        first = frame_tag < 20
        for name in request.directions:
            _shape(document[name], request, name, self.mix)
        if request.rate_fps == 200_000:
            slow = {"code": "sent_less", "text": "left sent 301,204 of 400,000 frames"}
            document.update(valid=False, reasons=[slow])
            for counters in (document["forward"], document["forward"]["foreground"]):
                counters["sent"] -= 400_000 - 301_204
        if request.rate_fps > 140_000 and first and document["valid"] and not request.alter:
            document["forward"]["foreground"].update(wrong_address=617)
            document["forward"]["foreground"]["expected"] -= 617
            document["forward"]["foreground"]["reordered"] = 7
            unreachable = {"version": 6, "type": 1, "code": 0, "count": 20}
            document["left"] = {**document["left"], "icmp_errors": [unreachable]}
            document["samples"] = [SAMPLE]
        return document


def _shape(direction: dict[str, Any], request: TrialRequest, name: DirectionName, mix: tuple[int, int]) -> None:
    """Sizes, delays and classes of one direction."""
    sizes = [request.frame_size, request.frame_size - 20]
    direction["frame_size"] = dict(zip(("sent", "received"), sizes if name == "forward" else sizes[::-1], strict=True))
    direction["departure"] = {"late_frames": 3, "longest_stall_ns": 184_220.0}
    foreground = direction["foreground"]
    foreground["delay"] = {"count": foreground["expected"], **_DELAY} if foreground["expected"] else {"count": 0}
    if mix != (1, 1):
        back = foreground["sent"] - foreground["sent"] * mix[0] // mix[1]
        came = min(back, foreground["expected"])
        direction["background"] = {**foreground, "sent": back, "expected": came, "lost": back - came}
        for key, of_back in (("sent", back), ("expected", came), ("lost", back - came)):
            foreground[key] -= of_back


def selftest(size: int, limit: float = 1_204_000.0) -> SelfTestEntry:
    """The Tester alone."""
    delay = Delay(count=1000, **{name: value * 0.1 for name, value in _DELAY.items()})
    return SelfTestEntry(
        frame_size_named=size,
        frame_size=SideSizes(left=size, right=size - 20),
        direction="bidirectional",
        limit_fps=limit,
        ceiling_fps=None,
        reason="sent less than intended",
        delays=(SelfTestDelay(percent_of_limit=10.0, rate_fps=limit / 10, forward=delay, reverse=delay),),
    )


ALONE = (selftest(84), selftest(256, 1_150_000.0), selftest(1280, 800_000.0))


@cache
def _run() -> Results:
    with tempfile.TemporaryDirectory(prefix="xlatperf-test-") as path:
        return campaign(Path(path) / "campaign", Tester(), BENCH, alone=ALONE)


def results(**changes: Any) -> Results:
    """The whole campaign; `changes` replace parts of it."""
    return _run().model_copy(update=changes)


def measured(procedure: str) -> Measurement:
    """The first one of a procedure: 84 bytes, no other traffic."""
    return next(one for one in results().measurements if one.procedure == procedure)


def bench(**changes: Any) -> dict[str, Any]:
    """Its bench file with other tables."""
    return {**results().bench, **changes}


def trial(
    number: int,
    rate_fps: float = 1000.0,
    *,
    run: str = "run",
    valid: bool = True,
    mix: tuple[int, int] = (1, 1),
    reverse: bool = True,
) -> Trial:
    """One trial through a DUT that loses nothing."""
    directions: tuple[DirectionName, ...] = ("forward", "reverse") if reverse else ("forward",)
    request = TrialRequest(84, "ipv6", rate_fps, 2.0, directions=directions, purpose="search")
    document = answer(request, capacity(1e9), () if valid else ("sent_less",), number)
    for name in directions:
        _shape(document[name], request, name, mix)
    told = TrialAnswer.model_validate(document)
    return Trial.of(number, run, request, told)
