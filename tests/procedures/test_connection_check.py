"""R9693-4.4-1: what a check of few connections tells of a DUT, before anything is measured."""

from __future__ import annotations

import pytest

from tests.procedures.stateful_dut import StatefulDut
from xlatperf.procedures.connection_check import ConnectionCheck, connection_check
from xlatperf.procedures.trial_request import TrialRequest

CHECK = ConnectionCheck(TrialRequest(84, "ipv4", 1000.0, 1.0, 0.5), 1000, (84, 1280))
"""1 s for phase 1, 0.5 s of wait, 1 s for the validation."""


def steps(dut: StatefulDut, hold_s: float = 0.0) -> list[tuple[str, int, float, bool]]:
    check = ConnectionCheck(CHECK.trial, CHECK.connections, CHECK.sizes, hold_s)
    return [(one.kind, one.size, one.waited_s, one.trial.complete) for one in connection_check(check, dut)]


def test_all_is_well() -> None:
    dut = StatefulDut()
    assert steps(dut) == [(kind, size, 0.0, True) for size in (84, 1280) for kind in ("each_once", "steady")]
    assert [one.connections.reuse for one in dut.requests if one.connections] == [False, True] * 2


def test_what_is_remembered_needs_no_second_look() -> None:
    dut = StatefulDut(timeout_s=60.0)
    assert steps(dut, hold_s=30.0)[:2] == [("each_once", 84, 30.0, True), ("steady", 84, 0.0, True)]
    assert len(dut.requests) == 4


def test_what_is_forgotten_within_the_hold_works_without() -> None:
    """So it's the wait that does it: seen once more at the end, of the smallest frame alone."""
    assert steps(StatefulDut(timeout_s=10.0), hold_s=30.0) == [
        ("each_once", 84, 0.0, True),
        ("steady", 84, 0.0, True),
        ("held", 84, 30.0, False),
        ("each_once", 1280, 0.0, True),
        ("steady", 1280, 0.0, True),
    ]


@pytest.mark.parametrize(
    ("dut", "forgotten"),
    [
        (StatefulDut(timeout_s=1.0), (100, 100)),
        (StatefulDut(size=500, policy="oldest"), None),
        (StatefulDut(loses=0.5), None),
    ],
    ids=["too short a timeout", "too small a table", "loss"],
)
def test_time_alone_is_named_only_where_it_is_time(dut: StatefulDut, forgotten: tuple[int, int] | None) -> None:
    """Few connections that are used at once work, and don't after as much time as many need: twice."""
    first, second = connection_check(CHECK, dut)
    assert (first.size, second.size) == (84, 1280)
    assert (first.kind, first.trial.complete) == ("each_once", False), "nothing follows it"
    assert first.forgotten == forgotten


def test_a_host_that_was_held_up_once() -> None:
    """The second look has all of them: nothing is said."""

    class Once(StatefulDut):
        def __call__(self, request):  # type: ignore[no-untyped-def]
            self.timeout_s = 1.0 if len(self.requests) < 3 else 60.0
            return super().__call__(request)

    first, *_ = connection_check(CHECK, Once())
    assert (first.trial.complete, first.forgotten) == (False, None)
