"""The Tester as a campaign sees it: sizes of frames, and trials with the waits of RFC 2544 §23."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Protocol

from xlatperf.campaign import raw_delays
from xlatperf.campaign.results import SideSizes
from xlatperf.campaign.runs import Run
from xlatperf.config.bench import Bench
from xlatperf.config.request import configure_message, open_message
from xlatperf.devices.device import DeviceError
from xlatperf.engine.client import Engine
from xlatperf.procedures.trial import TrialRequest

SAMPLES = 4
"""Wrong frames that are kept per trial and reason."""


class NoAnswer(Exception):
    """The DUT does not answer ARP or Neighbor Discovery. `silent`: side, family and address."""

    def __init__(self, silent: list[tuple[str, str, str]]) -> None:
        self.silent = silent
        super().__init__("; ".join(no_answer_text(side, family, address) for side, family, address in silent))


def no_answer_text(side: str, family: str, address: str) -> str:
    """One line for a gateway that did not answer."""
    question = "ARP" if family == "ipv4" else "Neighbor Discovery"
    return (
        f"the DUT at {address} on the {side} side did not answer {question}: is it up, is the address right "
        f"(tester.{side}.gateway_{family}), is the cable in the right port?"
    )


class Tester(Protocol):
    """What a campaign needs; tests give a simulated one."""

    def sizes(self, frame_size: int) -> tuple[SideSizes, int]:
        """Foreground frame on each side and background frame, bytes with FCS."""
        ...

    def media_mbps(self) -> float | None:
        """Speed of the slower port; None if unknown."""
        ...

    def trial(self, run: Run, request: TrialRequest, frame_tag: int) -> dict[str, Any]:
        """Runs one trial with its waits; the engine's answer as it is."""
        ...


class EngineTester:
    """A Tester that is an engine with open ports."""

    def __init__(
        self,
        engine: Engine,
        bench: Bench,
        sleep: Callable[[float], None] = time.sleep,
        *,
        folder: Path | None = None,
        restart: Callable[[], None] | None = None,
        say: Callable[[str], None] = lambda _: None,
    ) -> None:
        """`folder` is for raw delays; `restart` restarts the DUT (RFC 6201) and raises DeviceError.

        `say` tells a person something.
        """
        self._engine = engine
        self._bench = bench
        self._sleep = sleep
        self._folder = folder
        self._restart = restart
        self._say = say
        self._mix: tuple[int, int] | None = None
        self._rested_at = 0.0

    def _configure(self, mix: tuple[int, int]) -> None:
        if mix != self._mix:
            self._engine.configure(configure_message(self._bench, mix))
            self._mix = mix

    def sizes(self, frame_size: int) -> tuple[SideSizes, int]:
        """Asks the engine, which knows the technology: Python calculates no headers."""
        self._configure((1, 1))
        frames = self._engine.show(frame_size, self._bench.traffic.frame_size_of, 1, ["forward"])
        left, right = len(frames[0].sent.hex) // 2 + 4, len(frames[0].expected.hex) // 2 + 4
        return SideSizes(left=left, right=right), self._background_size(frame_size, left, right)

    def _background_size(self, frame_size: int, left: int, right: int) -> int:
        take, of = next((mix for mix in self._bench.traffic.mix if mix[0] < mix[1]), (1, 1))
        if take == of:
            return max(left, right)
        self._configure((take, of))
        for shown in self._engine.show(frame_size, self._bench.traffic.frame_size_of, min(of, 64), ["forward"]):
            if shown.class_ == "background":
                return len(shown.sent.hex) // 2 + 4
        return max(left, right)

    def media_mbps(self) -> float | None:
        """Speed of the slower port; None if a port does not know its speed."""
        opened = self._engine.opened
        if opened is None or not opened.left.speed_mbps or not opened.right.speed_mbps:
            return None
        return float(min(opened.left.speed_mbps, opened.right.speed_mbps))

    def trial(self, run: Run, request: TrialRequest, frame_tag: int) -> dict[str, Any]:
        """RFC 2544 §23: (e) rest after the last trial, (b) learning frames and wait, (c) run, (d) wait for the rest.

        The learning frames are ARP requests and Neighbor Solicitations from the Tester. Raises NoAnswer.
        """
        if request.tester_alone:
            return self._alone(run, request, frame_tag)
        measure = run.cell.measure
        self._configure(run.cell.mix)
        self._sleep(max(0.0, self._rested_at - time.monotonic()))
        silent = self._engine.resolve().silent()
        if silent:
            raise NoAnswer(list(silent))
        self._sleep(measure.learning_wait_s)
        event = _EventDuringTrial(request, self._sleep, self._restart, self._say)
        try:
            message = trial_message(self._bench, request, frame_tag)
            if request.raw_delays and self._folder is not None:
                message["raw_delays"] = str(raw_delays.unfinished(self._folder, frame_tag))
            answer = self._engine.trial(message, event.happen)
        finally:
            self._rested_at = time.monotonic() + measure.settle_s
        return answer if event.record is None else {**answer, "event": event.record}

    def _alone(self, run: Run, request: TrialRequest, frame_tag: int) -> dict[str, Any]:
        """The same trial in loopback, by a second engine on the same cores, over two ports in memory."""
        with Engine() as engine:
            engine.configure(configure_message(self._bench, run.cell.mix, loopback=True))
            engine.open(open_message(self._bench, "net_ring0", "net_ring1"))
            return engine.trial(trial_message(self._bench, request, frame_tag, samples=0))


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
        self.record: dict[str, Any] | None = None

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
        self.record = {
            "kind": request.event,
            "started_s": round(started - asked, 6),
            "ended_s": round(time.monotonic() - asked, 6),
            "error": error,
        }


def trial_message(bench: Bench, request: TrialRequest, frame_tag: int, samples: int = SAMPLES) -> dict[str, Any]:
    """The engine's `trial` request."""
    return {
        "request": "trial",
        "number": frame_tag,
        "frame_size": request.frame_size,
        "frame_size_of": request.frame_size_of,
        "rate_fps": request.rate_fps,
        "duration_s": request.duration_s,
        "timeout_s": request.timeout_s,
        "directions": list(request.directions),
        "frame_timeout_ms": request.frame_timeout_ms,
        "histograms": request.histograms,
        "samples": samples,
        "schedule": bench.tester.schedule.model_dump(mode="json"),
        "then": [{"rate_fps": step.rate_fps, "duration_s": step.duration_s} for step in request.then],
        "delay_variation": request.delay_variation,
        "due_delays": request.due_delays,
        **({"tags": {"count": request.tags.count, "from_s": request.tags.from_s}} if request.tags is not None else {}),
    }
