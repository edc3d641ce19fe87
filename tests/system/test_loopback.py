"""The engine alone: what leaves on one port in memory arrives on the other."""

from __future__ import annotations

import pytest

from tests.long import by_length, more
from tests.system.trials import RELAXED, clean, counters, quiet_port
from xlatperf.config.load import parse_bench
from xlatperf.config.request import configure_message, open_message
from xlatperf.engine.client import Engine

FRAMES = by_length(5_000_000, 200_000_000)
"""More than the 2^22 numbers that a receiver remembers at these rates."""
RATES_FPS = (2_000_000, 1_000_000, 500_000, 250_000)


@more
@pytest.mark.timeout(by_length(240, 3600))
def test_millions_of_frames_in_each_direction() -> None:
    """Of 84 bytes, in both directions at once, on one core, all verified, none lost.

    The rate is whatever the machine does: the first at which the trial is valid. R2544-26.1 counts frames.
    """
    bench = parse_bench('technology.name = "siit"\ntester.hugepages = "auto"' + RELAXED, "loopback")
    answer = {}
    with Engine(margin_s=60) as engine:
        engine.configure(configure_message(bench, (1, 1), loopback=True))
        opened = engine.open({**open_message(bench, "net_ring0", "net_ring1"), "cores": [1]})
        assert opened.cores == (1,)
        for number, rate in enumerate(RATES_FPS, 1):
            answer = engine.trial(
                {
                    "request": "trial",
                    "number": number,
                    "frame_size": 84,
                    "frame_size_of": "ipv6",
                    "rate_fps": rate,
                    "duration_s": FRAMES / rate,
                    "timeout_s": 0.5,
                    "schedule": bench.tester.schedule.model_dump(mode="json"),
                }
            ).dump()
            if answer["valid"]:
                break
    assert answer["valid"], answer["reasons"]
    for name, side in (("forward", "right"), ("reverse", "left")):
        direction = answer[name]
        assert (direction["intended"], direction["sent"]) == (FRAMES, FRAMES)
        assert counters(direction["foreground"]) == clean(FRAMES)
        assert direction["foreground"]["delay"]["count"] == FRAMES
        assert (direction["lost_ranges"], direction["last_lost"]) == ([], None)
        quiet_port(answer[side], received=FRAMES)
