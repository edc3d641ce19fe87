"""R7597-8.1: right frames tell what isn't forwarded before them, through devices that are late, lossy, or reorder."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from tests.system.gateway import Gateway, gateway
from xlatperf.commands.check_learning import learnt_bench
from xlatperf.commands.check_trials import CheckTrials
from xlatperf.config.negative_tests import negative_tests_of
from xlatperf.config.request import ALL_FOREGROUND, configure_message
from xlatperf.procedures.negative import FRAMES, NegativeOutcome, NegativeTest, negative_tests
from xlatperf.procedures.trial import Trial
from xlatperf.procedures.trial_request import TrialRequest
from xlatperf.run.fence import Fences

TIMEOUT_S = 0.8
HOLD_UP_S = 10.0
"""Of Tester or device, which is borne."""
LATE_US = 300_000
LENIENT = "device.checks = { source_port = false }"
SIZE = 104
TRIAL: dict[str, Any] = {
    "frame_size": SIZE,
    "rate_fps": 1000,
    "duration_s": 0.02,
    "directions": ("forward",),
    "timeout_s": TIMEOUT_S,
}


@pytest.fixture(scope="module", params=["strict", "lenient"])
def relay(request: pytest.FixtureRequest) -> Iterator[Gateway]:
    with gateway("map-e br", LENIENT if request.param == "lenient" else "") as made:
        yield made


@contextlib.contextmanager
def impaired(relay: Gateway, impairments: Mapping[str, Any]) -> Iterator[None]:
    """With new impairments, and nothing known of them."""
    relay.impair(forward=impairments)
    relay.running.fences = Fences()
    try:
        yield
    finally:
        relay.impair()


def lenient(relay: Gateway) -> bool:
    return "checks" in relay.bench.device.model_fields_set


def port_of_another(relay: Gateway) -> NegativeTest:
    (test,) = [one for one in negative_tests_of(relay.bench) if one.name == "source_port"]
    return test


def tried(relay: Gateway) -> tuple[NegativeOutcome, list[Trial]]:
    """Right frames alone (1 to 20), then ten from ports of another CE and ten right ones (21 to 40)."""
    trials = CheckTrials(relay.bench, relay.running, first_tag=1)
    trials.configure(configure_message(relay.bench, ALL_FOREGROUND, part=0))
    trial = TrialRequest(SIZE, "ipv6", 1000.0, 1.0, TIMEOUT_S)
    seen: list[Trial] = []

    def measure(request: TrialRequest) -> Trial:
        seen.append(trials.measure(request))
        return seen[-1]

    (found,) = negative_tests([port_of_another(relay)], trial, measure, 2)
    return found, seen


@pytest.mark.parametrize(
    "impairments",
    [
        {},
        {"delay_us": LATE_US},
        {"delays": [{"every": 2, "delay_us": LATE_US}]},
        {"drop": {"positions": list(range(31, 41))}},
        {"drop": {"positions": [35]}},
        {"duplicate": {"every": 3}},
    ],
    ids=["none", "all late", "every other late", "fence lost", "one of the fence lost", "duplicates"],
)
def test_the_outcome_is_right(relay: Gateway, impairments: Mapping[str, Any]) -> None:
    with impaired(relay, impairments):
        found, _ = tried(relay)
    assert found.untried is None
    assert (found.sent, found.passed) == (FRAMES, FRAMES if lenient(relay) else 0)


@pytest.mark.parametrize(
    ("impairments", "came"),
    [
        ({}, True),
        ({"delay_us": 1000}, True),
        ({"drop": {"positions": [20]}}, False),
        ({"drop": {"positions": [10]}}, True),
        ({"reorder": {"by": 3, "positions": [14]}}, False),
        ({"corrupt": [{"what": "hop_limit", "positions": list(range(1, 21))}]}, True),
    ],
    ids=["none", "delay", "one of the fence lost", "one before it lost", "overtaken", "all wrong"],
)
def test_what_is_waited(relay: Gateway, impairments: Mapping[str, Any], came: bool) -> None:
    """All of the timeout, unless the fence came whole and in order."""
    timeout_s = HOLD_UP_S if came else TIMEOUT_S
    with impaired(relay, impairments):
        fence = {"frames": 10, "delays": 1, "least_s": 0.0}
        seen = relay.trial(**{**TRIAL, "timeout_s": timeout_s}, fence=fence).answer
    assert seen["fence_came"] is came
    assert (seen["waited_s"] >= timeout_s) is (not came)


def test_the_fence_is_right_and_counted(relay: Gateway) -> None:
    """What is altered are the frames before it."""
    alter = [change.message() for change in port_of_another(relay).changes]
    seen = relay.trial(**TRIAL, alter=alter, fence={"frames": 7}).answer["forward"]
    assert (seen["fence"]["sent"], seen["fence"]["expected"], seen["fence"]["lost"]) == (7, 7, 0)
    passed = seen["foreground"]["expected"] + seen["foreground"]["wrong"].get("wrong_port", 0)
    assert passed == (20 if lenient(relay) else 7)


def test_hops_are_learnt_from_late_frames(relay: Gateway) -> None:
    with impaired(relay, {"delay_us": LATE_US}):
        _, learnt = learnt_bench(relay.bench, relay.running, TIMEOUT_S)
    assert learnt
    assert {one.untold for one in learnt} == {None}
