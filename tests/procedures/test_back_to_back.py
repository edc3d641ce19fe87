"""Back-to-back frames of DUTs with known buffers (RFC 9004; R9004-6.1, R9004-6.2, R9004-6.4)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.simulated_dut import sent_less
from tests.simulated_frames import MS, FramesMeasure, queue
from xlatperf.engine.message import DirectionName
from xlatperf.procedures.back_to_back import BURST, OFFERED, STEP, BackToBack, Bursts, buffer_times
from xlatperf.procedures.conditions import Conditions, Throughput
from xlatperf.procedures.quantity import Measured, Quantity
from xlatperf.procedures.trial import Trial
from xlatperf.procedures.trial_request import TrialRequest
from xlatperf.search.loss_verification import LossVerification

TRIAL = TrialRequest(84, "ipv6", 1.0, 0.5, directions=("forward",))
WANTED = BackToBack(procedure="back_to_back", step_frames=1, step_percent=None)
CONDITIONS = Conditions(TRIAL, maximum_fps=6000.0, throughput=Throughput(2000.0))


def value(measured: Measured, quantity: Quantity) -> float:
    (found,) = [one.value for one in measured.values if one.quantity is quantity]
    assert found is not None
    return found


@pytest.mark.parametrize("buffer", [20, 100, 300])
def test_known_buffer(buffer: int) -> None:
    """The burst fills the buffer while the DUT serves: n (1 - T / R) = B. R9004-6.4: the corrected time is B / R."""
    found = WANTED.run(CONDITIONS, FramesMeasure(queue(2000, buffer)))
    burst = value(found, BURST)
    assert burst == pytest.approx(buffer / (1 - 2000 / 6000), abs=2)
    assert value(found, STEP) <= 1
    implied, corrected = buffer_times(burst, Throughput(2000.0), 6000.0)
    assert implied.value == pytest.approx(burst / 6000)
    assert corrected.value == pytest.approx(buffer / 6000, abs=2 / 6000)


def test_buffer_times() -> None:
    """RFC 9004 §6.4: Implied - Implied * (throughput / maximum)."""
    implied, corrected = buffer_times(26_000.0, Throughput(8_000_000.0), 14_880_952.0)
    assert implied.value == pytest.approx(26_000 / 14_880_952)
    assert implied.value is not None
    assert corrected.value == pytest.approx(implied.value * (1 - 8_000_000 / 14_880_952))


@pytest.mark.parametrize(
    ("faster_possible", "longer_possible", "bounds"),
    [(False, False, ("", "")), (False, True, (">=", ">=")), (True, False, ("", "<=")), (True, True, (">=", None))],
)
def test_buffer_times_of_bounds(faster_possible: bool, longer_possible: bool, bounds: tuple[str, str | None]) -> None:
    """A throughput that is a lower bound makes the corrected time an upper one; of two bounds nothing is known."""
    throughput = Throughput(2000.0, ("tester",) if faster_possible else ())
    implied, corrected = buffer_times(600.0, throughput, 6000.0, longer_possible=longer_possible)
    assert (implied.value, implied.bound) == (0.1, bounds[0])
    if bounds[1] is None:
        assert corrected.value is None
    else:
        assert corrected.value == pytest.approx(0.1 - 0.1 / 3)
        assert corrected.bound == bounds[1]


def test_waits() -> None:
    """R9004-6.2: burst, time to receive it at the throughput, at least 2 s; longer bursts wait as long as they are."""
    measure = FramesMeasure(queue(2000, 100))
    request = Bursts(WANTED, CONDITIONS, measure).request(3000)
    assert (request.rate_fps, request.duration_s) == (6000, 0.5)
    assert request.timeout_s == pytest.approx(3000 / 2000 - 0.5 + 2)
    long = Bursts(WANTED, replace(CONDITIONS, trial=replace(TRIAL, duration_s=30.0)), measure)
    assert long.longest == 180_000
    assert long.request(180_000).timeout_s == pytest.approx(90 - 30 + 30)


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"throughput": Throughput(6000.0)}, "reaches the highest rate"),
        ({"tester_limit_fps": 1500.0}, "reaches the Tester's own"),
    ],
)
def test_not_applicable(changes: dict[str, float], why: str) -> None:
    """R9004-6.1: only sizes whose throughput is below the maximum."""
    measure = FramesMeasure(queue(2000, 100))
    found = WANTED.run(replace(CONDITIONS, **changes), measure)  # type: ignore[arg-type]
    assert found.no_result is not None
    assert "not applicable (RFC 9004 §6.1)" in found.no_result.in_words()
    assert why in found.no_result.in_words()
    assert not measure.requests


def test_a_result_at_the_limit_is_not_valid() -> None:
    """R9004-6.2."""
    found = WANTED.run(CONDITIONS, FramesMeasure(queue(2000, 100_000)))
    assert found.no_result is not None
    assert "repeat with a higher duration_s" in found.no_result.in_words()
    assert found.values == ()


def test_no_buffer_at_all() -> None:
    found = WANTED.run(CONDITIONS, FramesMeasure(queue(2000, 1)))
    assert found.no_result is not None
    assert "already loses frames" in found.no_result.in_words()


class LimitedTester(FramesMeasure):
    """Sends so many frames of a burst in time, of longer ones nine of ten frames."""

    def __init__(self, most_frames: int, buffer: int) -> None:
        super().__init__(queue(2000, buffer))
        self.most_frames = most_frames

    def __call__(self, request: TrialRequest) -> Trial:
        outcome = super().__call__(request)
        if round(request.rate_fps * request.duration_s) <= self.most_frames:
            return outcome
        return sent_less(outcome, 0.9)


def test_a_burst_that_the_tester_cant_send_is_a_lower_bound() -> None:
    """The DUT may hold more, and no burst is tried twice."""
    measure = LimitedTester(1000, buffer=100_000)
    found = WANTED.run(CONDITIONS, measure)
    assert value(found, BURST) == 1000
    assert found.limited_by == "tester"
    assert [one.quantity for one in found.values] == [BURST, OFFERED]
    assert "at least 1000 frames, limited by the Tester" in found.remarks[0]
    lengths = [request.duration_s for request in measure.requests]
    assert len(lengths) == len(set(lengths))
    assert WANTED.run(CONDITIONS, LimitedTester(1000, buffer=100)).limited_by is None


def test_a_rate_that_the_tester_cant_send_is_told_after_two_bursts() -> None:
    measure = LimitedTester(0, buffer=100)
    found = WANTED.run(CONDITIONS, measure)
    assert found.no_result is not None
    assert "the Tester can't send bursts at 6000 fps on these ports" in found.no_result.in_words()
    assert len(measure.requests) == 2


def disturbed(every: int) -> FramesMeasure:
    """A buffer of 100 frames, and one frame lost for another reason in every so many trials."""
    inner = queue(2000, 100)
    trials: dict[int, int] = {}

    def fate(request: TrialRequest, name: DirectionName, number: int, due_s: float) -> float | None:
        trial = trials.setdefault(id(request), len(trials))
        delay = inner(request, name, number, due_s)
        return None if number == 0 and trial % every == 0 else delay

    return FramesMeasure(fate)


def test_loss_verification() -> None:
    """R9004-6.2, TST009: a trial with loss is repeated max(r) times, unless it lost more than z frames."""
    verified = WANTED.run(CONDITIONS, disturbed(2))
    assert value(verified, BURST) == pytest.approx(150, abs=2)
    without = WANTED.model_copy(update={"maximum_repeats": 0}).run(CONDITIONS, disturbed(2))
    assert without.no_result is not None or value(without, BURST) < 140
    assert verified.trials != without.trials


def test_verdicts() -> None:
    calls: list[float] = []

    def lost(frames: float) -> int | None:
        calls.append(frames)
        return [5, 5, 0, 5][len(calls) - 1]

    assert LossVerification(2).verified(lost)(7)
    assert len(calls) == 3
    assert not LossVerification(2, repeat_up_to=4).verified(lost)(7)
    assert len(calls) == 4
    assert not LossVerification(5).verified(lambda _: None)(1)
    assert MS == 1_000_000


def test_a_tolerated_loss() -> None:
    """The tenth frame is always lost: without a tolerance it's a burst of nine, whatever the buffer."""
    full = queue(2000, 100)

    def stray(request: TrialRequest, name: DirectionName, number: int, due_s: float) -> float | None:
        delay_ns = full(request, name, number, due_s)
        return None if number == 9 else delay_ns

    assert value(WANTED.run(CONDITIONS, FramesMeasure(stray)), BURST) == 9
    wanted = BackToBack.model_validate({**WANTED.model_dump(), "loss_tolerance": {"forward": 0.1}})
    assert value(wanted.run(CONDITIONS, FramesMeasure(stray)), BURST) > 100 / (1 - 2000 / 6000)
    assert wanted.standards == "RFC 9004, RFC 8219 §7.5 with a loss tolerance (not theirs)"
    assert any("burst length of RFC 9004" in one.here for one in wanted.deviations())
