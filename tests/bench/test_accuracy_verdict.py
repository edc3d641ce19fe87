"""Which trials count, and which rows are right: without an engine."""

from __future__ import annotations

import pytest

from bench.accuracy.attempts import Attempts
from bench.accuracy.order import RELAXED, Calm, Order, mostly_undisturbed, undisturbed
from bench.accuracy.row import EXACTLY, Bound, Row, within
from tests.bench.accuracy_rows import Script, taken

ORDER = Order(1000.0, 1.0)


def row(known: float | None, measured: float | None, bound: Bound | None) -> Row:
    return Row("g", "w", "µs", known, measured, bound, trials=1)


@pytest.mark.parametrize(
    ("known", "measured", "bound", "verdict"),
    [
        (100.0, 105.0, within(5, ""), "ok"),
        (100.0, 105.1, within(5, ""), "outside"),
        (100.0, 94.9, within(5, ""), "outside"),
        (100.0, 99.9, Bound(0, 5, ""), "outside"),
        (7, 7, EXACTLY, "ok"),
        (7, 8, EXACTLY, "outside"),
        (100.0, None, within(5, ""), "refused"),
        (100.0, 200.0, None, "shown"),
        (None, 200.0, None, "shown"),
    ],
)
def test_verdict(known: float | None, measured: float | None, bound: Bound | None, verdict: str) -> None:
    assert row(known, measured, bound).verdict == verdict


@pytest.mark.parametrize(
    ("device", "waited_us", "calm", "reasons"),
    [
        ({"longest_pause_us": 101.0}, 0.0, undisturbed(100), ["device_held_up"]),
        ({"longest_pause_us": 99.0, "paused_us": 1e6}, 0.0, undisturbed(100), []),
        ({"paused_us": 10_001.0}, 0.0, mostly_undisturbed(0.01), ["device_held_up"]),
        ({"paused_us": 9_999.0, "longest_pause_us": 9_999.0}, 0.0, mostly_undisturbed(0.01), []),
        ({"left": {"transmit_full": 1}}, 0.0, RELAXED, ["device_queue"]),
        ({"longest_pause_us": 1e6, "paused_us": 1e6}, 1e6, RELAXED, []),
        ({}, 600.0, Calm(core_share=0.0005), ["core_taken"]),
    ],
)
def test_why_a_trial_is_refused(device: dict[str, object], waited_us: float, calm: Calm, reasons: list[str]) -> None:
    assert taken(device=device, waited_us=waited_us).refusals(calm) == reasons


def test_refused_trials_are_repeated_and_counted() -> None:
    script = Script(taken("schedule", "sent_less"), taken("schedule"), taken())
    attempts = Attempts(script.take, most=8)
    assert attempts.accepted(ORDER) is not None
    assert attempts.trials == len(script.orders) == 3
    assert attempts.refusals == {"refused": 2, "schedule": 2, "sent_less": 1}
    shown = Row("g", "w", "fps", 1, 1, EXACTLY, attempts.trials, attempts.refusals)
    assert (shown.refused, shown.reasons) == (2, {"schedule": 2, "sent_less": 1})


def test_a_row_gives_up_after_so_many_refused_trials() -> None:
    attempts = Attempts(Script(taken("schedule")).take, most=3)
    assert attempts.accepted(ORDER) is None
    assert attempts.accepted(ORDER) is None
    assert (attempts.trials, attempts.refusals) == (3, {"refused": 3, "schedule": 3})


def test_what_the_row_itself_has_against_a_trial_is_counted_too() -> None:
    attempts = Attempts(Script(taken()).take, most=1)
    assert attempts.accepted(ORDER, lambda _: ["device_held_up"]) is None
    assert attempts.refusals == {"refused": 1, "device_held_up": 1}
