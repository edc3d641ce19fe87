"""Latency and delay variation of DUTs with known delays (R8219-7.2-4, R8219-7.3.1-2, R5481-4.1)."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.procedures.at_rate import IPDV, LATENCY, PDV, run
from tests.simulated_frames import MS, FramesMeasure
from xlatperf.engine.message import DirectionName, TrafficClass
from xlatperf.procedures import ipdv as ipdv_module
from xlatperf.procedures import latency as latency_module
from xlatperf.procedures import pdv as pdv_module
from xlatperf.procedures.latency import DEFINITION
from xlatperf.procedures.quantity import Measured, Quantity
from xlatperf.procedures.trial import MeasurementFailed
from xlatperf.procedures.trial_request import TrialRequest

TRIAL = TrialRequest(84, "ipv6", 10_000.0, 2.0)
D1, D2, D3 = 10 * MS, 20 * MS, 50 * MS


def value(
    measured: Measured,
    quantity: Quantity,
    direction: DirectionName | None = "forward",
    of: TrafficClass | None = None,
) -> float | None:
    wanted = (quantity, direction, of)
    (found,) = [one for one in measured.values if (one.quantity, one.direction, one.traffic_class) == wanted]
    return found.value


def bimodal(request: TrialRequest, name: DirectionName, number: int, due_s: float) -> float:
    """98.95 % of the delays are D1, 1 % D2, 0.05 % D3; in reverse all are D1."""
    if name == "reverse":
        return D1
    return D3 if number % 2000 == 1999 else D2 if number % 100 == 50 else D1


def vector(request: TrialRequest, name: DirectionName, number: int, due_s: float) -> float:
    """RFC 5481 Fig. 1: 20, 10, 20, 25, 20 ms."""
    return (20, 10, 20, 25, 20)[number] * MS


def test_the_request_of_the_standard() -> None:
    """R8219-7.2-1, R8219-7.2-2: 120 s at the throughput, at least 500 tags after 60 s."""
    measure = FramesMeasure(bimodal)
    run(LATENCY, TRIAL, measure)
    (request,) = measure.requests
    assert request.tags is not None
    assert (request.tags.count, request.tags.from_s, request.rate_fps, request.histograms) == (
        10_000,
        1.0,
        10_000,
        False,
    )


def test_each_figure_shows_its_part_of_the_distribution() -> None:
    """TL is the median, WCL and D99.9 the 99.9th percentile: 0.05 % of slower frames show in IPDV's extremes only."""
    found = run(LATENCY, TRIAL, FramesMeasure(bimodal))
    assert value(found, latency_module.TL) == D1
    assert value(found, latency_module.WCL) == D2
    assert value(found, latency_module.TAGGED_MAX) == D3
    assert (value(found, latency_module.TL, "reverse"), value(found, latency_module.WCL, "reverse")) == (D1, D1)
    variation = run(PDV, TRIAL, FramesMeasure(bimodal))
    assert value(variation, pdv_module.PDV) == D2 - D1
    assert (value(variation, pdv_module.D999), value(variation, pdv_module.DMIN)) == (D2, D1)
    assert value(variation, pdv_module.PDV, "reverse") == 0
    differences = run(IPDV, TRIAL, FramesMeasure(bimodal))
    assert value(differences, ipdv_module.MAXIMUM) == D3 - D1
    assert value(differences, ipdv_module.MINIMUM) == D1 - D3
    assert value(differences, ipdv_module.MEDIAN) == 0


def test_the_error_of_pdv() -> None:
    """R8219-7.3.1-2: PDV is a difference: of 100 us between delays of 100 ms, 0.1 % of a delay is a good part."""
    found = run(PDV, TRIAL, FramesMeasure(lambda *at: 100 * MS + (at[2] % 2) * 100_000.0))
    assert value(found, pdv_module.PDV) == 100_000
    assert value(found, pdv_module.ERROR) == 65_536
    short = run(PDV, TRIAL, FramesMeasure(lambda *_: 1_000.0))
    assert (value(short, pdv_module.PDV), value(short, pdv_module.ERROR)) == (0, 0)


@given(st.integers(0, 2**42 - 1))
def test_no_value_is_further_from_its_buckets_middle(ns: int) -> None:
    """The engine's buckets: below 1024 ns one for each value, above 512 for each power of two (docs/protocol.md)."""
    width = 1 << max(0, ns.bit_length() - 10)
    reported = ns // width * width + width // 2
    assert abs(reported - ns) <= pdv_module.bucket_error_ns(reported)
    assert pdv_module.bucket_error_ns(reported) <= ns / 1024


