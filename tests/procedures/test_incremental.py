"""Flows that begin one after the other: how many frames that are (R8219-10.2.2)."""

from __future__ import annotations

from math import ceil

from hypothesis import given
from hypothesis import strategies as st

from xlatperf.procedures.incremental import Incremental
from xlatperf.procedures.trial_request import TrialRequest, request_of


def test_half_the_rate_until_all_have_begun() -> None:
    """R8219-10.2.2: 1, 2, ... n - 1 flows, each for t."""
    assert Incremental(4, 10).begun_s == 30
    assert Incremental(4, 10).frames_before(4) == 10 * (1 + 2 + 3)
    assert Incremental(1, 10).frames_before(4) == 0


@given(st.integers(1, 65536), st.floats(1e-6, 1), st.floats(0.001, 1e9))
def test_close_to_the_sum(flows: int, interval_s: float, rate_fps: float) -> None:
    """Of what each has by itself."""
    exact = rate_fps * interval_s * (flows - 1) / 2
    assert abs(Incremental(flows, interval_s).frames_before(rate_fps) - ceil(exact)) <= 1 + exact * 1e-9


def test_it_is_kept_in_the_journal() -> None:
    """And absent where all begin at once, as it always was."""
    plain = TrialRequest(84, "ipv6", 1000.0, 1.0)
    apart = TrialRequest(84, "ipv6", 1000.0, 1.0, incremental=Incremental(16, 0.5))
    assert "incremental" not in plain.record()
    assert request_of(apart.record()) == apart
    assert apart.fingerprint() != plain.fingerprint()
