"""Two senders and two receivers in each direction: the kernel spreads what the DUT forwards over the receivers."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.system.requirements import needs_root
from tests.system.trials import RELAXED, valid_trial
from xlatperf.config.load import parse_bench
from xlatperf.config.request import configure_message
from xlatperf.run.session import session

BENCH = """
technology = { name = "native", family = "ipv6" }
device.driver = "linux"
tester.cores = [0, 1]
tester.queues = 2
traffic.mix = [[1, 1], [1, 2]]
"""
FRAMES = 4000


@needs_root
@pytest.mark.parametrize("mix", [(1, 1), (1, 2)])
def test_every_frame_is_verified_wherever_it_arrives(tmp_path: Path, mix: tuple[int, int]) -> None:
    """R4814-4.5: pseudorandom ports, by which the kernel spreads. IPDV of neighbours that arrive at two receivers."""
    bench = parse_bench(BENCH + RELAXED, "b.toml")
    with session(bench) as running:
        running.engine.configure(configure_message(bench, mix))
        answer = valid_trial(
            running.engine, bench, frame_size=128, rate_fps=10_000, duration_s=FRAMES / 10_000, delay_variation=True,
            histograms=True, tags={"count": 500, "from_s": 0}, raw_delays=str(tmp_path / "delays"),
        )  # fmt: skip
    for direction, side in (("forward", "right"), ("reverse", "left")):
        one = answer[direction]
        of = FRAMES // mix[1]
        for name in ("foreground", "background")[: mix[1]]:
            counts = one[name]
            assert (counts["sent"], counts["expected"], counts["lost"], counts["delay"]["count"]) == (of, of, 0, of)
            assert counts["delay_variation"]["pairs"] == of - 1
            assert counts["tagged"]["received"] == counts["tagged"]["sent"]
            pairs = (tmp_path / f"delays-{direction}-{name}.bin").stat().st_size // 16
            assert pairs == of
        if mix[1] > 1:
            assert one["together"]["delay_variation"]["pairs"] == FRAMES - 1
        assert one["lost_ranges"] == []
        by_queue = answer[side]["received_by_queue"]
        assert sum(by_queue) == answer[side]["received"]
        assert min(by_queue) > FRAMES / 10, "frames of many flows, at both receivers"
