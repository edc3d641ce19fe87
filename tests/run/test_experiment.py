"""One experiment of RFC 9693 §4.4: what is done in which order, and what is said of a DUT that can't."""

from __future__ import annotations

import time
from typing import Any

import pytest

from tests.simulated_connections import StatefulEngine
from tests.simulated_device import SimulatedDevice
from xlatperf.devices.device import DeviceError
from xlatperf.engine.mappings import Mappings
from xlatperf.engine.trial_answer import InvalidReason, TrialAnswer
from xlatperf.procedures.connections import Connections
from xlatperf.procedures.trial import Trial, not_established
from xlatperf.procedures.trial_request import Tags, TrialRequest
from xlatperf.run.experiment import Experiments, first_phase_of, frame_tags
from xlatperf.run.old_connections import OldConnections

PLAIN = TrialRequest(64, "ipv4", 1.0, 2.0)


def answer_of(engine: StatefulEngine, request: TrialRequest, tag: int = 7) -> TrialAnswer:
    return Experiments(engine, engine.device, engine.trial, engine.sleep).run(request, tag)  # type: ignore[arg-type]


def experiment(engine: StatefulEngine, request: TrialRequest, tag: int = 7) -> Trial:
    return Trial.of(3, "run", request, answer_of(engine, request, tag))


def steady(count: int = 1000, rate: float = 10_000.0, **more: Any) -> TrialRequest:
    return PLAIN.experiment(Connections(count, "steady", 5000.0, **more), rate, "search")


def test_phase_2_comes_after_an_empty_table_and_a_complete_phase_1() -> None:
    """R9693-4.2-1, R9693-4.4-2."""
    engine = StatefulEngine(SimulatedDevice())
    engine.device.held = 77
    found = experiment(engine, steady())
    first, second = engine.requests
    assert first.connections == Connections(1000, "establish", draw=8)
    assert (first.rate_fps, first.directions, first.duration_s) == (5000, ("forward",), 0.2)
    assert (second.rate_fps, second.directions) == (10_000, ("forward", "reverse"))
    assert engine.tags == [8, 11]
    assert engine.tags[-1] == 7 + frame_tags(steady()) - 1, "the last one is the journal's"
    assert found.passed({})
    assert found.established
    assert found.experiment is not None
    assert (found.experiment.held_before, found.experiment.held) == (0, 1000)
    assert found.experiment.first_phase is not None
    assert found.experiment.first_phase.sent == 1000
    assert found.experiment.mappings is not None
    assert found.experiment.mappings.learnt == 1000
    assert found.device_cpu == {"clat": 0, "plat": pytest.approx(0.75)}


@pytest.mark.parametrize("again", [True, False])
def test_who_may_answer_anew_is_asked_whenever_it_was_emptied(again: bool) -> None:
    """A command of the user's may give it another MAC address: frames to the old one aren't lost by the device."""
    device = SimulatedDevice()
    device.answers_anew = again
    engine = StatefulEngine(device)
    experiment(engine, PLAIN.experiment(Connections(10, "establish", 5000.0, clear=True), 5000.0, "search"))
    assert device.done == ["clear", "clear"]
    assert engine.asked == (2 if again else 0)


def test_phase_1_is_plain() -> None:
    """Tags and histograms are phase 2's."""
    request = steady()
    first = first_phase_of(TrialRequest(**{**vars(request), "tags": Tags(500, 1.0), "histograms": True}))
    assert (first.tags, first.histograms, first.timeout_s) == (None, False, request.timeout_s)
    assert (frame_tags(request), frame_tags(first), frame_tags(PLAIN)) == (5, 2, 1)


def test_without_a_complete_phase_1_there_is_no_phase_2() -> None:
    engine = StatefulEngine(SimulatedDevice(), establish_fps=4000)
    found = experiment(engine, steady())
    assert len(engine.requests) == 1
    assert (found.valid, found.directions, found.established) == (True, {}, False)
    assert found.first_phase.lost == 1


