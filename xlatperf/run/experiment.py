"""One experiment of RFC 9693 §4.4: empty the DUT's connection tracking table, phase 1, the phase that is measured.

Its answer is that of the last phase as the engine gave it, with `experiment` for what went before.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from xlatperf.devices.device import Device, DeviceError
from xlatperf.engine.client import Engine
from xlatperf.engine.trial_answer import Experiment, InvalidReason, PortCounts, TrialAnswer
from xlatperf.meaning.no_answer import no_answer
from xlatperf.procedures.connections import OWN_ENTRIES, Connections
from xlatperf.procedures.trial_request import TrialRequest
from xlatperf.run.answering import AGAIN_S, PATIENCE_S, STOPPED, Asked, ask_behind, not_alive, silent_trial
from xlatperf.run.device_load import DeviceLoad, device_load
from xlatperf.run.old_connections import Ask, OldConnections, plain
from xlatperf.run.pause import pause

FRAME_TAGS = 2048
"""Trial numbers in frames: 0 to 2047 (docs/protocol.md)."""
ATTEMPTS, PAUSE_S = 4, 0.1
PREPARATIONS = 3
RESTARTED_S = 1.0
"""A DUT that was restarted gets so long before it is asked again."""
WORKS_WITHIN_S, ANSWERS_WITHIN_S = 30.0, 30.0
"""After a restart."""


def first_phases(request: TrialRequest) -> int:
    """How often phase 1 may be tried before another phase.

    A host that was held up for a moment spoils a phase 1 that only prepares phase 2: that says nothing about phase 2,
    and is tried again. Before a validation it has the rate that is to be found out, so it is not.
    """
    wanted = request.connections
    if wanted is None or wanted.phase == "establish":
        return 0
    return PREPARATIONS if wanted.phase == "steady" else 1


def frame_tags(request: TrialRequest) -> int:
    """How many trial numbers a request needs: frames of phase 1 must not be taken for those of phase 2.

    Of an experiment the first is that of frames on old connections, the last that of the phase that is measured; where
    phase 1 may lose some, the one before it that of the frames that open the rest.
    """
    wanted = request.connections
    if wanted is None or request.tester_alone:
        return first_phases(request) + 1
    return first_phases(request) + 2 + (wanted.may_lose > 0)


def _last_tag(request: TrialRequest, frame_tag: int) -> int:
    return frame_tag + frame_tags(request) - 1


def first_phase_of(request: TrialRequest) -> TrialRequest:
    """Phase 1 with the same frames: every connection once, forward."""
    wanted = request.connections
    if wanted is None or wanted.phase == "establish":
        return request
    return plain(request).experiment(
        Connections(wanted.count, "establish"), wanted.establish_fps or 0.0, request.purpose
    )


class _Known(Experiment, frozen=False):
    """What is known of the experiment so far."""


@dataclass
class _Told:
    """What went before the last phase, and the DUT's load in that."""

    known: _Known = field(default_factory=_Known)
    load: DeviceLoad = field(default_factory=DeviceLoad)

    def added_to(self, answer: TrialAnswer) -> TrialAnswer:
        """The answer of the last phase, with it."""
        said = {name: value for name, value in self.known if value not in (None, ())}
        return answer.model_copy(update={"experiment": Experiment(**said), **self.load.added})


