"""A pause is as long as asked for, and a signal is seen within a step of it."""

from __future__ import annotations

import time

import pytest

from xlatperf.run.pause import STEP_S, pause


def test_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    """No single call lasts longer than a step, and together they last as long as asked for."""
    now, slept = 0.0, list[float]()

    def sleep(seconds: float) -> None:
        nonlocal now
        now += seconds
        slept.append(seconds)

    monkeypatch.setattr(time, "monotonic", lambda: now)
    monkeypatch.setattr(time, "sleep", sleep)
    pause(30.2)
    assert max(slept) == STEP_S
    assert now == pytest.approx(30.2)
    assert len(slept) == 61


def test_nothing_to_wait_for() -> None:
    pause(0.0)
    pause(-1.0)