def test_vector_of_rfc_5481() -> None:
    """R5481-4.1: IPDV U, -10, 10, 5, -5; PDV 10, 0, 10, 15, 10: D99.9 of five values is the maximum."""
    trial = replace(TRIAL, rate_fps=5.0, duration_s=1.0)
    found = run(IPDV, trial, FramesMeasure(vector))
    assert (value(found, ipdv_module.MINIMUM), value(found, ipdv_module.MAXIMUM)) == (-10 * MS, 10 * MS)
    assert value(found, ipdv_module.MEDIAN) == 0
    assert value(found, ipdv_module.MEAN) == 0
    assert value(found, ipdv_module.PAIRS) == 4
    assert value(run(PDV, trial, FramesMeasure(vector)), pdv_module.PDV) == 15 * MS


def test_ipdv_depends_on_the_order_pdv_does_not() -> None:
    trial = replace(TRIAL, rate_fps=5.0, duration_s=1.0)

    def ordered(_: TrialRequest, __: DirectionName, number: int, ___: float) -> float:
        return (10, 20, 20, 20, 25)[number] * MS

    assert value(run(IPDV, trial, FramesMeasure(ordered)), ipdv_module.MINIMUM) == 0
    assert value(run(PDV, trial, FramesMeasure(ordered)), pdv_module.PDV) == 15 * MS


def test_a_lost_frame_has_no_delay() -> None:
    """R8219-7.2-3: what is lost is counted beside, and never becomes a delay; its pairs have no IPDV."""

    def lossy(request: TrialRequest, name: DirectionName, number: int, due_s: float) -> float | None:
        return None if number % 4 == 3 else D1

    found = run(LATENCY, TRIAL, FramesMeasure(lossy))
    assert value(found, latency_module.WCL) == D1
    assert value(found, latency_module.TAGS_SENT) == 10_000
    assert value(found, latency_module.TAGS_RECEIVED) == 7_500
    assert value(found, latency_module.TAGS_LOST) == 2_500
    assert value(found, latency_module.FRAMES_LOST) == 5_000
    assert value(run(IPDV, TRIAL, FramesMeasure(lossy)), ipdv_module.PAIRS) == 10_000
    assert value(run(PDV, TRIAL, FramesMeasure(lossy)), pdv_module.DELAYS) == 15_000


def test_nothing_comes_back() -> None:
    nothing = FramesMeasure(lambda *_: None)
    found = run(LATENCY, TRIAL, nothing)
    assert value(found, latency_module.TL) is None
    assert value(found, latency_module.TAGS_LOST) == 10_000
    assert "no tagged frame came back" in {one.remark for one in found.values}
    assert value(run(PDV, TRIAL, nothing), pdv_module.PDV) is None
    assert value(run(IPDV, TRIAL, nothing), ipdv_module.MAXIMUM) is None


@pytest.mark.parametrize(("tags", "is_maximum"), [(500, True), (999, True), (1000, False), (5000, False)])
def test_few_tags_make_the_percentile_the_maximum(tags: int, is_maximum: bool) -> None:
    """R8219-7.2-4: the rank of P99.9 is N up to N = 999; that is said."""
    found = run(LATENCY.model_copy(update={"tags": tags}), TRIAL, FramesMeasure(bimodal))
    assert bool(found.remarks) == is_maximum
    if is_maximum:
        assert f"{tags} tags received" in found.remarks[0]
        assert value(found, latency_module.WCL) == value(found, latency_module.TAGGED_MAX)


def test_invalid_trials_are_repeated_and_then_fail() -> None:
    measure = FramesMeasure(bimodal)
    measure.reasons = [("schedule",), ()]
    assert run(LATENCY, TRIAL, measure).trials == (0, 1)
    measure.reasons = [("sent_less",)] * 3
    with pytest.raises(MeasurementFailed, match="the Tester could not do 10000 fps: sent_less"):
        run(PDV, TRIAL, measure)
    measure.reasons = [("clock",)] * 3
    with pytest.raises(MeasurementFailed, match="clock"):
        run(IPDV, TRIAL, measure)


def test_the_definition_is_named() -> None:
    """By which delays are told."""
    assert "RFC 1242 §3.8" in DEFINITION
    assert "store and forward" in DEFINITION