@dataclass
class Experiments:
    """Runs experiments on an engine with open ports and a prepared DUT."""

    engine: Engine
    device: Device
    trial: Ask
    sleep: Callable[[float], None] = pause
    say: Callable[[str], None] = lambda _: None
    set_again: Callable[[], None] = lambda: None
    """What the series has set, to be set again after a restart. Raises DeviceError."""
    old: OldConnections = field(default_factory=OldConnections)
    measured: Ask | None = None
    """For the phase that is measured, if another phase went before it; None: `trial`."""
    now_s: Callable[[], float] = time.monotonic
    """A clock that only goes forward."""

    def run(self, request: TrialRequest, frame_tag: int) -> TrialAnswer:
        """One experiment. Raises DeviceError if the DUT's table can't be emptied or the DUT not be brought back."""
        told = _Told()
        return told.added_to(self._run(request, frame_tag, told))

    def _run(self, request: TrialRequest, frame_tag: int, told: _Told) -> TrialAnswer:
        """The answer of the last phase."""
        wanted = request.connections
        assert wanted is not None  # noqa: S101 - the caller has looked
        if wanted.may_lose:
            told.known.may_lose = wanted.may_lose
        if (known := self.old.still(wanted)) is not None:
            told.known.first_phase = known
            return self._phase(request, _last_tag(request, frame_tag), told, self.measured)
        for number in range(max(1, first_phases(request))):
            problem = self._empty(told, request, frame_tag)
            if problem is not None:
                return _not_emptied(_no_trial(frame_tag), problem)
            if not wanted.count:
                return self._clear(told, _no_trial(frame_tag))
            first = self._first_phase(request, frame_tag + 1 + number, told)
            if first.valid or told.known.collapsed is not None or number + 1 >= first_phases(request):
                break
            told.known.attempts = (*told.known.attempts, first)
        ended = self.now_s()
        if told.known.collapsed is None:
            told.known.held = self.device.count_state()
            told.known.gap_s = round(self.now_s() - ended, 6)
        answer = self._after(request, frame_tag, first, ended, told)
        if told.known.collapsed is None and first.valid:
            told.known.mappings = self.engine.mappings(wanted.count)
        return answer

    def _after(
        self, request: TrialRequest, frame_tag: int, first: TrialAnswer, ended: float, told: _Told
    ) -> TrialAnswer:
        """What follows phase 1, which ended at `ended` (monotonic time in s)."""
        wanted = request.connections
        assert wanted is not None  # noqa: S101 - it had a phase 1
        if wanted.phase == "establish":
            if not wanted.clear or told.known.collapsed is not None:
                return first
            answer = self._clear(told, first)
            still, tried = self.old.let_in(self.trial, request, frame_tag)
            text = f"right after the DUT's table was deleted, {_came_in(still, tried)}"
            return _not_emptied(answer, text) if still else answer
        told.known.first_phase = first
        all_open = first.complete
        lost = first.forward.foreground.loss_ratio if first.valid and first.forward is not None else 1.0
        if told.known.collapsed is None and 0 < lost <= wanted.may_lose:
            first = self._reopen(request, frame_tag, told)
            all_open = first.connections is not None and first.connections.learnt == wanted.count
            ended = self.now_s()
        if told.known.collapsed is not None or not all_open or not first.valid:
            return _no_trial(frame_tag).model_copy(update={"valid": first.valid, "reasons": first.reasons})
        self.sleep(max(0.0, wanted.wait_s - (self.now_s() - ended)))
        return self._phase(request, _last_tag(request, frame_tag), told, self.measured)

    def _reopen(self, request: TrialRequest, frame_tag: int, told: _Told) -> TrialAnswer:
        """A frame more on each connection of phase 1, so that those whose first one was lost are there for phase 2."""
        first = first_phase_of(request)
        assert first.connections is not None  # noqa: S101 - it's phase 1
        once_more = replace(first, connections=replace(first.connections, keep=True))
        answer = self._phase(once_more, _last_tag(request, frame_tag) - 1, told)
        self.old.remember(answer)
        told.known.reopened = answer
        return answer

    def _first_phase(self, request: TrialRequest, frame_tag: int, told: _Told) -> TrialAnswer:
        """Phase 1 with four tuples of its own: an old entry helps nobody."""
        first = first_phase_of(request)
        assert first.connections is not None  # noqa: S101 - it's phase 1
        self.old.forget()
        asked = replace(first, connections=replace(first.connections, draw=frame_tag), fence=request.fence)
        answer = self._phase(asked, frame_tag, told)
        self.old.remember(answer)
        return answer

    def _empty(self, told: _Told, request: TrialRequest, frame_tag: int) -> str | None:
        """Deletes all connections and looks whether they are gone; what is wrong in one line."""
        still = 0
        held: list[int] = []
        if not self.device.alive():
            try:
                self._bring_back()
            except DeviceError as failure:
                raise DeviceError(f"{not_alive(self.device)}; {failure}") from failure
        for attempt in range(ATTEMPTS):
            if attempt:
                self.sleep(PAUSE_S * 2**attempt)
            self._delete()
            self._ask_again()
            told.known.held_before = self.device.count_state()
            held.append(told.known.held_before or 0)
            if not told.known.held_before or (attempt == ATTEMPTS - 1 and told.known.held_before <= OWN_ENTRIES):
                still, tried = self.old.let_in(self.trial, request, frame_tag)
                if not still:
                    self._forget_tried(told, tried)
                    return None
        if still:
            return f"the DUT was told {ATTEMPTS} times to empty its table, but {_came_in(still, tried)}"
        unchanged = ": that changes nothing" if len(set(held)) == 1 else ""
        told_to = f"it was told {ATTEMPTS} times to empty its table"
        return f"the DUT still holds {held[-1]:,} connections after {told_to}{unchanged}"

    def _delete(self) -> None:
        self.old.phase_1 = None
        self.device.clear_state()

    def _ask_again(self) -> None:
        """Who doesn't answer now is asked again when frames are missing."""
        if self.device.answers_anew:
            self.engine.resolve()

    def _forget_tried(self, told: _Told, tried: int) -> None:
        """Old frames that didn't come in may have made entries of their own (a kernel's table takes them)."""
        if not tried:
            return
        told.known.old_tried = tried
        if told.known.held_before is not None and (self.device.count_state() or 0) > told.known.held_before:
            self._delete()
            self._ask_again()
            told.known.held_before = self.device.count_state()

    def _clear(self, told: _Told, answer: TrialAnswer) -> TrialAnswer:
        """RFC 9693 §4.8: TimestampA, delete all, TimestampB; then see that the table is empty."""
        started = self.now_s()
        self._delete()
        told.known.cleared_s = round(self.now_s() - started, 6)
        self._ask_again()
        left = self.device.count_state() or 0
        if left > OWN_ENTRIES:
            as_before = f", of {told.known.held:,} before" if told.known.held is not None else ""
            text = f"the DUT still holds {left:,} connections right after its table was deleted{as_before}"
            return _not_emptied(answer, text)
        return answer

    def _phase(self, request: TrialRequest, frame_tag: int, told: _Told, trial: Ask | None = None) -> TrialAnswer:
        with device_load(self.device, request.sending_s) as told.load:
            answer = (trial or self.trial)(request, frame_tag)
        told.load.over(answer)
        self.old.saw(answer)
        asked = self._asked(answer)
        if asked.silent:
            told.known.collapsed = f"{asked.problem}{self._restarted()}"
        elif asked.problem is not None:
            return silent_trial(answer, asked.problem)
        return answer

    def _asked(self, answer: TrialAnswer) -> Asked:
        """RFC 9693 §4.9: a DUT may collapse; how that is found out is left open."""
        if not self.device.alive():
            return Asked(not_alive(self.device), silent=True)
        if answer.complete:
            return Asked(None)
        if self.device.stopped():
            return Asked(STOPPED, silent=not self._goes_on())
        return ask_behind(self.engine, answer)

    def _goes_on(self) -> bool:
        """Whether a DUT that was stopped goes on in time."""
        end = self.now_s() + PATIENCE_S
        while self.device.stopped():
            if self.now_s() > end:
                return False
            self.sleep(AGAIN_S)
        return True

    def _restarted(self) -> str:
        """Brings a collapsed DUT back; what came of it, to be added to the collapse."""
        self.say("  the DUT collapsed; it is restarted")
        try:
            self._bring_back()
        except DeviceError as failure:
            return f"; it could not be restarted: {failure}"
        return "; it was restarted"

    def _bring_back(self) -> None:
        self.old.phase_1 = None
        self.device.restart()
        self.sleep(RESTARTED_S)
        waited_s = 0.0
        while not self.device.alive():
            if waited_s >= WORKS_WITHIN_S:
                raise DeviceError(f"also after a restart {not_alive(self.device)}")
            self.sleep(RESTARTED_S)
            waited_s += RESTARTED_S
        self.set_again()
        silent = no_answer(self.engine.resolve(ANSWERS_WITHIN_S))
        if silent:
            raise DeviceError(f"also after a restart {silent}")


def _came_in(still: int, tried: int) -> str:
    which = "frames on connections that it should have forgotten"
    return f"{still} of {tried} {which} came in: what empties it does not reach all of it"


def _not_emptied(answer: TrialAnswer, text: str) -> TrialAnswer:
    """Of a table that isn't empty after it was deleted."""
    return answer.model_copy(update={"valid": False, "reasons": (InvalidReason(code="not_emptied", text=text),)})


def _no_trial(frame_tag: int) -> TrialAnswer:
    """In place of the engine's answer where the last phase did not take place."""
    nothing = PortCounts(received=0)
    return TrialAnswer(frame_tag=frame_tag, valid=True, elapsed_s=0.0, left=nothing, right=nothing)
