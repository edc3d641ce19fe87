"""Tagged frames see what is periodic in a device as often as all frames do."""

from __future__ import annotations

from tests.system.gateway import gateway

RATE_FPS, DELAY_US, SLOW_US = 2000, 500, 20_000


def test_do_not_beat_with_the_device() -> None:
    """R8219-7.2-4: every fourth frame takes 20 ms: the median is that of the others, in each repetition."""
    with gateway("native IPv4") as device:
        device.impair(forward={"delay_us": DELAY_US, "delays": [{"every": 4, "delay_us": SLOW_US}]})
        for _ in range(3):
            seen = device.trial(
                frame_size=84,
                rate_fps=RATE_FPS,
                duration_s=0.5,
                directions=["forward"],
                tags={"count": 250, "from_s": 0},  # each fourth: at a fixed distance all would be slow, or none
            )
            tagged = seen.answer["forward"]["foreground"]["tagged"]
            assert tagged["received"] == 250
            assert DELAY_US * 1e3 <= tagged["median_ns"] < SLOW_US * 1e3
            assert tagged["max_ns"] >= SLOW_US * 1e3
