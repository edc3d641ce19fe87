"""Whether a campaign found what it was asked for (R2544-26.3, R6201-4): exit code 0, or 1."""

from __future__ import annotations

from tests.report import changed, frames_campaign, times_campaign
from xlatperf.procedures.quantity import NoResult
from xlatperf.results.file import failed
from xlatperf.results.results import Measurement


def of(measurement: Measurement) -> bool:
    return failed(frames_campaign.results(measurements=(measurement,), complete=True))


def test_frame_loss_without_a_valid_point() -> None:
    sweep = frames_campaign.measured("frame_loss")
    assert not of(sweep)
    assert of(changed.losses(None))


def test_delays_of_frames_that_all_came_too_late() -> None:
    """R8219-7.2-4: without a tagged frame there is no TL: the latency wasn't measured."""
    latency = times_campaign.measured("latency")
    assert not of(latency)
    nothing = tuple(
        series.model_copy(
            update={
                "summary": None,
                "values": tuple(one.model_copy(update={"value": None, "remark": "none came"}) for one in series.values),
            }
        )
        for series in latency.values
    )
    assert of(latency.model_copy(update={"values": nothing}))
    only_one = (nothing[0], *latency.values[1:])
    assert not of(latency.model_copy(update={"values": only_one}))


def test_a_reset_without_a_result() -> None:
    assert not of(times_campaign.measured("reset"))
    assert of(
        times_campaign.measured("reset", values=(), no_result=NoResult("no result", "the DUT did not forward again"))
    )


def test_a_burst_that_the_standard_does_not_ask_for() -> None:
    """R9004-6.1: without a loss at the maximum rate there is nothing to measure, and nothing failed."""
    assert not of(times_campaign.not_applicable())