def test_a_phase_1_that_only_prepares_is_tried_again() -> None:
    """A host that was held up says nothing about phase 2; before a validation, phase 1 is what is tested."""
    engine = StatefulEngine(SimulatedDevice(), held_up=2)
    answer = answer_of(engine, steady())
    assert answer.passed({})
    assert answer.experiment is not None
    assert [one.frame_tag for one in answer.experiment.attempts] == [8, 9], "frames that the DUT got are in the journal"
    assert engine.tags == [8, 7, 9, 7, 10, 11], "7: frames on the connections of the attempt before"
    assert engine.draws == [8, 9, 10]
    assert engine.device.done == ["clear"] * 3
    validated = PLAIN.experiment(Connections(1000, "each_once", 5000.0), 5000.0, "validate")
    found = experiment(StatefulEngine(SimulatedDevice(), held_up=1), validated)
    assert (found.valid, found.why_invalid) == (False, ("sent_less: held up",))


def test_the_wait_is_between_the_phases() -> None:
    """R9693-4.4-1: a DUT forgets during it."""
    request = PLAIN.experiment(Connections(1000, "each_once", 5000.0, wait_s=9.0), 5000.0, "timeout")
    assert experiment(StatefulEngine(SimulatedDevice(), timeout_s=20), request).passed({})
    forgotten = experiment(StatefulEngine(SimulatedDevice(), timeout_s=8), request)
    assert forgotten.established
    assert forgotten.lost == 1000


def test_deleting_is_measured() -> None:
    """R9693-4.8; with a count of 0, of an empty table: no frame is sent."""
    engine = StatefulEngine(SimulatedDevice())
    full = experiment(engine, PLAIN.experiment(Connections(1000, "establish", clear=True), 5000.0, "tear down"))
    assert full.established
    assert full.experiment is not None
    assert full.experiment.held == 1000
    assert full.experiment.cleared_s is not None
    assert engine.device.done == ["clear", "clear"]
    empty = experiment(engine, PLAIN.experiment(Connections(0, "establish", clear=True), 5000.0, "tear down nothing"))
    assert (empty.valid, empty.directions) == (True, {})
    assert empty.experiment is not None
    assert empty.experiment.cleared_s is not None
    phases = [request.connections.phase for request in engine.requests if request.connections is not None]
    assert phases == ["establish", "each_once"], "is it empty after the tear-down?"


def test_a_kernels_own_entries_are_reported() -> None:
    found = experiment(StatefulEngine(SimulatedDevice(own=3)), steady())
    assert found.passed({})
    assert found.experiment is not None
    assert (found.experiment.held_before, found.experiment.held) == (3, 1003)


def test_unknown_counts_stay_unknown() -> None:
    found = experiment(StatefulEngine(SimulatedDevice(own=None)), steady())
    assert found.experiment is not None
    assert (found.experiment.held_before, found.experiment.held) == (None, None)


def test_clearing_may_take_several_attempts() -> None:
    device = SimulatedDevice(stubborn=2)
    device.held = 500
    assert experiment(StatefulEngine(device), steady()).passed({})
    assert device.done == ["clear"] * 3


def test_a_table_that_stays_full_is_no_experiment() -> None:
    device = SimulatedDevice(stubborn=99)
    device.held = 500
    engine = StatefulEngine(device)
    found = experiment(engine, steady())
    assert not found.valid
    assert found.why_invalid == (
        "not_emptied: the DUT still holds 500 connections after it was told 4 times to empty its table: "
        "that changes nothing",
    )
    assert engine.requests == []


def test_a_dut_that_is_down_is_what_is_told_first() -> None:
    """Not what is missing to bring it back."""

    class Down(SimulatedDevice):
        def alive(self) -> bool:
            return False

        def why_not_alive(self) -> str:
            return "device.alive_command: `false` failed"

        def restart(self) -> None:
            raise DeviceError("device.restart_command is missing")

    with pytest.raises(DeviceError, match=r"does not work \(device.alive_command: `false` failed\); device"):
        experiment(StatefulEngine(Down()), steady())


