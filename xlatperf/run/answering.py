"""Whether the DUT still works: its driver says so, it answers ARP and Neighbor Discovery, or test frames come back."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NamedTuple

from xlatperf.config.bench import Bench
from xlatperf.devices.device import Device
from xlatperf.engine.client import Engine
from xlatperf.engine.direction_answer import Direction
from xlatperf.engine.message import DirectionName, TrafficClass
from xlatperf.engine.messages import ResolveAnswer
from xlatperf.engine.trial_answer import InvalidReason, TrialAnswer
from xlatperf.keys.in_words import significant
from xlatperf.meaning.no_answer import NoAnswer, may_have_died, no_answer
from xlatperf.procedures.trial_request import TrialRequest

PATIENCE_S = 30.0
"""A DUT that has answered before may need so long to get over its load."""
AT_ONCE_S = 0.25
"""Who takes longer to answer hasn't worked when it was asked."""
QUIET_S = 0.1
"""Right frames stopped coming by so much before the last one was sent: not a queue that overflows."""
AGAIN_S = 0.5
"""Between two questions that aren't the engine's own."""
FRAMES, RATE_FPS = 10, 200.0
"""Of the test frames that ask a DUT."""

STOPPED = "a process of the DUT was stopped by somebody (a signal, a debugger)"
ENOUGH = 5
"""Of so many frames that ask at least one comes from a DUT that works, whatever else it loses."""

Ask = Callable[[TrialRequest], TrialAnswer]


class _Kind(NamedTuple):
    """Of frames: a DUT may not forward those of another size at all."""

    frame_size: int
    frame_sizes: tuple[int, ...]
    of: str
    part: int | None
    direction: DirectionName
    traffic_class: TrafficClass


def _kind(request: TrialRequest, direction: DirectionName, traffic_class: TrafficClass) -> _Kind:
    return _Kind(request.frame_size, request.frame_sizes, request.frame_size_of, request.part, direction, traffic_class)


def not_alive(device: Device) -> str:
    """In words: what was started for it and has ended, or what its driver saw."""
    ended = device.ended()
    if ended is not None:
        return ended
    why = device.why_not_alive()
    return f"the DUT's driver says that it does not work{f' ({why})' if why else ''}"


