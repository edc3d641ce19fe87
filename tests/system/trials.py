"""Trials on a machine that Tester, device and others share: an invalid one is repeated, a bounded number of times."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pytest

from tests import retries
from xlatperf.config.bench import Bench
from xlatperf.engine.client import Engine
from xlatperf.engine.counters import REMARKS
from xlatperf.engine.direction_answer import WRONG_COUNTERS
from xlatperf.run.experiment import FRAME_TAGS

ATTEMPTS = 6
RELAXED = """
[tester.schedule]
late_us = 1000000
late_share = 1
overrun = 1
"""
"""For tests whose subject is not the schedule: a sender held up for as long as the trial lasts catches up, and all
frames leave."""

_numbers = itertools.count(1)


class StalledDeviceError(Exception):
    """The host held the device or the Tester up for so long that a queue between them overflowed."""


def valid_trial(
    engine: Engine,
    bench: Bench,
    *,
    frame_size: int,
    rate_fps: float,
    duration_s: float,
    timeout_s: float = 0.5,
    directions: Sequence[str] = ("forward", "reverse"),
    frame_timeout_ms: float | None = None,
    before: Callable[[], object] = lambda: None,
    after: Callable[[dict[str, Any]], object] = lambda _: None,
    attempts: int = ATTEMPTS,
    **more: Any,
) -> dict[str, Any]:
    """The answer of the first valid trial. `before` and `after` are called with each attempt, the invalid ones too.

    `more`: keys of docs/protocol.md's `trial`. Its last frames are a fence: where they come back in order, nothing is
    waited for, and where they don't, so long that a machine may hold the device up.
    """
    fence = {"frames": min(10, int(rate_fps * duration_s + 1e-6)), "least_s": 0.01}
    reasons: list[str] = []
    for _ in retries.attempts(attempts):
        before()
        answer = engine.trial(
            {
                "request": "trial",
                "number": next(_numbers) % FRAME_TAGS,
                "frame_size": frame_size,
                "frame_size_of": bench.traffic.frame_size_of,
                "rate_fps": rate_fps,
                "duration_s": duration_s,
                "timeout_s": timeout_s,
                "directions": list(directions),
                "frame_timeout_ms": frame_timeout_ms,
                "samples": 4,
                "schedule": bench.tester.schedule.model_dump(mode="json"),
                "fence": fence,
                **more,
            }
        ).dump()
        try:
            after(answer)
        except StalledDeviceError as stalled:
            reasons.append(str(stalled))
            continue
        if answer["valid"]:
            return answer
        reasons += [f"{reason['code']}: {reason['text']}" for reason in answer["reasons"]]
    pytest.fail(f"no valid trial at {rate_fps:g} fps in {attempts} attempts: {'; '.join(reasons)}")


def nothing_held_back(answer: Mapping[str, Any]) -> None:
    """For `after`: the device had room for all frames."""
    held = {name: answer[name]["departure"]["not_taken"] for name in ("forward", "reverse") if name in answer}
    if any(held.values()):
        raise StalledDeviceError(f"the device had no room for {held} frames")


def counters(of_class: Mapping[str, Any]) -> dict[str, int]:
    """All counters of a CLASS of docs/protocol.md, without its delays."""
    zero = dict.fromkeys((*WRONG_COUNTERS, *REMARKS), 0)
    always = {name: of_class[name] for name in ("sent", "expected", "lost")}
    return {**zero, **always, **of_class["wrong"], **of_class["remarks"]}


def intervals_add_up(direction: Mapping[str, Any]) -> None:
    """What is told of intervals is the whole: of both classes, each counter by itself."""
    told, classes = direction["intervals"], [direction[of] for of in ("foreground", "background") if of in direction]
    for name in ("sent", "expected", "lost"):
        assert sum(one[name] for one in told) == sum(one[name] for one in classes), name
    for reason in WRONG_COUNTERS:
        found = [sum(one["wrong"].get(reason, 0) for one in among) for among in (told, classes)]
        assert found[0] == found[1], reason
    assert sum(one["delay"]["negative"] for one in told) == sum(one["delay"]["negative"] for one in classes)


def clean(sent: int, **others: int) -> dict[str, int]:
    """The counters of a CLASS: `expected` is what was sent unless given, all that isn't given is zero."""
    zero = dict.fromkeys((*WRONG_COUNTERS, *REMARKS, "lost"), 0)
    return {**zero, "sent": sent, "expected": sent, **others}


def quiet_port(counts: Mapping[str, Any], *, received: int) -> None:
    """The port saw the trial's frames and nothing else but ARP and Neighbor Discovery."""
    seen = {name: value for name, value in counts.items() if name not in ("arp_nd", "received") and value}
    assert seen == {"link_up": True}, f"beside the trial's frames: {seen}"
    assert counts["received"] == received + counts["arp_nd"]
