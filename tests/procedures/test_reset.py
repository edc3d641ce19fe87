"""Reset of DUTs with known reset time (R6201-1.3, R6201-4)."""

from __future__ import annotations

from typing import Any

import pytest

from tests.simulated_frames import MS, FramesMeasure
from xlatperf.engine.message import DirectionName
from xlatperf.procedures.conditions import Conditions
from xlatperf.procedures.latency import FRAMES_LOST
from xlatperf.procedures.quantity import Measured, Quantity
from xlatperf.procedures.reset import BY_LOSS, BY_TIME_STAMPS, RESTART, Reset
from xlatperf.procedures.trial import MeasurementFailed
from xlatperf.procedures.trial_request import TrialRequest

WANTED = Reset(procedure="reset", event_at_s=2)
CONDITIONS = Conditions(TrialRequest(84, "ipv6", 1000.0, 5.0), 1000.0, rate_fps=1000.0)


def outage(start_s: float, forward_s: float, reverse_s: float) -> FramesMeasure:
    """Nothing is forwarded for so long."""

    def fate(request: TrialRequest, name: DirectionName, number: int, due_s: float) -> float | None:
        down_s = forward_s if name == "forward" else reverse_s
        return None if start_s - 1e-9 <= due_s < start_s + down_s - 1e-9 else MS

    return FramesMeasure(fate)


def value(measured: Measured, quantity: Quantity, direction: DirectionName | None = "forward") -> float | None:
    (found,) = [one for one in measured.values if one.quantity is quantity and one.direction == direction]
    return found.value


def test_both_methods() -> None:
    """R6201-1.3: lost / offered rate; first frame after - last frame before (one interval more)."""
    measure = outage(2.1, 0.75, 0.5)
    found = WANTED.run(CONDITIONS, measure)
    assert value(found, BY_LOSS) == pytest.approx(0.75)
    assert value(found, BY_TIME_STAMPS) == pytest.approx(0.751)
    assert value(found, BY_LOSS, "reverse") == pytest.approx(0.5)
    assert value(found, FRAMES_LOST, "reverse") == 500
    assert value(found, RESTART, None) == pytest.approx(0.25)
    assert (measure.requests[0].event, measure.requests[0].event_at_s) == ("restart", 2.0)
    assert found.no_result is None


def test_a_dut_that_does_not_come_back() -> None:
    found = WANTED.run(CONDITIONS, outage(2.1, 60.0, 60.0))
    assert value(found, BY_LOSS) is None
    assert found.no_result is not None
    assert "did not forward again within 3 s" in found.no_result.in_words()


def test_one_direction_does_not_come_back() -> None:
    found = WANTED.run(CONDITIONS, outage(2.1, 60.0, 0.5))
    assert value(found, BY_LOSS) is None
    assert value(found, BY_LOSS, "reverse") == pytest.approx(0.5)
    assert found.no_result is None


def test_no_loss_is_said() -> None:
    found = WANTED.run(CONDITIONS, outage(0.0, 0.0, 0.0))
    assert value(found, BY_LOSS) == 0
    assert any("did not take place" in (one.remark or "") for one in found.values)


def test_a_gap_before_the_restart_is_said() -> None:
    """It isn't a value, whoever resets."""
    for event in ("restart", "manual"):
        measure = outage(0.5, 0.2, 0.2)
        measure.changes = {"event": {"kind": event, "started_s": 2.0, "ended_s": 2.0, "error": None}}
        found = WANTED.run(CONDITIONS, measure)
        assert value(found, BY_LOSS) is None
        assert value(found, BY_TIME_STAMPS) is None
        assert found.no_result is not None
        assert "before the reset" in found.no_result.in_words()


def test_frames_that_wait_in_the_tester_are_no_gap_before_the_restart() -> None:
    """A DUT that takes none out of memory while it is down: those behind the gap have numbers of before it."""

    def fate(request: TrialRequest, name: DirectionName, number: int, due_s: float) -> float | None:
        return None if 1.97 < due_s < 1.98 else (2.6 - due_s) * 1e9 if 1.97 < due_s < 2.6 else MS

    measure = FramesMeasure(fate)
    measure.changes = {"event": {"kind": "restart", "started_s": 2.0, "ended_s": 2.3, "error": None}}
    found = WANTED.run(CONDITIONS, measure)
    assert found.no_result is None
    assert value(found, BY_TIME_STAMPS) == pytest.approx(0.63, abs=0.01)


