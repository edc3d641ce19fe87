"""R2544-23 (d): what comes when the wait is over is neither in time nor lost; each frame that arrived is counted."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from tests.retries import attempts
from tests.system.gateway import SIDES, Gateway, gateway
from tests.system.trials import clean, counters
from xlatperf.engine.direction_answer import WRONG_COUNTERS
from xlatperf.engine.trial_answer import TrialAnswer

RATE_FPS, DURATION_S, SENT = 5000, 0.02, 100
ATTEMPTS = 4
WAIT_S, LATE_S = 0.05, 0.25
"""A hold-up of the difference is borne."""
LATE = {"delays": [{"every": 2, "delay_us": 1_000_000 * LATE_S}]}
SHORT: dict[str, Any] = {
    "frame_size": 84,
    "rate_fps": RATE_FPS,
    "duration_s": DURATION_S,
    "timeout_s": WAIT_S,
    "directions": ["forward"],
    "fence": None,
}


@pytest.fixture(scope="module")
def device() -> Iterator[Gateway]:
    with gateway("siit, IPv6 left") as made:
        yield made


def trial(device: Gateway, **more: Any) -> dict[str, Any]:
    return device.trial(**{**SHORT, **more}).answer


def without_a_hold_up(device: Gateway, **more: Any) -> dict[str, Any]:
    """A trial that lasts as long as frames come: a host that holds the device up for the wait ends it before."""
    for _ in attempts(ATTEMPTS):
        answer = trial(device, **more)
        if not answer["forward"]["foreground"]["lost"]:
            break
        time.sleep(2 * LATE_S)
    return answer


def still_arriving(answer: Mapping[str, Any]) -> bool:
    forward = TrialAnswer.model_validate(answer).forward
    assert forward is not None
    return forward.still_arriving


def test_after_the_wait(device: Gateway) -> None:
    """They came, so they aren't lost; the trial failed all the same."""
    device.impair(forward=LATE)
    answer = trial(device, settle_s=2 * LATE_S)
    assert counters(answer["forward"]["foreground"]) == clean(SENT, expected=SENT // 2, after_wait=SENT // 2)
    assert answer["right"]["received"] == SENT + answer["right"]["arp_nd"]
    assert answer["forward"]["foreground"]["delay"]["count"] == SENT
    assert answer["waited_s"] < WAIT_S + LATE_S
    assert still_arriving(answer)
    device.impair()
    assert not still_arriving(trial(device, settle_s=0.01))


def test_between_two_trials(device: Gateway) -> None:
    """Nobody waits for them any more: they count where frames of earlier trials do."""
    device.impair(forward=LATE)
    before = trial(device)
    assert counters(before["forward"]["foreground"]) == clean(SENT, expected=SENT // 2, lost=SENT // 2)
    time.sleep(2 * LATE_S)
    device.impair()
    answer = trial(device)
    assert counters(answer["forward"]["foreground"]) == clean(SENT)
    assert answer["right"]["stale"] == SENT // 2
    assert answer["right"]["received"] == SENT + SENT // 2 + answer["right"]["arp_nd"]
    assert trial(device)["right"]["stale"] == 0


def test_as_long_as_they_come(device: Gateway) -> None:
    """Whoever gives the device no time to rest gets no frame of one trial in the next: while they come, they count."""
    device.impair(forward={"delays": [{"every": 1, "delay_us": 1_000_000 * LATE_S}]})
    sent = round(2000 * LATE_S)
    came = counters(without_a_hold_up(device, rate_fps=1000, duration_s=2 * LATE_S)["forward"]["foreground"])
    assert came == clean(sent, expected=came["expected"], after_wait=sent - came["expected"])
    assert came["after_wait"] > 0
    device.impair()
    assert trial(device)["right"]["stale"] == 0


def test_a_queue_that_is_longer_than_the_wait(device: Gateway) -> None:
    """A slow device with a large buffer: frames come right up to the end of the wait, and after it."""
    device.impair(forward={"capacity": {"rate_fps": 200, "buffer": 100}})
    answer = without_a_hold_up(device)
    came = counters(answer["forward"]["foreground"])
    assert came == clean(SENT, expected=came["expected"], after_wait=SENT - came["expected"])
    assert came["expected"] < SENT
    assert still_arriving(answer)
    device.impair(forward={"drop": {"every": 3}})
    lossy = trial(device)
    assert lossy["forward"]["foreground"]["lost"] == SENT // 3
    assert not still_arriving(lossy), "what was dropped doesn't come later"


def test_every_frame_is_in_one_counter(device: Gateway) -> None:
    """What the port received is what the counters have together, whatever is wrong with the frames.

    A host that holds the Tester or the device up for less than 0.15 s changes nothing.
    """
    late_s, wait_s, after_s = 0.15, 0.3, 0.6
    kinds = {"payload": 7, "address": 11, "source_address": 13, "port": 17, "udp_checksum": 19, "ip_checksum": 23}
    kinds |= {"traffic_class": 29, "hop_limit": 31}
    wrong = {
        "corrupt": [{"what": what, "every": every} for what, every in kinds.items()],
        "drop": {"every": 37},
        "untranslated": {"every": 41},
        "duplicate": {"every": 5},
        "reorder": {"every": 43, "by": 3},
        "delays": [{"every": 6, "delay_us": 1_000_000 * after_s}, {"every": 7, "delay_us": 1_000_000 * late_s}],
    }
    device.mix(1, 2)
    device.impair(forward=wrong, reverse=wrong)
    try:
        answer = trial(
            device,
            frame_size=128,
            duration_s=0.2,
            timeout_s=wait_s,
            directions=list(SIDES),
            settle_s=2 * after_s,
            frame_timeout_ms=100,
        )
    finally:
        device.mix(1, 1)
        device.impair()
    for name, (_, side) in SIDES.items():
        classes = [counters(answer[name][of]) for of in ("foreground", "background")]
        port = answer[side]
        strays = sum(port[kind] for kind in ("arp_nd", "stale", "returned", "foreign", "malformed"))
        errors = sum(one["count"] for one in port["icmp_errors"])
        counted = sum(one["expected"] + sum(one[reason] for reason in WRONG_COUNTERS) for one in classes)
        assert port["received"] == counted + strays + errors
        assert sum(one["late"] for one in classes) > 0
        assert sum(one["after_wait"] for one in classes) > 0
        assert sum(one["lost"] for one in classes) == answer[name]["sent"] // 37
