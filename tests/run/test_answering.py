"""Whether a DUT works that lost all until the end of a trial: who is asked, and what a late answer means."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from tests.simulated_device import SimulatedDevice
from tests.simulated_frames import frames_answer
from xlatperf.config.bench import Bench
from xlatperf.config.load import parse_bench
from xlatperf.engine.messages import AddressConflict, ResolveAnswer
from xlatperf.engine.trial_answer import TrialAnswer
from xlatperf.meaning.no_answer import NoAnswer
from xlatperf.procedures.trial_request import TrialRequest
from xlatperf.run import answering
from xlatperf.run.answering import Answering

TEXT = 'technology.name = "siit"\n[[measure]]\nprocedure = "latency"\nrate_fps = 100\n'
BENCH = parse_bench(TEXT, "b")
GIVEN = parse_bench('tester.left.gateway_mac = "02:00:00:00:00:77"\n' + TEXT, "b")
WELL = ResolveAnswer()
REQUEST = TrialRequest(84, "ipv6", 1000.0, 1.0, timeout_s=0.1)


class Resolving:
    """An engine that gives these answers, and then that all is well."""

    def __init__(self, *answers: ResolveAnswer) -> None:
        self.answers = list(answers)

    def resolve(self, timeout_s: float = 3.0) -> ResolveAnswer:
        return self.answers.pop(0) if self.answers else WELL


def answer(until: int, quiet_s: float | None, request: TrialRequest = REQUEST) -> TrialAnswer:
    """All frames from number `until` on are lost; no right one had come for `quiet_s` when the wait of 0.1 s ended."""
    document = frames_answer(request, lambda _request, _way, number, _due: 1000.0 if number < until else None)
    whole = TrialAnswer.model_validate(document | {"waited_s": 0.1})
    ways: dict[str, Any] = {name: way.model_copy(update={"quiet_s": quiet_s}) for name, way in whole.directions.items()}
    return whole.model_copy(update=ways)


def mixed(comes: Callable[[int], bool], frames: int = 1000) -> TrialAnswer:
    """Every second frame is a native one."""
    request = replace(REQUEST, duration_s=frames / 1000)
    document = frames_answer(
        request, lambda _request, _way, number, _due: 1000.0 if comes(number) else None, mix=(1, 2)
    )
    whole = TrialAnswer.model_validate(document | {"waited_s": 0.1})
    ways: dict[str, Any] = {name: way.model_copy(update={"quiet_s": 0.1}) for name, way in whole.directions.items()}
    return whole.model_copy(update=ways)


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(answering, "AGAIN_S", 0.0)
    monkeypatch.setattr(answering, "PATIENCE_S", 0.05)


def asking(
    *answers: ResolveAnswer, bench: Bench = BENCH, device: SimulatedDevice | None = None
) -> tuple[Answering, list[str]]:
    said: list[str] = []
    return Answering(Resolving(*answers), bench, device, said.append), said  # type: ignore[arg-type]


def nobody(_request: TrialRequest) -> TrialAnswer:
    raise AssertionError("no frames")


def coming(*came: int) -> Callable[[TrialRequest], TrialAnswer]:
    """Of the test frames so many come back, time after time; then none any more."""
    left = list(came)

    def ask(request: TrialRequest) -> TrialAnswer:
        return answer(left.pop(0) if left else 0, None, request)

    return ask


def codes(found: TrialAnswer) -> list[str]:
    return [reason.code for reason in found.reasons]


def test_a_driver_knows(monkeypatch: pytest.MonkeyPatch) -> None:
    """`alive_command` counts without connections, too."""
    device = SimulatedDevice()
    worked: Any = iter([False, False, True])
    monkeypatch.setattr(device, "alive", lambda: next(worked))
    asked, said = asking(device=device)
    found = asked.behind(answer(500, 0.6), REQUEST, coming(10))
    assert codes(found) == ["fell_silent"]
    assert said == ["  the DUT's driver says that it does not work; waiting up to 0.05 s for it"]
    monkeypatch.setattr(device, "alive", lambda: False)
    with pytest.raises(NoAnswer, match="driver says that it does not work"):
        asked.behind(answer(500, 0.6), REQUEST, nobody)


def test_what_was_started_has_ended() -> None:
    """It doesn't come back: nobody waits for it, and no trial in which it ended counts, whatever was lost."""
    device = SimulatedDevice()
    asked, said = asking(device=device)
    asked.need()
    assert asked.behind(answer(1000, 0.1), REQUEST, nobody).valid
    device.killed = "TAYGA was ended by signal 9 (Killed)"
    for until in (0, 500, 1000):
        with pytest.raises(NoAnswer, match=r"^TAYGA was ended by signal 9 \(Killed\)$") as failed:
            asked.behind(answer(until, 0.6), REQUEST, nobody)
        assert failed.value.answer is not None
        assert (failed.value.answer.valid, codes(failed.value.answer)) == (False, ["fell_silent"])
        assert "now it works again" not in failed.value.answer.reasons[-1].text
    with pytest.raises(NoAnswer, match="TAYGA was ended by signal 9"):
        asked.need()
    asked.need(restarted=True)
    with pytest.raises(NoAnswer, match="TAYGA was ended by signal 9"):
        asked.still_there(answer(1000, 0.1))
    assert said == []


