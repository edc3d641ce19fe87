"""What a soak calls wrong."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bench.soak.__main__ import Sample, faults

RIGHT = Sample(
    sent=1000, missing=0, wrong=0, valid=True, median_ns=300.0, off_ppm=0.1, resident_mb=121.0, files=13, threads=3
)


def test_nothing_is_wrong_with_equal_trials() -> None:
    assert faults([RIGHT] * 8) == []


def test_the_first_trial_may_need_more() -> None:
    assert faults([replace(RIGHT, resident_mb=100.0, files=10), *[RIGHT] * 8]) == []


@pytest.mark.parametrize(
    ("one", "said"),
    [
        (replace(RIGHT, missing=2), "2 frames are missing"),
        (replace(RIGHT, wrong=1), "1 frames are wrong"),
        (replace(RIGHT, files=14), "1 more files and 0 more threads"),
        (replace(RIGHT, threads=4), "0 more files and 1 more threads"),
    ],
)
def test_one_trial_tells(one: Sample, said: str) -> None:
    assert faults([*[RIGHT] * 8, one]) == [said]


def test_a_leak_grows_with_each_trial() -> None:
    leaking = [replace(RIGHT, resident_mb=121.0 + 0.02 * number) for number in range(100)]
    assert faults(leaking) == ["memory has grown by 2.0 MB in 98 steps"]


def test_a_step_is_what_one_held_up_thread_leaves() -> None:
    stepped = [RIGHT] * 8 + [replace(RIGHT, resident_mb=123.5)] * 8
    assert faults(stepped) == []
    assert faults([RIGHT] * 8 + [replace(RIGHT, resident_mb=141.0)] * 8) == ["memory has grown by 20.0 MB in 1 steps"]


def test_drift_of_the_delay() -> None:
    drifting = [replace(RIGHT, median_ns=300.0 + 2 * number) for number in range(100)]
    assert faults(drifting) == ["the median delay went from 325 ns to 475 ns"]
