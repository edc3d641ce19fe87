"""The Tester as a campaign sees it: sizes of frames, and trials with the waits of RFC 2544 §23."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any, Protocol

from xlatperf.config.bench import Bench
from xlatperf.config.request import ALL_FOREGROUND, configure_message, open_message, trial_connections
from xlatperf.devices.device import Device, DeviceError
from xlatperf.engine.acceptable import ACCEPTABLE
from xlatperf.engine.client import Engine
from xlatperf.engine.message import DirectionName
from xlatperf.engine.trial_answer import Event, TrialAnswer
from xlatperf.procedures.first_look import LOST_AMONG, TRAFFIC_CLASS
from xlatperf.procedures.series import Series
from xlatperf.procedures.trial_request import FIRST_LOOK, WITHOUT_LOAD, TrialRequest
from xlatperf.results.frames import SideSizes
from xlatperf.run import raw_delays, sending_part
from xlatperf.run.answering import Answering
from xlatperf.run.cell_sizes import CellSizes, foreground_sizes
from xlatperf.run.device_load import device_load
from xlatperf.run.engines import engine_for
from xlatperf.run.experiment import FRAME_TAGS, Experiments, frame_tags
from xlatperf.run.fence import Fences
from xlatperf.run.joined import Joined, memory
from xlatperf.run.loopback import not_opened, open_connections
from xlatperf.run.old_connections import Ask, OldConnections
from xlatperf.run.pause import pause
from xlatperf.run.runs import Run

COUNTED_S = 1.0
"""So much of the DUT's rest is still received, and what comes then is `after_wait`; what comes later is `stale` in the
next trial. No more, as a DUT that died is asked behind it."""
SAMPLES = 4
"""Wrong frames that are kept per trial and reason."""
HELD_UP_S = 0.25
"""An untimed trial bears it that the host holds the Tester up for so long: the rest leaves later, at most twice as
fast."""


class Sizes(Protocol):
    """What is known before any trial."""

    def sizes(self, frame_size: int, directions: Sequence[DirectionName]) -> CellSizes:
        """Of the frames that these directions have."""
        ...

    def media_mbps(self) -> float | None:
        """Speed of the slower port; None if unknown."""
        ...


class Tester(Sizes, Protocol):
    """What a campaign needs; tests give a simulated one."""

    def require(self, bench: Bench) -> None:
        """From now on frames must come back as this bench says: what was learnt of the DUT is in it."""
        ...

    def trial(self, run: Run, request: TrialRequest, frame_tag: int) -> TrialAnswer:
        """Runs one trial with its waits."""
        ...


class EngineTester:
    """A Tester that is an engine with open ports."""

    def __init__(
        self,
        engine: Engine,
        bench: Bench,
        sleep: Callable[[float], None] = pause,
        *,
        folder: Path | None = None,
        device: Device | None = None,
        say: Callable[[str], None] = lambda _: None,
        joined: Callable[[], AbstractContextManager[Joined]] | None = None,
    ) -> None:
        """`folder` is for raw delays, `device` for what only its driver can do. `say` tells a person something.

        `joined`: where the Tester is measured alone; None: in memory.
        """
        self._engine = engine
        self._bench = bench
        self._sleep = sleep
        self._folder = folder
        self._device = device
        self._say = say
        self._joined = joined or (lambda: nullcontext(memory(bench)))
        self._set = Series(0)
        """What the device was told."""
        self._old = OldConnections()
        self._fences = Fences()
        self._configured: dict[str, Any] | None = None
        self._rested_at = 0.0
        self._answering = Answering(engine, bench, device, say)

    def _configure(
        self,
        mix: tuple[int, int],
        part: int | None = None,
        series: Series | None = None,
        **others: Any,
    ) -> None:
        bench, subscribers = self._bench, None
        if series is not None:
            bench, subscribers = bench.at(series), series.subscribers if part is None else None
        wanted = configure_message(bench, mix, part=part, subscribers=subscribers, **others)
        if wanted != self._configured:
            sending_part.configure(self._engine.configure, wanted, part)
            self._configured = wanted
            self._old.forget()

    def require(self, bench: Bench) -> None:
        """The next trial is configured so."""
        self._bench = bench

    def sizes(self, frame_size: int, directions: Sequence[DirectionName]) -> CellSizes:
        """Asks the engine, which knows the technology."""
        self._configure(ALL_FOREGROUND)
        of = self._bench.traffic.frame_size_of
        if of != "sender" and not self._bench.technology.option_bytes:
            directions = ("forward",)  # both ways are the same
        told, longest = foreground_sizes(
            directions, of == "sender", lambda name: self._engine.show(frame_size, of, 1, [name])[0]
        )
        return CellSizes(told, longest, self._background_size(frame_size, longest, directions))

    def _background_size(self, frame_size: int, foreground: SideSizes, directions: Sequence[DirectionName]) -> int:
        take, of = next((mix for mix in self._bench.traffic.mix if mix[0] < mix[1]), ALL_FOREGROUND)
        if take == of:
            return max(foreground.left, foreground.right)
        self._configure((take, of))
        frames = self._engine.show(frame_size, self._bench.traffic.frame_size_of, min(of, 64), directions)
        background = [max(one.sent.size, one.expected.size) for one in frames if one.class_ == "background"]
        return max(background, default=max(foreground.left, foreground.right))

    def media_mbps(self) -> float | None:
        """Speed of the slower port; None if a port does not know its speed."""
        return None if self._engine.opened is None else self._engine.opened.media_mbps

    def trial(self, run: Run, request: TrialRequest, frame_tag: int) -> TrialAnswer:
        """RFC 2544 §23: (e) rest after the last trial, (b) learning frames and wait, (c) run, (d) wait for the rest.

        The learning frames are ARP requests and Neighbor Solicitations from the Tester. An experiment of RFC 9693 §4.4
        has these waits once: between its phases the DUT must not forget anything. A trial after which the DUT no longer
        answers is none. Raises NoAnswer, DeviceError.
        """
        if request.tester_alone:
            return self._alone(run, request, frame_tag)
        measure = run.cell.measure
        without_load = request.purpose in WITHOUT_LOAD
        self._configure(run.cell.mix, request.part, run.cell.series, **_otherwise(request))
        self._set_device(run.cell.series)
        if request.connections is not None and not request.connections.count:
            return self._experiments(run.cell.series).run(request, frame_tag)  # no frame is sent
        restarted = request.connections is not None  # an experiment does that
        if without_load:  # nothing to rest from, and nothing is measured
            self._answering.need(restarted=restarted)
            ask = self._plain if request.connections is None else self._experiments(run.cell.series).run
            return self._answering.still_there(ask(request, frame_tag))
        self._sleep(max(0.0, self._rested_at - time.monotonic()))
        self._answering.need(restarted=restarted)
        self._sleep(measure.learning_wait_s)
        measured, settled_s = partial(self._plain, settle_s=min(measure.settle_s, COUNTED_S)), 0.0
        try:
            if request.connections is not None:
                answer = self._experiments(run.cell.series, measured).run(request, frame_tag)
            else:
                answer = self._with_load(request, frame_tag, measured)
            settled_s = answer.settled_s
            return answer
        finally:
            if request.event is not None:
                self._set = Series(0)  # whoever was restarted may have forgotten it
            self._rested_at = time.monotonic() + measure.settle_s - settled_s

    def _set_device(self, series: Series) -> None:
        """As the series wants it (RFC 9693 §5.2, §6). Raises DeviceError."""
        cores, sizes = series.device_cores, (series.table_size, series.hash_size)
        if cores is not None and cores != self._set.device_cores:
            self._driven("device_cores").set_cores(cores)
        if sizes != (None, None) and sizes != (self._set.table_size, self._set.hash_size):
            self._driven("table_size, hash_size").set_table(*sizes)
        self._set = series

    def _driven(self, place: str) -> Device:
        if self._device is None:
            raise DeviceError(f"{place}: there is no driver to set that")
        return self._device

    def _experiments(self, series: Series, measured: Ask | None = None) -> Experiments:
        def set_again() -> None:
            self._set = Series(0)
            self._set_device(series)

        if self._device is None:
            raise DeviceError("there is no driver that could empty the DUT's connection tracking table")
        return Experiments(
            self._engine,
            self._device,
            self._plain,
            self._sleep,
            self._say,
            set_again,
            self._old,
            measured,
        )

    def _with_load(self, request: TrialRequest, frame_tag: int, measured: Ask) -> TrialAnswer:
        watched = self._device if request.event is None else None  # who is restarted can't be asked meanwhile
        with device_load(watched, request.sending_s) as load:
            answer = measured(request, frame_tag)
        load.over(answer)
        if request.event is None:
            ask = partial(self._plain, frame_tag=(frame_tag + FRAME_TAGS // 2) % FRAME_TAGS)
            answer = self._answering.behind(answer, request, ask)
        return answer.model_copy(update=load.added)

    def _plain(self, request: TrialRequest, frame_tag: int, settle_s: float = 0.0) -> TrialAnswer:
        """One trial of the engine. `settle_s`: how long it goes on receiving, if nothing follows it at once."""
        event = _EventDuringTrial(
            request, self._sleep, self._device.restart if self._device is not None else None, self._say
        )
        message = {**trial_message(self._bench, request, frame_tag), **self._fences.asked(request)}
        if settle_s:
            message["settle_s"] = settle_s
        if request.raw_delays and self._folder is not None:
            message["raw_delays"] = str(raw_delays.unfinished(self._folder, frame_tag))
        answer = self._fences.saw(self._engine.trial(message, event.happen))
        return answer if event.happened is None else answer.model_copy(update={"event": event.happened})

    def _alone(self, run: Run, request: TrialRequest, frame_tag: int) -> TrialAnswer:
        """The same trial without the DUT, by a second engine on the same cores."""
        with self._joined() as joined, engine_for(self._bench, joined.at) as engine:
            cell = run.cell
            bench, subscribers = self._bench.at(cell.series), cell.series.subscribers
            engine.configure(configure_message(bench, cell.mix, loopback=True, subscribers=subscribers))
            engine.open(open_message(self._bench, joined.at.left_port, joined.at.right_port))

            def trial(asked: TrialRequest, tag: int = frame_tag) -> TrialAnswer:
                return engine.trial(trial_message(self._bench, asked, tag, samples=0))

            failed = open_connections(request, trial)
            tag = frame_tag + frame_tags(request) - 1
            answer = trial(request, tag) if failed is None else not_opened(failed, tag)
            return answer.model_copy(update={"over": joined.over})


def _otherwise(request: TrialRequest) -> dict[str, Any]:
    """Than the bench says. What the DUT spoils without harm must not hide its hops, or what it refuses."""
    if request.purpose not in WITHOUT_LOAD:
        return {}
    return {"accept": ACCEPTABLE, **({"traffic_class": TRAFFIC_CLASS} if request.purpose == FIRST_LOOK else {})}


class _EventDuringTrial:
    """What is done to the DUT while a trial runs, and when.

    It happens in the thread that started the DUT: a process of the lab ends when that thread does (PR_SET_PDEATHSIG).
    """

    def __init__(
        self,
        request: TrialRequest,
        sleep: Callable[[float], None],
        restart: Callable[[], None] | None,
        say: Callable[[str], None],
    ) -> None:
        self._request = request
        self._sleep = sleep
        self._restart = restart
        self._say = say
        self.happened: Event | None = None

    def happen(self) -> None:
        """Called right after the trial was asked for."""
        request = self._request
        if request.event is None:
            return
        asked = time.monotonic()
        self._sleep(request.event_at_s or 0.0)
        started = time.monotonic()
        error: str | None = None
        if request.event == "manual":
            self._say("  reset the DUT now")
        elif self._restart is None:
            error = "there is no driver to restart it"
        else:
            try:
                self._restart()
            except DeviceError as failure:
                error = str(failure)
        self.happened = Event(
            kind=request.event,
            started_s=round(started - asked, 6),
            ended_s=round(time.monotonic() - asked, 6),
            error=error,
        )


def trial_message(bench: Bench, request: TrialRequest, frame_tag: int, samples: int = SAMPLES) -> dict[str, Any]:
    """The engine's `trial` request."""
    return {
        "request": "trial",
        "number": frame_tag,
        **({"frame_sizes": request.frame_sizes} if request.frame_sizes else {"frame_size": request.frame_size}),
        "frame_size_of": request.frame_size_of,
        "rate_fps": request.rate_fps,
        **trial_connections(request),
        "timeout_s": request.timeout_s,
        "directions": list(request.directions),
        "frame_timeout_ms": request.frame_timeout_ms,
        "histograms": request.histograms,
        "samples": samples,
        "schedule": _schedule(bench, request),
        "then": [{"rate_fps": step.rate_fps, "duration_s": step.duration_s} for step in request.then],
        "delay_variation": request.delay_variation,
        "due_delays": request.due_delays,
        **({"incremental": asdict(request.incremental)} if request.incremental is not None else {}),
        **({"follow_gateway": True} if request.event is not None else {}),
        **({"interval_s": request.interval_s} if request.interval_s is not None else {}),
        **({"lost_among": LOST_AMONG} if request.purpose == FIRST_LOOK else {}),
        **({"alter": [change.message() for change in request.alter]} if request.alter else {}),
        **({"tags": {"count": request.tags.count, "from_s": request.tags.from_s}} if request.tags is not None else {}),
    }


def _schedule(bench: Bench, request: TrialRequest) -> dict[str, Any]:
    """How its frames leave, and how late they may."""
    schedule = bench.tester.schedule
    wanted: dict[str, Any] = schedule.model_dump(mode="json")
    if not request.untimed:
        return wanted
    overrun = max(schedule.overrun, HELD_UP_S / request.sending_s)
    return {**wanted, "late_us": max(schedule.late_us, 1e6 * HELD_UP_S), "overrun": overrun}
