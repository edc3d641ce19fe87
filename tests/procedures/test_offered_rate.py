"""Results are the rate that was offered, in the direction that got less; the search's bounds are what was asked for."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.procedures.searches import Establishing
from tests.procedures.stateful_dut import StatefulDut
from tests.procedures.test_back_to_back import CONDITIONS as BURSTS
from tests.procedures.test_back_to_back import WANTED as BACK_TO_BACK
from tests.procedures.test_capacity import SEARCH as CAPACITY
from tests.procedures.test_establishment import SEARCH as ESTABLISHMENT
from tests.procedures.test_establishment import VALIDATED
from tests.procedures.test_frame_loss import CONDITIONS, SWEEP
from tests.procedures.test_throughput import WANTED as THROUGHPUT
from tests.procedures.test_throughput import bounds, rate
from tests.simulated_dut import SimulatedMeasure, capacity, offering
from tests.simulated_frames import FramesMeasure, queue
from xlatperf.procedures import frame_loss
from xlatperf.procedures.back_to_back import OFFERED
from xlatperf.procedures.establishment import RATE, VALIDATED_RATE
from xlatperf.procedures.quantity import Quantity

SHARE = 0.999


def test_throughput() -> None:
    """R1242-3.4, R2544-26.1: the rate that the DUT was offered, not the one that was intended."""
    found = THROUGHPUT.run(CONDITIONS, offering(SimulatedMeasure(capacity(300_000)), SHARE))
    assert rate(found) == pytest.approx(SHARE * (bounds(found).lower_fps or 0))


def test_frame_loss() -> None:
    """R2544-26.3: beside the loss, for each rate."""
    found = SWEEP.run(CONDITIONS, offering(SimulatedMeasure(capacity(1e9)), SHARE))
    offered = [(one.value, one.rate_fps) for one in found.values if one.quantity is frame_loss.OFFERED]
    assert len(offered) == 2
    for value, rate_fps in offered:
        assert value == pytest.approx(SHARE * (rate_fps or 0))


@pytest.mark.parametrize(("search", "quantity"), [(ESTABLISHMENT, RATE), (VALIDATED, VALIDATED_RATE)])
def test_establishment(search: Establishing, quantity: Quantity) -> None:
    """R9693-4.5, R9693-4.6-1: phase 1's rate, also where a validation at another rate follows."""
    found = search.found(offering(StatefulDut(establish_fps=20_000), SHARE))
    assert found.lower_fps is not None
    assert found.rate_fps == pytest.approx(SHARE * found.lower_fps)
    value = found.measured().values[0]
    assert (value.quantity, value.value) == (quantity, found.rate_fps)


def test_capacity() -> None:
    """R9693-4.9: R0 and RS as they were offered; the search goes on from what was asked for."""
    dut = StatefulDut(size=700)
    plain = CAPACITY.found(replace(dut, requests=[]))
    found = CAPACITY.found(offering(dut, SHARE))
    assert (found.safe, found.unsafe) == (plain.safe, plain.unsafe)
    assert found.initial_fps == pytest.approx(SHARE * plain.initial_fps)
    assert found.safe_fps == pytest.approx(SHARE * plain.safe_fps)


def test_back_to_back() -> None:
    """The burst's rate is stated beside its length."""
    found = BACK_TO_BACK.run(BURSTS, offering(FramesMeasure(queue(2000, 100)), SHARE))
    rates = [value.value for value in found.values if value.quantity == OFFERED]
    assert rates == [pytest.approx(SHARE * BURSTS.top_fps)]