@dataclass
class Answering:
    """Asks before each trial, and behind one whose loss lasts to its end.

    Who answers ARP and Neighbor Discovery needn't be who forwards (a host whose translator stands still, a router with
    two planes), and a DUT whose MAC address is given isn't asked for it. So a few frames at a low rate tell whether it
    works, of a kind that came back before. `say` tells a person something.
    """

    engine: Engine
    bench: Bench
    device: Device | None
    say: Callable[[str], None]
    answered: bool = False
    forwarded: set[_Kind] = field(default_factory=set)

    def need(self, *, restarted: bool = False) -> None:
        """A DUT that died must not be measured. Raises NoAnswer.

        `restarted`: what follows restarts what has ended before it measures (RFC 9693 §4.9).
        """
        if (ended := self._ended()) is not None:
            if restarted:
                return
            raise NoAnswer(ended)
        found = self.engine.resolve()
        if no_answer(found):
            found = self._asked_again(found)
        if silent := no_answer(found):
            raise NoAnswer(silent)
        self.answered = True

    def _asked_again(self, found: ResolveAnswer) -> ResolveAnswer:
        """The answer to another question, if one is to be expected. Raises NoAnswer for what has ended meanwhile."""
        self._need_running()
        if self.answered and not self._is_gone():
            found = self._wait_for_answer(found)
            if no_answer(found):
                self._need_running()
        return found

    def _need_running(self) -> None:
        if (ended := self._ended()) is not None:
            raise NoAnswer(ended)

    def _wait_for_answer(self, found: ResolveAnswer) -> ResolveAnswer:
        what = "a port of the Tester's has no link" if found.down else "the DUT no longer answers"
        what = no_answer(found) if found.conflicts else f"{what}; waiting up to {PATIENCE_S:g} s for it"
        self.say(f"  {what}")
        give_up = time.monotonic() + PATIENCE_S
        while found.conflicts and time.monotonic() < give_up:
            time.sleep(AGAIN_S)
            found = self.engine.resolve(AT_ONCE_S)
        return self.engine.resolve(max(AT_ONCE_S, give_up - time.monotonic())) if no_answer(found) else found

    def still_there(self, answer: TrialAnswer) -> TrialAnswer:
        """The answer, if all that was started for the DUT still runs. Raises NoAnswer, with it as a trial that is none:
        what has ended doesn't come back, and how much of a loss is the DUT's can't be said.
        """
        if (ended := self._ended()) is not None:
            raise NoAnswer(ended, silent_trial(answer, ended, again=False))
        return answer

    def _is_gone(self) -> bool:
        """Whether it's one of ours that doesn't work: it doesn't come back by itself."""
        return self.device is not None and not self.bench.device.users_own and not self.device.alive()

    def _ended(self) -> str | None:
        return None if self.device is None else self.device.ended()

    def behind(self, answer: TrialAnswer, request: TrialRequest, ask: Ask) -> TrialAnswer:
        """The answer, as a trial that is none if the DUT didn't work when it had ended: what was lost then isn't its
        loss at this rate. `ask` runs a trial of other frames.

        Raises NoAnswer, with that answer, if it doesn't come back.
        """
        self.still_there(answer)
        self.forwarded |= {
            _kind(request, name, of)
            for name, way in answer.directions.items()
            for of, one in way.classes.items()
            if one.expected
        }
        if not may_have_died(answer):
            return answer
        missing = self._missing(answer, request)
        problem = self._by_driver() or ask_behind(self.engine, answer).problem or self._by_frames(request, missing, ask)
        if problem is None:
            return answer
        try:
            self.need()
            self._wait(problem, request, missing, ask)
        except NoAnswer as silent:
            silent.answer = silent_trial(answer, problem, again=False)
            raise
        return silent_trial(answer, problem)

    def _missing(self, answer: TrialAnswer, request: TrialRequest) -> set[_Kind]:
        """What no longer came when the trial ended, and had come before it or in it."""
        return self.forwarded & {
            _kind(request, name, of)
            for name, way in answer.directions.items()
            for of, one in way.classes.items()
            if _is_quiet(way, answer) or (one.sent >= ENOUGH and not one.expected)
        }

    def _by_driver(self) -> str | None:
        if self.device is None:
            return None
        if not self.device.alive():
            return not_alive(self.device)
        return STOPPED if self.device.stopped() else None

    def _by_frames(self, request: TrialRequest, missing: set[_Kind], ask: Ask) -> str | None:
        if not missing:
            return None
        asked = TrialRequest(
            request.frame_size,
            request.frame_size_of,
            min(RATE_FPS, request.rate_fps),
            FRAMES / min(RATE_FPS, request.rate_fps),
            timeout_s=request.timeout_s,
            directions=tuple(name for name in request.directions if any(name == kind.direction for kind in missing)),
            purpose=request.purpose,
            part=request.part,
            fence=FRAMES,
            frame_sizes=request.frame_sizes,
        )
        for name, way in ask(asked).directions.items():
            for of, one in way.classes.items():
                if _kind(request, name, of) in missing and one.sent >= ENOUGH and not one.expected:
                    what = f"{one.sent} {name} frames" if way.background is None else f"{one.sent} {name} {of} frames"
                    return f"the DUT forwarded none of {what} at {asked.rate_fps:g} fps, {self._otherwise()}"
        return None

    def _otherwise(self) -> str:
        given = [side for side in ("left", "right") if getattr(self.bench.tester, side).gateway_mac is not None]
        if given:
            return f"and can't be asked otherwise, as tester.{given[0]}.gateway_mac is given"
        return "though it answers ARP and Neighbor Discovery"

    def _wait(self, problem: str, request: TrialRequest, missing: set[_Kind], ask: Ask) -> None:
        """Until it works again. Raises NoAnswer."""
        end = time.monotonic() + PATIENCE_S
        said = False
        while (still := self._by_driver() or self._by_frames(request, missing, ask)) is not None:
            if not said:
                self.say(f"  {problem}; waiting up to {PATIENCE_S:g} s for it")
                said = True
            if time.monotonic() > end:
                raise NoAnswer(still)
            time.sleep(AGAIN_S)


class Asked(NamedTuple):
    """What a DUT's answer to ARP or Neighbor Discovery says behind a trial. `problem`: in one line; None: it works.

    `silent`: it didn't answer at all.
    """

    problem: str | None
    silent: bool = False


def ask_behind(engine: Engine, answer: TrialAnswer) -> Asked:
    """A DUT that answers late, and from which nothing had come before the sending ended, has stood still, though it is
    there again when it's seen."""
    started = time.monotonic()
    silent = no_answer(engine.resolve())
    took_s = time.monotonic() - started
    if silent:
        return Asked(silent, silent=True)
    if took_s <= AT_ONCE_S or not _fell_quiet(answer):
        return Asked(None)
    return Asked(
        f"the DUT answered ARP and Neighbor Discovery only after {significant(took_s, 2)} s, and had stood still before"
    )


def silent_trial(answer: TrialAnswer, problem: str, *, again: bool = True) -> TrialAnswer:
    """Of a DUT that works again, or doesn't."""
    text = f"{problem} (when the trial had ended{'; now it works again' if again else ''})"
    reasons = (*answer.reasons, InvalidReason(code="fell_silent", text=text))
    return answer.model_copy(update={"valid": False, "reasons": reasons})


def _fell_quiet(answer: TrialAnswer) -> bool:
    return any(_is_quiet(way, answer) for way in answer.directions.values())


def _is_quiet(way: Direction, answer: TrialAnswer) -> bool:
    return way.quiet_s is None or way.quiet_s > (answer.waited_s or 0.0) + QUIET_S
