"""R2473-3.1: hops and the outer hop limit are learnt where all first frames agree, and nowhere else."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from tests.simulated_dut import answer
from tests.trials import changed, trial_of, without_frames
from xlatperf.engine.trial_answer import Experiment, InvalidReason
from xlatperf.procedures.connections import Connections
from xlatperf.procedures.learning import Learnt, Unknown, learn
from xlatperf.procedures.trial import Measure, Trial
from xlatperf.procedures.trial_request import TrialRequest

TRIAL = TrialRequest(104, "ipv6", 1.0, 1.0, 2.0)
HOP_LIMIT = 10
INNER, TUNNEL = Unknown("forward", "foreground", "learn"), Unknown("reverse", "foreground", "learn", "learn")


class Frames:
    """Answers with these counters of all foreground frames, in both directions."""

    def __init__(self, **counters: Any) -> None:
        self.counters = counters
        self.requests: list[TrialRequest] = []

    def __call__(self, request: TrialRequest) -> Trial:
        self.requests.append(request)
        document = answer(request, lambda asked, _: round(asked.rate_fps * asked.duration_s))
        for direction in request.directions:
            document[direction]["foreground"].update(self.counters)
        return trial_of(7, request, document)


def learnt(*unknown: Unknown, mix: tuple[int, int] = (1, 1), **counters: Any) -> list[Learnt]:
    return learn_by(Frames(**counters), *unknown, mix=mix)


def learn_by(
    measure: Measure, *unknown: Unknown, mix: tuple[int, int] = (1, 1), retries: int = 0, connections: int | None = None
) -> list[Learnt]:
    return learn(unknown, TRIAL, mix, HOP_LIMIT, measure, retries, connections=connections, require=lambda known: None)


def wrong(inner: tuple[int, int], outer: tuple[int, int] | None = None, expected: int = 0) -> dict[str, Any]:
    return {
        "expected": expected,
        "hop_limit": 20 - expected,
        "seen_hop_limit": inner,
        **({"seen_outer_hop_limit": outer} if outer is not None else {}),
    }


def test_as_supposed() -> None:
    """RFC 2473 §3.1, §6.3: one hop, and 64."""
    told = replace(Learnt("forward", "foreground"), trials=(7,))
    assert learnt(INNER) == [replace(told, hops=1)]
    assert learnt(TUNNEL) == [replace(told, direction="reverse", hops=1, outer_hop_limit=64)]


@pytest.mark.parametrize("hops", [0, 1, 2, 9])
def test_otherwise_than_supposed(hops: int) -> None:
    seen = HOP_LIMIT - hops
    assert [one.hops for one in learnt(INNER, **wrong((seen, seen)))] == [hops]
    both = learnt(TUNNEL, **wrong((seen, seen), (63, 63)))
    assert [(one.hops, one.outer_hop_limit) for one in both] == [(hops, 63)]


def test_only_what_isn_t_known() -> None:
    given = replace(TUNNEL, hops=2)
    (one,) = learnt(given, **wrong((7, 7), (63, 63)))
    assert (one.hops, one.outer_hop_limit, one.untold) == (None, 63, None), "two hops stay required: these take three"
    (one,) = learnt(replace(TUNNEL, outer_hop_limit=9), **wrong((7, 7), (63, 63)))
    assert (one.hops, one.outer_hop_limit) == (3, None)


@pytest.mark.parametrize(
    ("counters", "why"),
    [
        (wrong((8, 9), (64, 64)), "it isn't the same in all frames"),
        (wrong((8, 8), (63, 64)), "it isn't the same in all frames"),
        (wrong((8, 8), (64, 64), expected=19), "it isn't the same in all frames"),
        (wrong((11, 11), (64, 64)), "hop limit 11 arrived where 10 was sent"),
        (wrong((0, 0), (64, 64)), "hop limit 0 arrived where 10 was sent"),
        ({"expected": 0, "wrong_address": 20}, "none of 20 frames came back right: 20 wrong_address"),
        ({"expected": 0, "lost": 20}, "none of 20 frames came back right"),
    ],
)
def test_untold(counters: dict[str, Any], why: str) -> None:
    (one,) = learnt(TUNNEL, **counters)
    assert (one.hops, one.outer_hop_limit, one.untold) == (1, 64, why), "what is supposed is required"


def test_other_faults_don_t_hinder() -> None:
    """What else is wrong, or lost, is found by every trial that follows."""
    (one,) = learnt(INNER, **wrong((8, 8)) | {"hop_limit": 3, "lost": 15, "udp_checksum": 2})
    assert (one.hops, one.untold) == (2, None)


def test_no_load() -> None:
    """Enough frames of the rarer class, in a second at most, in the directions that are asked for alone."""
    for mix, frames in (((1, 1), 20), ((1, 2), 40), ((1, 10), 200), ((9, 10), 200), ((1, 1000), 1000)):
        measure = Frames()
        assert learn_by(measure, mix=mix) == []
        assert measure.requests == []
        learn_by(measure, INNER, mix=mix)
        (request,) = measure.requests
        assert round(request.rate_fps * request.duration_s) == frames
        assert request.duration_s <= 1
        assert (request.directions, request.purpose, request.timeout_s) == (("forward",), "learning", 1.0)


def test_never_valid() -> None:
    def stopped(request: TrialRequest) -> Trial:
        reasons = (InvalidReason(code="stopped", text="the port is gone"),)
        return changed(Frames()(request), valid=False, reasons=reasons)

    (one,) = learn_by(stopped, INNER, retries=1)
    assert one.untold == "no valid trial at 1000 fps in 2 attempts: stopped: the port is gone"


def test_with_connections_phase_1_comes_first() -> None:
    """RFC 9693 §4.7: phase 2 needs frames that came through phase 1 right. Each has its number of frames."""
    native = Unknown("forward", "background", "learn")
    measure = Frames()
    learn_by(measure, TUNNEL, native, INNER, mix=(1, 2), connections=1000)
    first, second = measure.requests
    assert first.connections == Connections(20, "establish")
    assert (first.directions, first.purpose, first.duration_s) == (("forward",), "learning", 0.02)
    assert second.connections == Connections(20, "steady", 1000.0)
    assert (second.directions, second.rate_fps, second.duration_s) == (("reverse", "forward"), 1000.0, 0.04)
    for alone, phase in ((INNER, "establish"), (TUNNEL, "steady"), (native, "steady")):
        one = Frames()
        learn_by(one, alone, mix=(1, 2), connections=1000)
        assert [request.connections.phase for request in one.requests if request.connections] == [phase]
    few = Frames()
    learn_by(few, INNER, TUNNEL, connections=3)
    assert [request.connections.count for request in few.requests if request.connections] == [3, 3]


@pytest.mark.parametrize("connections", [None, 5])
def test_what_is_known_is_required_at_once(connections: int | None) -> None:
    """Before the first trial nothing is, before the second what the first told, at last all."""
    told: list[int] = []
    learn(
        [INNER, TUNNEL],
        TRIAL,
        (1, 1),
        HOP_LIMIT,
        Frames(),
        0,
        connections=connections,
        require=lambda known: told.append(len(known)),
    )
    assert told == ([0, 1, 2] if connections else [0, 2])


def test_phase_1_that_fails() -> None:
    """What goes back can't be told then."""

    def lossy(request: TrialRequest) -> Trial:
        first = changed(Frames(expected=19, lost=1)(request), number=8)
        return without_frames(8, request=request, experiment=Experiment(first_phase=first))

    (one,) = learn_by(lossy, TUNNEL, connections=1000)
    assert one.untold is not None
    assert "phase 1 at 1,000 fps was not complete" in one.untold
