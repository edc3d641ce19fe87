"""A device that drops one class of frames: that is said, and not a loss of every other frame (R8219-5.3-3)."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.system.gateway import Gateway, gateway
from xlatperf.engine.trial_answer import TrialAnswer
from xlatperf.meaning.explain import explain
from xlatperf.meaning.refused import REFUSED


@pytest.fixture(scope="module", params=["map-e br", "map-t ce"])
def device(request: pytest.FixtureRequest) -> Iterator[Gateway]:
    with gateway(request.param) as made:
        made.mix(1, 2)
        yield made


@pytest.mark.parametrize("direction", ["forward", "reverse"])
def test_told_by_class(device: Gateway, direction: str) -> None:
    """Classes take turns, so every other frame of a direction is one class of it."""
    device.impair(**{direction: {"drop": {"every": 2}}})
    second = device.engine.show(128, device.bench.traffic.frame_size_of, 2, [direction])[1].class_
    answer = TrialAnswer.model_validate(device.trial(frame_size=128, rate_fps=2000, duration_s=0.1).answer)
    assert explain(answer)[0] == f"{direction} {second}: all 100 frames lost: {REFUSED[second]}."