def test_old_connections_must_not_let_frames_in() -> None:
    """R9693-4.4-2, of a DUT that can't be counted: what the command that empties its table does is not believed."""
    engine = StatefulEngine(SimulatedDevice(own=None))
    old = OldConnections()
    experiments = Experiments(engine, engine.device, engine.trial, engine.sleep, old=old)  # type: ignore[arg-type]
    first = experiments.run(steady(), 7)
    assert first.experiment is not None
    assert first.experiment.old_tried is None
    second = experiments.run(steady(), 12)
    assert second.experiment is not None
    assert (second.valid, second.experiment.old_tried) == (True, 10)
    assert engine.draws == [8, 13], "each experiment has four tuples of its own"
    assert engine.tags == [8, 11, 12, 13, 16]
    engine.device.stubborn = 99
    third = experiments.run(steady(), 17)
    assert third.reasons == (
        InvalidReason(
            code="not_emptied",
            text="the DUT was told 4 times to empty its table, but 10 of 10 frames on connections that it should have "
            "forgotten came in: "
            "what empties it does not reach all of it",
        ),
    )
    assert old.count == 1000
    engine.device.stubborn = 0
    assert experiments.run(steady(), 22).valid


def test_connections_are_used_again() -> None:
    """Frames without load need no phase 1 of their own, as long as the DUT has the connections."""
    engine = StatefulEngine(SimulatedDevice())
    old = OldConnections()
    experiments = Experiments(engine, engine.device, engine.trial, engine.sleep, old=old)  # type: ignore[arg-type]

    def phases(request: TrialRequest, tag: int) -> list[str]:
        before = len(engine.requests)
        assert experiments.run(request, tag).passed({})
        return [one.connections.phase for one in engine.requests[before:] if one.connections is not None]

    again = steady(reuse=True)
    assert phases(again, 1) == ["establish", "steady"], "there were none"
    assert phases(again, 6) == ["steady"]
    assert engine.tags[-1] == 6 + frame_tags(again) - 1
    assert phases(steady(500, reuse=True), 11) == ["each_once", "establish", "steady"], "there were others"
    assert phases(steady(500), 16) == ["each_once", "establish", "steady"]
    experiments.run(PLAIN.experiment(Connections(0, "establish", clear=True), 5000.0, "tear down"), 21)
    assert phases(steady(500, reuse=True), 26) == ["each_once", "establish", "steady"], "they were deleted"
    old.forget()
    assert phases(steady(500, reuse=True), 31) == ["establish", "steady"]


def test_an_empty_table_is_awaited_for_a_few_delays_of_the_dut() -> None:
    """A DUT that takes 300 ms for a frame lets old ones in that late: in reverse, of which phase 1 says nothing."""
    for delay_s, wait_s in ((None, 2.0), (0.0, 0.05), (0.3, 1.2), (0.9, 2.0)):
        engine = StatefulEngine(SimulatedDevice())
        old = OldConnections(1000, delay_s)
        old.let_in(engine.trial, steady(), 1)
        assert [one.timeout_s for one in engine.requests] == [pytest.approx(wait_s)]


def test_a_teardown_that_deletes_nothing() -> None:
    """R9693-4.8: it would be the fastest of all."""
    engine = StatefulEngine(SimulatedDevice(own=None))
    engine.device.done, engine.device.stubborn = [], 0
    experiments = Experiments(engine, engine.device, engine.trial, engine.sleep)  # type: ignore[arg-type]
    request = PLAIN.experiment(Connections(1000, "establish", clear=True), 5000.0, "tear down")
    assert experiments.run(request, 1).valid
    opens = engine.trial

    def trial(asked: TrialRequest, tag: int) -> TrialAnswer:
        answer = opens(asked, tag)
        if asked.connections is not None and asked.connections.phase == "establish":
            engine.device.stubborn = 1
        return answer

    experiments.trial = trial
    found = experiments.run(request, 4)
    (reason,) = found.reasons
    assert (found.valid, reason.code) == (False, "not_emptied")
    assert "right after the DUT's table was deleted, 10 of 10 frames" in reason.text