@pytest.mark.parametrize("when", [1, 2])
def test_what_ends_while_it_is_asked(when: int) -> None:
    """Of it, or of the connection to it, is said what happened, not that it is silent."""
    device = SimulatedDevice()
    down = ResolveAnswer(down={"right": "interface t1 is down"})
    asked, said = asking(device=device)
    asked.need()
    times = 0

    def resolve(timeout_s: float = 3.0) -> ResolveAnswer:
        nonlocal times
        times += 1
        if times == when:
            device.killed = "TAYGA was ended by signal 9 (Killed)"
        return down

    asked.engine.resolve = resolve  # type: ignore[method-assign]
    with pytest.raises(NoAnswer, match=r"^TAYGA was ended by signal 9 \(Killed\)$"):
        asked.need()
    assert len(said) == when - 1


def test_the_testers_own_port_has_no_link() -> None:
    """That isn't the device's silence."""
    down = ResolveAnswer(down={"right": "interface t1 is down"})
    asked, said = asking(WELL, down, WELL)
    asked.need()
    asked.need()
    assert said == ["  a port of the Tester's has no link; waiting up to 0.05 s for it"]
    asked, said = asking(WELL, down, down)
    asked.need()
    with pytest.raises(NoAnswer, match=r"^the Tester's right port has no link: interface t1 is down$"):
        asked.need()
    with pytest.raises(NoAnswer, match=r"^the Tester's right port has no link: interface t1 is down$"):
        asking(down)[0].need()


def test_two_stations_with_one_address() -> None:
    """It's waited until one of them is gone."""
    one = AddressConflict(text="2 stations say that they are 192.168.18.1, the DUT: A and B", own=False)
    conflict = ResolveAnswer(conflicts={"left": (one,)})
    advice = "take one off the link, or name the DUT's by tester.left.gateway_mac"
    line = f"left: {one.text}; frames may go to either: {advice}"
    asked, said = asking(WELL, conflict, conflict, WELL)
    asked.need()
    asked.need()
    assert said == [f"  {line}"]
    with pytest.raises(NoAnswer) as failed:
        asking(conflict)[0].need()
    assert str(failed.value) == line
    asked, _ = asking(WELL, *[conflict] * 100_000)
    asked.need()
    with pytest.raises(NoAnswer, match="2 stations"):
        asked.need()


def test_who_claims_the_testers_address() -> None:
    """No key of the bench file tells the DUT who the Tester is."""
    one = AddressConflict(text="A says that 192.168.18.2, which is the Tester's, is its own", own=True)
    with pytest.raises(NoAnswer) as failed:
        asking(ResolveAnswer(conflicts={"right": (one,)}))[0].need()
    assert str(failed.value) == f"right: {one.text}; frames may go to either: take one off the link"