@pytest.mark.parametrize(
    ("given", "words"), [(False, "instead of 02:00:00:00:00:01"), (True, "gateway_mac of the bench")]
)
def test_another_mac_address_is_said(given: bool, words: str) -> None:
    measure = outage(2.1, 0.75, 0.75)
    moved = {
        "side": "left",
        "family": "ipv6",
        "gateway": "2001:2:0:7fff::1",
        "sent_to": "02:00:00:00:00:01",
        "answers_from": "02:00:00:00:00:02",
        "given": given,
    }
    measure.changes = {"moved_gateways": [moved]}
    (remark,) = WANTED.run(CONDITIONS, measure).remarks
    assert remark.startswith("left: 2001:2:0:7fff::1 came back with the MAC address 02:00:00:00:00:02")
    assert words in remark


def test_the_interruption_of_power_is_subtracted() -> None:
    """R6201-4.3.1: it isn't the DUT's."""
    wanted = WANTED.model_copy(update={"event": "manual", "reset_of": "power", "power_off_s": 0.5})
    measure = outage(2.1, 0.75, 0.75)
    measure.changes = {"event": {"kind": "manual", "started_s": 2.0, "ended_s": 2.0, "error": None}}
    found = wanted.run(CONDITIONS, measure)
    assert value(found, BY_LOSS) == pytest.approx(0.25)
    assert value(found, BY_TIME_STAMPS) == pytest.approx(0.251)
    found = wanted.model_copy(update={"power_off_s": 0.8}).run(CONDITIONS, measure)
    assert value(found, BY_LOSS) is None
    assert found.no_result is not None
    assert (
        found.no_result.text == "the DUT stood still for 0.751 s, less than the 0.8 s for which its power must be off"
    )


def test_a_shorter_interruption_of_power_is_a_deviation() -> None:
    """R6201-4.3.1: at least 15 s."""
    keys = {"event": "manual", "reset_of": "power"}
    for power_off_s, told in ((14, ["reset: 14 s"]), (15, [])):
        wanted = WANTED.model_copy(update={**keys, "power_off_s": power_off_s})
        assert [one.here for one in wanted.deviations() if one.section == "RFC 6201 §4.3.1"] == told


def test_frames_held_back_are_said() -> None:
    """A queue before the process that is restarted: most frames come late instead of never."""

    def fate(request: TrialRequest, name: DirectionName, number: int, due_s: float) -> float | None:
        if not 2.1 <= due_s < 2.6:
            return MS
        return None if due_s < 2.15 else (2.6 - due_s) * 1e9 + MS

    found = WANTED.run(CONDITIONS, FramesMeasure(fate))
    assert value(found, BY_LOSS) == pytest.approx(0.05, abs=0.002)
    assert value(found, BY_TIME_STAMPS) == pytest.approx(0.5, abs=0.002)
    assert any("held back" in (one.remark or "") for one in found.values)


def test_a_failed_restart_fails_the_measurement() -> None:
    measure = outage(2.1, 0.1, 0.1)
    event: dict[str, Any] = {"kind": "restart", "started_s": 2.0, "ended_s": 2.0, "error": "no such process"}
    measure.changes = {"event": event}
    with pytest.raises(MeasurementFailed, match="could not be restarted: no such process"):
        WANTED.run(CONDITIONS, measure)


def test_links_may_go_down_with_the_dut() -> None:
    """R6201-1.3: then frames are not sent, and only the time stamp method is right."""
    measure = outage(2.1, 0.75, 0.5)
    measure.reasons = [("link_down", "sent_less")]
    found = WANTED.run(CONDITIONS, measure)
    assert value(found, BY_LOSS) is None
    assert value(found, BY_TIME_STAMPS) == pytest.approx(0.751)
    assert "time stamp method" in found.remarks[0]
    measure.reasons = [("schedule",)] * 3
    with pytest.raises(MeasurementFailed, match="no valid trial in 3 attempts: schedule"):
        WANTED.run(CONDITIONS, measure)