def test_a_collapse_is_an_outcome_and_the_dut_is_restarted() -> None:
    """R9693-4.9-2."""
    engine = StatefulEngine(SimulatedDevice(), dies_at=1000)
    found = experiment(engine, steady())
    assert found.collapsed == "the DUT's driver says that it does not work; it was restarted"
    assert found.directions == {}
    assert engine.device.done == ["clear", "restart"]
    assert experiment(engine, steady(900)).passed({})


def test_a_dut_that_no_longer_answers_has_collapsed() -> None:
    engine = StatefulEngine(SimulatedDevice(), establish_fps=4000, silent=True)
    found = experiment(engine, steady())
    assert found.collapsed is not None
    assert found.collapsed.startswith("the DUT at 192.168.18.1 on the left side did not answer ARP")
    assert "it could not be restarted: also after a restart the DUT at 192.168.18.1" in found.collapsed


def test_a_dut_that_cannot_be_restarted() -> None:
    def fails() -> None:
        raise DeviceError("no such process")

    engine = StatefulEngine(SimulatedDevice(restarts=fails), dies_at=1000)
    found = experiment(engine, steady())
    assert found.collapsed is not None
    assert found.collapsed.endswith("it could not be restarted: no such process")
    with pytest.raises(DeviceError, match="no such process"):
        experiment(engine, steady())


def test_what_takes_its_time_is_not_between_the_phases_or_is_counted() -> None:
    """R9693-4.4-1: the survey comes last, as the DUT may forget meanwhile; counting is part of the gap."""

    class Slow(SimulatedDevice):
        def count_state(self) -> int | None:
            time.sleep(0.02)
            return super().count_state()

    class Surveyed(StatefulEngine):
        phases_before = 0

        def mappings(self, connections: int, examples: int = 4) -> Mappings:
            self.phases_before = len(self.requests)
            return super().mappings(connections, examples)

    engine = Surveyed(Slow())
    found = experiment(engine, steady())
    assert engine.phases_before == 2
    assert found.experiment is not None
    assert found.experiment.mappings is not None
    assert (found.experiment.gap_s or 0) >= 0.02


def test_a_phase_1_that_may_lose_some() -> None:
    """The connections of frames that were lost are opened by another frame; what was lost stays told."""
    engine = StatefulEngine(SimulatedDevice(), loses=1)
    request = steady(may_lose=0.001)
    found = experiment(engine, request)
    assert found.passed({})
    assert found.established
    assert found.first_phase.lost == 1
    opened, again, measured = (request.connections for request in engine.requests)
    assert opened is not None
    assert again is not None
    assert measured is not None
    assert (opened.keep, again.keep, measured.phase) == (False, True, "steady")
    assert engine.tags == [8, 11, 12]
    assert frame_tags(request) == 6, "7: frames on old connections"
    assert found.experiment is not None
    assert found.experiment.reopened is not None
    assert found.experiment.reopened.frame_tag == 11


@pytest.mark.parametrize(("loses", "may_lose"), [(1, 0.0), (2, 0.001)])
def test_a_phase_1_that_lost_more_than_it_may(loses: int, may_lose: float) -> None:
    engine = StatefulEngine(SimulatedDevice(), loses=loses)
    found = experiment(engine, steady(may_lose=may_lose))
    assert (found.valid, found.directions, found.established) == (True, {}, False)
    assert len(engine.requests) == 1
    missing = not_established(steady(may_lose=may_lose), found)
    assert missing is not None
    assert missing[0] == f"phase 1 at 5,000 fps was not complete: {loses} of 1,000 frames lost"


def test_a_phase_1_whose_rest_cannot_be_opened() -> None:
    """A table with room for fewer is no accident of a frame."""
    engine = StatefulEngine(SimulatedDevice(), loses=1, table=999)
    found = experiment(engine, steady(may_lose=0.001))
    assert (found.directions, found.established) == ({}, False)
    assert not_established(steady(may_lose=0.001), found) is not None
