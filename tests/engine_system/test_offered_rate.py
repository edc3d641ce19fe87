"""What counts is the rate that was offered: a trial that offers less than asked for is refused, however short it is."""

from __future__ import annotations

import pytest

from tests.engine_system.engine_process import Message, engine
from tests.engine_system.messages import PATIENT, configuration, open_loopback, trial

BURST, OVERRUN, LONGEST_CALL_S = 32, 0.001, 200e-6
MORE_THAN_ANY_CORE_FPS = 100e6


def taken(rate_fps: float, frames: int, **schedule: float) -> Message:
    """A loopback trial in which no frame is late, however late it is."""
    with engine() as one:
        open_loopback(one)
        one.do("configure", **configuration(loopback=True))
        asked = trial(rate_fps=rate_fps, duration_s=frames / rate_fps, schedule={**PATIENT, **schedule})
        return one.do("trial", **asked)


@pytest.mark.parametrize(
    ("rate_fps", "frames"), [(8e6, 8000), (8e6, 16000), (4e6, 4000), (1e5, 400), (MORE_THAN_ANY_CORE_FPS, 100_000)]
)
def test_a_valid_trial_offered_what_was_asked_for(rate_fps: float, frames: int) -> None:
    """R1242-3.4: constant load. 8,000 frames at 8,000,000/s were valid when half that rate had been offered."""
    answer = taken(rate_fps, frames, overrun=OVERRUN)
    asked_s = frames / rate_fps
    longest_s = asked_s + max(OVERRUN * asked_s, min(BURST / rate_fps, LONGEST_CALL_S))
    if answer["valid"]:
        assert rate_fps < MORE_THAN_ANY_CORE_FPS
        for name in ("forward", "reverse"):
            assert answer[name]["offered_fps"] >= 0.999999 * frames / longest_s
    else:
        assert {reason["code"] for reason in answer["reasons"]} == {"sent_less"}


def test_where_it_may_take_longer_the_offered_rate_says_so() -> None:
    """The time until the port had the last frame, whose own interval belongs to it."""
    answer = taken(MORE_THAN_ANY_CORE_FPS, 100_000, overrun=1000)
    for name in ("forward", "reverse"):
        one = answer[name]
        assert one["offered_fps"] == pytest.approx(one["sent"] / one["sending_s"], rel=1e-5)
        assert one["offered_fps"] < 0.999 * MORE_THAN_ANY_CORE_FPS
