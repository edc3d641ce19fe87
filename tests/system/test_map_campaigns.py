"""Campaigns through the reference device as a MAP or Lw4o6 device: all roles, with native IPv6 in any proportion."""

from __future__ import annotations

import csv
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.system.campaigns import campaign
from tests.system.command import xlatperf
from tests.system.gateway import OF_SUBSCRIBERS
from tests.system.shortened import shortened
from tests.system.trials import RELAXED
from tests.values import rate_of, values_of

CAPACITY_FPS = 6000
LEAST_FPS, MOST_FPS = 0.7 * CAPACITY_FPS, 1.2 * CAPACITY_FPS
SLOW_FPS, FAST_FPS = 2000, 12000
MOST_PERCENT = 60
"""Lost at FAST_FPS: 41 to 42 are the device's limit; more, and this machine held it up."""
BUFFER_FRAMES = 200
DELAY_NS = 3_000_000
SHORT = "frame_sizes = [128]\nduration_s = 0.2\ntimeout_s = 0.1\nsettle_s = 0.01\nlearning_wait_s = 0.01\n"
BENCH = f"""
[device]
driver = "reference"
[device.impair]
forward = {{ capacity = {{ rate_fps = {CAPACITY_FPS}, buffer = {BUFFER_FRAMES} }}, delay_us = {DELAY_NS // 1000} }}
[traffic]
mix = MIXES
[[measure]]
procedure = "throughput"
minimum_fps = {SLOW_FPS}
maximum_fps = {FAST_FPS}
stop_width_percent = 20
repetitions = 1
{SHORT}
[[measure]]
procedure = "frame_loss"
direction = "forward"
rates_fps = [{FAST_FPS}, {SLOW_FPS}]
repetitions = 1
{SHORT}
[[measure]]
procedure = "latency"
rate_fps = {SLOW_FPS}
tester_alone_s = 0
repetitions = 1
{SHORT}
[[measure]]
procedure = "pdv"
rate_fps = {SLOW_FPS}
tester_alone_s = 0
repetitions = 1
{SHORT}
{RELAXED}
"""
SHARES = {(1, 1): 0, (9, 10): 10, (5, 10): 50, (1, 10): 90}
"""Background in percent, by mix (RFC 8219 §5.3)."""
SHARES_OF: dict[str, dict[tuple[int, int], int]] = {"map-e br": SHARES, "lw4o6 lwb4": {(9, 10): 10}}
"""Procedures don't ask for the role, nor do mixes: all mixes through one device, and a CE with its table. The others'
frames, mixes and faults: test_map.py; a bench file of each: test_examples.py."""


def unmeasured(results: dict[str, Any]) -> list[float]:
    """For each quantity that no frame came back for a 0."""
    series = [of for one in results["measurements"] for of in one["values"]]
    return [0.0 for of in series for one in of["values"] if one["value"] is None]


def too_slow(found: Mapping[Any, float]) -> list[float]:
    """Those below the device's capacity."""
    return [rate for rate in found.values() if rate < LEAST_FPS]


def rates(results: dict[str, Any]) -> dict[tuple[int, int], float]:
    """Throughput in fps by mix."""
    return {
        (one["mix"]["take"], one["mix"]["of"]): rate_of(one)
        for one in results["measurements"]
        if one["procedure"] == "throughput"
    }


def losses(results: dict[str, Any], at: float) -> dict[tuple[int, int], float]:
    """The forward direction's loss in percent by mix, at a rate in fps."""
    return {
        (one["mix"]["take"], one["mix"]["of"]): values_of(one, "frame loss rate", "forward", at)[0]
        for one in results["measurements"]
        if one["procedure"] == "frame_loss"
    }


def values(results: dict[str, Any], procedure: str, quantity: str) -> dict[tuple[int, int], list[float]]:
    """By mix: the forward direction's."""
    return {
        (one["mix"]["take"], one["mix"]["of"]): values_of(one, quantity, "forward")
        for one in results["measurements"]
        if one["procedure"] == procedure
    }


