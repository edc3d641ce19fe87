"""A stateful gateway that is only numbers: the model of RFC 9693 §4.3 with a table, its policy and limits."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass, field
from itertools import islice
from random import Random
from typing import Literal

from tests.simulated_dut import answer, sent
from tests.trials import changed, trial_of, without_frames
from xlatperf.engine.message import DirectionName
from xlatperf.engine.trial_answer import Experiment
from xlatperf.procedures.connections import Connections
from xlatperf.procedures.trial import Trial
from xlatperf.procedures.trial_request import TrialRequest

Policy = Literal["refuse", "oldest", "collect", "some"]


@dataclass
class StatefulDut:
    """`measure` of procedures. Rates per second, times in s.

    `size`: of the table; `policy` when it is full: refuse new ones, delete the oldest, delete the `k` oldest at once,
    or as a full Linux kernel: mostly delete some old one, sometimes refuse.
    `own`: entries of its own; `says`: its count, whatever there is. `loses`: a share of all frames, at random.
    `collapse_above`: it breaks down with more connections, and recovers if `recovers`. `strays`: experiments that lose
    one frame of their last phase. `invalid`: reason by experiment.
    """

    establish_fps: float = 50_000.0
    forward_fps: float = 200_000.0
    size: int = 1_000_000
    policy: Policy = "refuse"
    k: int = 1
    own: int = 0
    timeout_s: float = 1e9
    collapse_above: int | None = None
    recovers: bool = True
    clear_s: float = 0.010
    clear_each_s: float = 1e-6
    counts: bool = True
    says: int | None = None
    loses: float = 0.0
    strays: frozenset[int] = frozenset()
    invalid: dict[int, str] = field(default_factory=dict)
    tester_fps: float = 1e12
    slower_with: dict[int, float] = field(default_factory=dict)
    """From so many connections on, it establishes at this rate."""
    requests: list[TrialRequest] = field(default_factory=list)
    busy_s: float = 0.0
    dead: bool = False

    def __call__(self, request: TrialRequest) -> Trial:
        number = len(self.requests)
        self.requests.append(request)
        wanted = request.connections
        assert wanted is not None
        if self.collapse_above is not None and wanted.count > self.collapse_above:
            self.dead = not self.recovers
            return self._collapsed(number, request)
        if self.dead:
            return self._collapsed(number, request)
        if not wanted.count:
            empty = Experiment(held_before=0, held=0, cleared_s=self.clear_s if wanted.clear else None)
            return without_frames(number, request=request, experiment=empty)
        establish = request
        if wanted.phase != "establish":
            assert wanted.establish_fps is not None
            establish = request.experiment(Connections(wanted.count, "establish"), wanted.establish_fps, "")
        table, first = self._establish(number, establish, wanted.phase == "establish")
        held = len(table) + self.own if self.counts else None
        held = held if self.says is None else self.says
        cleared = self.clear_s + self.clear_each_s * len(table) if wanted.clear else None
        experiment = Experiment(held_before=self.own if self.counts else None, held=held, cleared_s=cleared)
        if wanted.phase == "establish":
            return changed(first, experiment=experiment)
        experiment = experiment.model_copy(update={"first_phase": first, "may_lose": wanted.may_lose})
        if not first.valid or not first.passed({"forward": wanted.may_lose}):
            nothing = without_frames(number, valid=first.valid, request=request, experiment=experiment)
            return changed(nothing, reasons=first.reasons)
        begin = establish.duration_s + request.timeout_s + wanted.wait_s
        return changed(self._second(number, request, table, begin), experiment=experiment)

    def _collapsed(self, number: int, request: TrialRequest) -> Trial:
        gone = Experiment(collapsed="its links are down")
        return without_frames(number, "link_down", valid=False, request=request, experiment=gone)

    def _rate_limit(self, count: int) -> float:
        limits = [rate for connections, rate in self.slower_with.items() if count >= connections]
        return min([self.establish_fps, self.forward_fps, *limits])

    def _establish(self, number: int, request: TrialRequest, last: bool) -> tuple[OrderedDict[int, float], Trial]:
        assert request.connections is not None
        count, rate = request.connections.count, request.rate_fps
        self.busy_s += count / rate
        table: OrderedDict[int, float] = OrderedDict()
        chance = Random(number)
        through = 0
        share = min(1.0, self._rate_limit(count) / rate)
        for connection in range(count):
            now = connection / rate
            while table and now - next(iter(table.values())) > self.timeout_s:
                table.popitem(last=False)
            if int((connection + 1) * share + 1e-9) == int(connection * share + 1e-9):
                continue
            if len(table) >= self.size - self.own:
                if self.policy == "refuse" or (self.policy == "some" and chance.random() < 0.2):
                    continue
                if self.policy == "some":
                    table.move_to_end(chance.choice(list(islice(table, 20))), last=False)
                for _ in range(self.k if self.policy == "collect" else 1):
                    table.popitem(last=False)
            table[connection] = now
            through += chance.random() >= self.loses
        through -= last and number in self.strays
        return table, self._outcome(number, request, through, self.invalid.get(number) if last else None)

    def _second(self, number: int, request: TrialRequest, table: OrderedDict[int, float], begin_s: float) -> Trial:
        assert request.connections is not None
        self.busy_s += request.duration_s + request.connections.wait_s
        share = min(1.0, self.forward_fps / request.rate_fps)
        if request.connections.phase == "steady":
            through = min(sent(request), int(self.forward_fps * request.duration_s + 1e-9))
            return self._outcome(number, request, through, self.invalid.get(number))
        through, chance = 0, Random(number)
        for connection in range(request.connections.count):
            now = begin_s + connection / request.rate_fps
            forwarded = int((connection + 1) * share + 1e-9) > int(connection * share + 1e-9)
            known = connection in table and now - table[connection] <= self.timeout_s
            through += forwarded and known and chance.random() >= self.loses
        return self._outcome(number, request, through - (number in self.strays), self.invalid.get(number))

    def _outcome(self, number: int, request: TrialRequest, through: int, reason: str | None) -> Trial:
        reasons = (reason,) if reason else ("sent_less",) if request.rate_fps > self.tester_fps else ()

        def received(_: TrialRequest, __: DirectionName) -> int:
            return through

        return trial_of(number, request, answer(request, received, reasons))
