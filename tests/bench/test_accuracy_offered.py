"""A sender that believes its own rate is found out by the device's clock (RFC 2285 §3.5.2)."""

from __future__ import annotations

import pytest

from bench.accuracy.extent import QUICK
from bench.accuracy.order import Order
from bench.accuracy.places import Place
from bench.accuracy.rows import offered
from bench.accuracy.taken import Taken
from bench.accuracy.workbench import Workbench
from tests.bench.accuracy_rows import answer


class Believes(Place):
    """Says that it offered what it was asked for; the frames arrived over `longer` times the time."""

    def __init__(self, longer: float) -> None:
        self._longer = longer

    def take(self, order: Order) -> Taken:
        found = answer()
        assert found.forward is not None
        said = found.model_copy(update={"forward": found.forward.model_copy(update={"offered_fps": order.rate_fps})})
        over_us = (order.frames - 1) / order.rate_fps * 1e6 * self._longer
        return Taken(said, {"forward": {"arrived_over_us": over_us}})


@pytest.mark.parametrize(("longer", "verdict"), [(1.0, "ok"), (1.1, "outside"), (0.9, "outside")])
def test_the_devices_clock(longer: float, verdict: str) -> None:
    for measured in (offered.rows, offered.phases):
        rows = measured(Workbench(Believes(longer), QUICK, lambda _: None))
        assert {row.verdict for row in rows[::2]} == {"ok"}
        assert {row.verdict for row in rows[1::2]} == {verdict}


def test_what_an_accepted_trial_may_offer() -> None:
    """R1242-3.4: 8,000 connections at 8,000,000/s were offered at 4,156,379/s; a burst's time is 4 us of 1 ms."""
    bound = offered.lowest(Order(8e6, 1e-3))
    assert bound.low == pytest.approx(8e6 / 1.004 - 8e6)
    assert not bound.low <= 4_156_379 - 8e6
    assert offered.lowest(Order(1e5, 10.0)).low == pytest.approx(1e5 / 1.001 - 1e5)
    assert offered.lowest(Order(1e3, 0.1)).low == pytest.approx(1e3 / 1.002 - 1e3)
