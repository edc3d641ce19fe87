"""With background: delays of all frames, and of each class (R8219-5.3-3, R8219-7.2-4, R8219-7.3.1-1, R8219-7.3.2-1)."""

from __future__ import annotations

import pytest

from tests.procedures.at_rate import IPDV, LATENCY, PDV, run
from tests.procedures.test_delays import D1, D2, TRIAL, value
from tests.simulated_frames import FramesMeasure
from xlatperf.engine.message import DirectionName, TrafficClass
from xlatperf.procedures import ipdv as ipdv_module
from xlatperf.procedures import latency as latency_module
from xlatperf.procedures import pdv as pdv_module
from xlatperf.procedures.trial_request import TrialRequest

HALF = (1, 2)  # odd numbers are foreground
CLASSES: tuple[TrafficClass, ...] = ("foreground", "background")


def by_class(request: TrialRequest, name: DirectionName, number: int, due_s: float) -> float | None:
    """Translated frames take D2, native ones D1; of the native ones every fifth is lost."""
    return D2 if number % 2 else None if number % 10 == 0 else D1


def test_latency_of_each_and_of_all() -> None:
    """8 of 18 frames that came back took D1: the median of all is D2, whatever that of the native ones is."""
    found = run(LATENCY.model_copy(update={"tags": 20_000, "tags_from_s": 0.0}), TRIAL, FramesMeasure(by_class, HALF))
    assert value(found, latency_module.TL) == D2
    assert [value(found, latency_module.TL, of=of) for of in CLASSES] == [D2, D1]
    sent = [value(found, latency_module.TAGS_SENT, of=of) for of in (None, *CLASSES)]
    assert sent == [20_000, 10_000, 10_000], "all there are"
    lost = [value(found, latency_module.FRAMES_LOST, of=of) for of in (None, *CLASSES)]
    assert lost == [2_000, 0, 2_000]


def test_pdv_of_each_and_of_all() -> None:
    """Neither class has any: only all frames together show that native frames overtake translated ones."""
    found = run(PDV, TRIAL, FramesMeasure(by_class, HALF))
    assert value(found, pdv_module.PDV) == D2 - D1
    assert [value(found, pdv_module.PDV, of=of) for of in CLASSES] == [0, 0]
    delays = [value(found, pdv_module.DELAYS, of=of) for of in (None, *CLASSES)]
    assert delays == [18_000, 10_000, 8_000]


def test_ipdv_of_neighbours_in_time() -> None:
    """R5481-4.1: the frame before is the one that was sent before, of whichever class."""
    found = run(IPDV, TRIAL, FramesMeasure(by_class, HALF))
    assert (value(found, ipdv_module.MINIMUM), value(found, ipdv_module.MAXIMUM)) == (D1 - D2, D2 - D1)
    for of in CLASSES:
        assert (value(found, ipdv_module.MINIMUM, of=of), value(found, ipdv_module.MAXIMUM, of=of)) == (0, 0)
    pairs = [value(found, ipdv_module.PAIRS, of=of) for of in (None, *CLASSES)]
    assert pairs == [20_000 - 1 - 2 * 2_000 + 1, 10_000 - 1, 10_000 - 1 - 2 * 2_000 + 1], "frame 0 has one neighbour"


@pytest.mark.parametrize("of", CLASSES)
def test_without_background_there_is_only_all(of: TrafficClass) -> None:
    found = run(PDV, TRIAL, FramesMeasure(by_class))
    assert not [one for one in found.values if one.traffic_class == of]