@pytest.mark.timeout(300)
@pytest.mark.parametrize("name", SHARES_OF)
def test_all_benchmarks_with_background(tmp_path: Path, name: str) -> None:
    """R8219-5.3-3, R8219-7.1, R8219-7.2-1, R8219-7.3.1-1, R8219-7.4: found is what the device was told to do."""
    shares = SHARES_OF[name]
    mixes = json.dumps([list(mix) for mix in shares])
    results = campaign(
        tmp_path,
        f"[technology]\n{OF_SUBSCRIBERS[name]}\n{BENCH.replace('MIXES', mixes)}",
        worse=lambda found: (
            too_slow(rates(found))
            + unmeasured(found)
            + [lost for lost in losses(found, at=SLOW_FPS).values() if lost]
            + [lost for lost in losses(found, at=FAST_FPS).values() if lost >= MOST_PERCENT]
        ),
    ).results
    assert not [one for one in results["findings"] if one["kind"] == "icmp"], results["findings"]
    by_mix: dict[tuple[int, int], dict[str, int]] = {}
    for trial in results["trials"]:
        take, of_all = trial["run"].split("/")[1].removeprefix("mix=").split("of")
        mix = int(take), int(of_all)
        counts = by_mix.setdefault(mix, {"foreground": 0, "background": 0})
        for way in ("forward", "reverse"):
            direction = trial[way] or {}
            for of in counts:
                frames = direction.get(of) or {"sent": 0, "expected": 0, "lost": 0}
                counts[of] += frames["sent"]
                assert frames["expected"] + frames["lost"] == frames["sent"]
    assert {mix: round(100 * counts["background"] / sum(counts.values())) for mix, counts in by_mix.items()} == shares
    throughput = rates(results)
    assert throughput.keys() == shares.keys()
    assert max(throughput.values()) <= MOST_FPS, throughput
    loss = losses(results, at=FAST_FPS)
    assert loss.keys() == losses(results, at=SLOW_FPS).keys() == shares.keys()
    assert all(30 < percent < MOST_PERCENT for percent in loss.values()), loss
    latency, variation = values(results, "latency", "TL"), values(results, "pdv", "PDV")
    assert latency.keys() == variation.keys() == shares.keys()
    for found in latency.values():
        assert len(found) == 1
        assert found[0] >= DELAY_NS
    assert all(len(found) == 1 and found[0] >= 0 for found in variation.values())


def by_count(results: dict[str, Any]) -> dict[tuple[str, int], float]:
    """Throughput in fps by direction and number of CEs."""
    return {(one["direction"], one["subscribers"]): rate_of(one) for one in results["measurements"]}


@pytest.mark.timeout(300)
def test_over_the_number_of_subscribers(tmp_path: Path) -> None:
    """R8219-10.2.1: one CE and sixteen million, one way and both ways, in one table; the device does not care."""
    text = shortened(
        "reference-map-e-scalability",
        repetitions="1",
        subscribers="[1, 16000000]",
        maximum_fps="15000",
        capacity=f"{{ rate_fps = {CAPACITY_FPS}, buffer = {BUFFER_FRAMES} }}",
    )
    made = campaign(tmp_path, text, worse=lambda ended: too_slow(by_count(ended)))
    found = by_count(made.results)
    assert len(found) == 6
    assert max(found.values()) <= MOST_FPS, found
    with (made.folder / "scalability.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file))
    assert rows[1] == ["num. subscribers", "", "1", "16000000"]
    medians = [[float(value) for value in row[2:]] for row in rows if row[0] == "throughput median"]
    both = [2 * found["bidirectional", count] for count in (1, 16_000_000)]
    one_way = [[found[way, count] for count in (1, 16_000_000)] for way in ("forward", "reverse")]
    assert medians == [*one_way, both]


def test_frames_up_to_a_larger_mtu(tmp_path: Path) -> None:
    """R8219-5.1-3: what the links take goes through the tunnel, whole."""
    text = f'[device]\ndriver = "reference"\nmtu = 2000\n[technology]\nname = "map-e"\n{RELAXED}'
    text += '[[measure]]\nprocedure = "throughput"\nframe_sizes = [2018]\n'
    (tmp_path / "bench.toml").write_text(text, encoding="utf-8")
    ended = xlatperf("check", "bench.toml", "--duration", "0.1", "--timeout", "1", folder=tmp_path)
    assert ended.code == 0, ended.output
    assert "2018" in ended.output
    assert "ll frames came back as they must" in ended.output
