"""Known hold-ups: Tester or device stands still while the other goes on. Nobody's loss may become the other's.

Over memif only the device counts frames for which the Tester's ring had no room, and only the Tester those that the
device didn't take.
"""

from __future__ import annotations

from collections.abc import Sequence

from bench.accuracy.order import Calm, Order, Standstill
from bench.accuracy.row import EXACTLY, Bound, Row, within
from bench.accuracy.taken import Taken
from bench.accuracy.workbench import Workbench

GROUP = "10 hold-ups"
RATE_FPS, DURATION_S = 100_000, 0.4
HELD_S, ON_THE_WAY_S = 0.06, 0.02
"""For so long the device holds frames, which all leave while the Tester stands still; others may be on their way."""
TESTER = Standstill("tester", 0.2, 0.12)
DEVICE = Standstill("device", 0.1, 0.2)
TIMEOUT_S = 0.5
PATIENT = Calm(late_us=10_000, late_share=0.01, meant=("device_queue",))
"""A device that takes nothing is waited for for 10 ms. Going on, it has more for the Tester than there is room for."""
OVERFLOW = ("receive_drops", "schedule", "sent_less", "device_queue")
"""What a Tester that stands still brings about."""


def rows(bench: Workbench) -> list[Row]:
    """The Tester's own receive ring overflows; then the device takes nothing."""
    return [*_overflow(bench), *_push_back(bench)]


def ring_was_full(taken: Taken) -> Sequence[str]:
    """A device that was held up as well had nothing to send meanwhile."""
    return [] if _no_room(taken) else ["device_held_up"]


def _no_room(taken: Taken) -> int:
    return int(taken.device["right"]["transmit_full"])


def _overflow(bench: Workbench) -> list[Row]:
    attempts = bench.attempts(short=True)
    order = Order(
        RATE_FPS,
        DURATION_S,
        {"delay_us": HELD_S * 1e6},
        calm=Calm(meant=OVERFLOW),
        timeout_s=TIMEOUT_S,
        standstill=TESTER,
    )
    taken = attempts.accepted(order, ring_was_full)
    known = measured = own = None
    bound: Bound | None = None
    if taken is not None:
        known, measured = _no_room(taken), taken.forward.dropped_at_most
        own = int("receive_drops" in taken.refused_by_engine())
        most = (HELD_S + ON_THE_WAY_S) * RATE_FPS - bench.place.opened.right.receive_ring
        bound = Bound(
            0, max(0.0, most - known), "an upper bound: all that the device held and what was on its way, less the ring"
        )
    return [
        Row(
            GROUP,
            "the Tester stands still: dropped by its own ring, at most",
            "frames",
            known,
            measured,
            bound,
            attempts.trials,
            attempts.refusals,
            "known: for so many the device found no room",
        ),
        Row(GROUP, "such trials that are invalid", "trials", 1, own, EXACTLY, attempts.trials, attempts.refusals),
    ]


def _push_back(bench: Workbench) -> list[Row]:
    attempts = bench.attempts(short=True)
    order = Order(RATE_FPS, DURATION_S, calm=PATIENT, timeout_s=TIMEOUT_S, standstill=DEVICE)
    taken = attempts.accepted(order)
    known = measured = offered = None
    if taken is not None and taken.forward.departure is not None:
        known = taken.forward.sent - int(taken.device["forward"]["test_packets"])
        measured, offered = taken.forward.departure.not_taken, taken.forward.offered_fps
    what = "the device stands still: frames that it doesn't take"
    remark = "known: sent, less what the device received"
    rate = within(RATE_FPS * 1e-3, "0.1 %: a wire doesn't wait for a device, so neither does the Tester")
    return [
        Row(GROUP, what, "frames", known, measured, EXACTLY, attempts.trials, attempts.refusals, remark),
        Row(GROUP, "and what is offered meanwhile", "fps", RATE_FPS, offered, rate, attempts.trials, attempts.refusals),
    ]