@pytest.mark.parametrize(("quiet_s", "late"), [(0.6, True), (None, True), (0.11, False)])
def test_a_late_answer_of_one_that_stood_still(
    monkeypatch: pytest.MonkeyPatch, quiet_s: float | None, *, late: bool
) -> None:
    """A queue that overflows forwards until the end: then a late answer waited in it."""
    monkeypatch.setattr(answering, "AT_ONCE_S", -1.0)
    found = asking()[0].behind(answer(500, quiet_s), REQUEST, coming(10) if late else nobody)
    assert codes(found) == (["fell_silent"] if late else [])
    assert found.valid != late


def test_at_once_is_an_answer() -> None:
    assert codes(asking()[0].behind(answer(500, 0.1), REQUEST, nobody)) == []
    assert codes(asking(bench=GIVEN)[0].behind(answer(1000, 0.1), REQUEST, nobody)) == []


def test_frames_ask_who_has_a_given_address() -> None:
    """It needn't answer ARP; frames came back from it before."""
    asked, said = asking(bench=GIVEN)
    works = asked.behind(answer(500, 0.6), REQUEST, coming(1))
    assert codes(works) == []
    again = asked.behind(answer(500, 0.6), REQUEST, coming(0, 0, 10))
    assert codes(again) == ["fell_silent"]
    assert "forwarded none of 10 forward frames at 200 fps" in again.reasons[0].text
    assert "tester.left.gateway_mac is given" in said[0]
    with pytest.raises(NoAnswer, match="forwarded none of 10 forward frames"):
        asked.behind(answer(0, None), REQUEST, coming())


def test_frames_ask_who_stands_still_behind_one_that_answers() -> None:
    """A kernel answers ARP for a translator that is stopped: 640 fps were "limited by the DUT"."""
    asked, said = asking()
    assert codes(asked.behind(answer(1000, 0.1), REQUEST, nobody)) == []
    again = asked.behind(answer(0, None), REQUEST, coming(0, 0, 10))
    assert codes(again) == ["fell_silent"]
    assert "at 200 fps, though it answers ARP and Neighbor Discovery" in again.reasons[0].text
    assert "waiting up to" in said[0]
    assert codes(asked.behind(answer(0, None), REQUEST, coming(9, 9))) == [], "it works at a low rate"


def test_frames_that_never_came_back_dont_ask() -> None:
    """A DUT that forwards none of another size, or in the other direction, hasn't died."""
    asked, _ = asking()
    asked.behind(answer(1000, 0.1), REQUEST, nobody)
    larger = replace(REQUEST, frame_size=1538)
    assert codes(asked.behind(answer(0, None, larger), larger, nobody)) == []


def test_one_class_of_two() -> None:
    """The kernel forwards native frames while its translator stands still."""
    asked, _ = asking()
    asked.behind(mixed(lambda _: True), REQUEST, nobody)
    stopped = mixed(lambda number: number < 300 or number % 2 == 0)
    some = mixed(lambda number: number == 1, 10)
    none = mixed(lambda number: number % 2 == 0, 10)
    assert codes(asked.behind(stopped, REQUEST, nobody)) == [], "quiet isn't known of classes"
    nothing = mixed(lambda number: number % 2 == 0)
    assert codes(asked.behind(nothing, REQUEST, lambda _: some)) == []
    answers = iter([none, none, some])
    again = asked.behind(nothing, REQUEST, lambda _: next(answers))
    assert codes(again) == ["fell_silent"]
    assert "forwarded none of 5 forward foreground frames at 200 fps" in again.reasons[0].text


def test_nothing_ever_came_back() -> None:
    """Then that is what was measured: a bench file that is wrong, or a device that forwards nothing."""
    assert codes(asking(bench=GIVEN)[0].behind(answer(0, None), REQUEST, nobody)) == []
