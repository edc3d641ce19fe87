"""Delays with native IPv6 in the background: of both classes, each and together (RFC 8219 §7.3).

The device holds the frames of one class up. What the Tester says is compared with each frame's delay, which it writes
to files that are read here.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from tests.system.gateway import Gateway, gateway
from xlatperf.results.statistics import median, percentile
from xlatperf.run.raw_delays import PAIR

RATE_FPS, DURATION_S = 10_000, 0.2
SENT = 2_000
HELD_NS = 20_000_000
BUCKET = 1 / 1024


@pytest.fixture(scope="module", params=["siit, IPv6 left", "native IPv4"])
def device(request: pytest.FixtureRequest) -> Iterator[Gateway]:
    with gateway(request.param) as made:
        made.mix(1, 2)
        yield made


def delays_of(files: list[str], direction: str) -> dict[str, npt.NDArray[np.void]]:
    """Number and delay of each frame, in the order of sending."""
    found = {}
    for of in ("foreground", "background"):
        (name,) = [one for one in files if one.endswith(f"-{direction}-{of}.bin")]
        found[of] = np.sort(np.fromfile(name, dtype=PAIR), order="number")
    return found


def agree(said: dict[str, Any], pairs: npt.NDArray[np.void], neighbours: int) -> None:
    """What the Tester says of frames whose delays are these; the next of a class is so many numbers further on."""
    delays = [int(delay) for delay in pairs["delay_ns"]]
    assert said["delay"]["count"] == len(delays)
    assert (said["delay"]["min_ns"], said["delay"]["max_ns"]) == (min(delays), max(delays))
    for name, percent in (("p1_ns", 1), ("p99_ns", 99), ("p999_ns", 99.9)):
        assert said["delay"][name] == pytest.approx(percentile(delays, percent), rel=BUCKET)
    assert said["delay"]["median_ns"] == pytest.approx(median(delays), rel=BUCKET)
    tagged = said["tagged"]
    assert (tagged["sent"], tagged["received"]) == (500, 500)
    assert min(delays) <= tagged["min_ns"] <= tagged["median_ns"] <= tagged["max_ns"] <= max(delays)
    numbers = pairs["number"].astype(np.int64)
    assert (np.diff(numbers) == neighbours).all()
    variations = np.diff(pairs["delay_ns"].astype(np.int64))
    found = said["delay_variation"]
    assert found["pairs"] == len(variations)
    assert (found["min_ns"], found["max_ns"]) == (variations.min(), variations.max())
    assert found["mean_ns"] == pytest.approx(variations.mean(), abs=0.001)
    assert found["median_ns"] == pytest.approx(median([float(one) for one in variations]), rel=BUCKET, abs=1)


def test_of_each_and_of_all(device: Gateway, tmp_path: Path) -> None:
    """R8219-7.2-3, R8219-7.2-4, R8219-7.3.1-1, R8219-7.3.2-1, R5481-4.1: of all frames, and of each class by itself."""
    device.impair(forward={"delays": [{"delay_us": HELD_NS // 1000, "every": 2}]})
    held = device.engine.show(128, device.bench.traffic.frame_size_of, 2, ["forward"])[1].class_
    other = "background" if held == "foreground" else "foreground"
    answer = device.trial(
        frame_size=128,
        rate_fps=RATE_FPS,
        duration_s=DURATION_S,
        tags={"count": 500, "from_s": 0},
        delay_variation=True,
        due_delays=True,
        raw_delays=str(tmp_path / "raw"),
    ).answer
    for name in ("forward", "reverse"):
        seen, pairs = answer[name], delays_of(answer["raw_delays"], name)
        assert seen["together"]["delay_from_due"]["count"] == SENT
        for of in ("foreground", "background"):
            agree(seen[of], pairs[of], 2)
        agree(seen["together"], np.sort(np.concatenate(list(pairs.values())), order="number"), 1)
    forward = answer["forward"]
    assert forward[held]["delay"]["min_ns"] >= HELD_NS
    assert forward["together"]["delay"]["min_ns"] == forward[other]["delay"]["min_ns"] < HELD_NS
    at_least = forward[held]["delay"]["min_ns"] - forward[other]["delay"]["max_ns"]
    assert forward["together"]["delay_variation"]["max_ns"] >= at_least
    assert forward["together"]["delay_variation"]["min_ns"] <= -at_least
