"""Where trials take place: the Tester alone over memory, into nothing, or with the reference device over memif."""

from __future__ import annotations

import contextlib
import itertools
import os
import signal
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from bench.accuracy.core_time import stolen_us, waited_us
from bench.accuracy.order import Order, Standstill
from bench.accuracy.taken import Taken
from xlatperf.config.bench import Bench
from xlatperf.config.load import parse_bench
from xlatperf.config.request import configure_message, open_message
from xlatperf.devices.device import DeviceError
from xlatperf.devices.reference import ReferenceDevice
from xlatperf.engine.client import Engine
from xlatperf.engine.messages import OpenAnswer
from xlatperf.run.experiment import FRAME_TAGS
from xlatperf.run.session import session

LOOPBACK = ("net_ring0", "net_ring1")
NOWHERE = ("net_null0,no-rx=1", "net_null1,no-rx=1")


@dataclass(frozen=True)
class Cores:
    """The Tester's worker and the reference device each have one, where there are two."""

    tester: int
    device: int

    @property
    def own(self) -> bool:
        """Whether each has its own."""
        return self.tester != self.device


def choose_cores() -> Cores:
    """Core 1 for the Tester, core 0 for the device, on a machine with two."""
    available = sorted(os.sched_getaffinity(0))
    return Cores(tester=available[-1], device=available[0])


class Place:
    """Takes trials. `opened`: the engine's answer to `open`."""

    def __init__(self, engine: Engine, opened: OpenAnswer, cores: Cores, device: ReferenceDevice | None = None) -> None:
        self.opened = opened
        self._engine = engine
        self._cores = cores
        self._device = device
        self._numbers = itertools.count(1)

    def take(self, order: Order) -> Taken:
        """One trial, with the device's counters from its beginning on."""
        self._prepare(order)
        before = self._taken_away()
        message = order.message(next(self._numbers) % FRAME_TAGS)
        with self._standing_still(order.standstill) as begin:
            answer = self._engine.trial(message, begin)
        waited = self._taken_away() - before
        counters: Mapping[str, Any] = {}
        if self._device is not None:
            counters = self._device.request({"request": "counters"})
        sending_s = order.duration_s + sum(duration for _, duration in order.then)
        return Taken(answer, counters, waited, sending_s)

    @contextlib.contextmanager
    def _standing_still(self, order: Standstill | None) -> Iterator[Callable[[], None]]:
        """What to call when the trial has begun."""
        if order is None:
            yield lambda: None
            return
        pid = self._engine.pid if order.who == "tester" else None if self._device is None else self._device.pid
        if pid is None:
            raise DeviceError("the reference device's process isn't there")
        thread = threading.Thread(target=stand_still, args=(pid, order))
        try:
            yield thread.start
        finally:
            if thread.ident is not None:
                thread.join()

    def _taken_away(self) -> float:
        return waited_us(self._engine.pid) + stolen_us([self._cores.tester])

    def _prepare(self, order: Order) -> None:
        """Impairments count from the first frame of the trial."""
        if self._device is None:
            return
        wanted = {name: order.impair if name in order.directions else {} for name in ("forward", "reverse")}
        self._device.request({"request": "impair", **wanted})
        self._device.request({"request": "reset"})


def stand_still(pid: int, order: Standstill) -> None:
    """Stops the process for a while."""
    time.sleep(order.after_s)
    os.kill(pid, signal.SIGSTOP)
    try:
        time.sleep(order.for_s)
    finally:
        os.kill(pid, signal.SIGCONT)


SIIT = '{ name = "siit", ipv6_side = "left" }'
NAT44 = '{ name = "nat44", pool = { first = "198.19.0.1" } }'


def bench_of(cores: Cores, technology: str = SIIT) -> Bench:
    """Each with its core, both polling: nobody else is to use these cores."""
    idle = "poll" if cores.own else "yield"
    return parse_bench(
        f"""
        technology = {technology}
        tester = {{ cores = [{cores.tester}], idle = "{idle}", nice = -20 }}
        device = {{ driver = "reference", core = {cores.device}, idle = "{idle}", static_neighbours = true }}
        """,
        "accuracy",
    )


@contextlib.contextmanager
def precedence() -> Iterator[None]:
    """What is started now takes precedence over other processes, where that is allowed; we don't."""
    before = os.getpriority(os.PRIO_PROCESS, 0)
    with contextlib.suppress(PermissionError):
        os.setpriority(os.PRIO_PROCESS, 0, -20)
    try:
        yield
    finally:
        with contextlib.suppress(PermissionError):
            os.setpriority(os.PRIO_PROCESS, 0, before)


@contextlib.contextmanager
def tester_alone(ports: tuple[str, str], cores: Cores) -> Iterator[Place]:
    """LOOPBACK: what leaves on the left arrives on the right. NOWHERE: it goes nowhere."""
    bench = bench_of(cores)
    with precedence():
        engine = Engine()
    with engine:
        engine.configure(configure_message(bench, (1, 1), loopback=True))
        yield Place(engine, engine.open(open_message(bench, *ports)), cores)


@contextlib.contextmanager
def with_device(cores: Cores, technology: str = SIIT) -> Iterator[Place]:
    """The reference device between the Tester's ports."""
    with contextlib.ExitStack() as stack:
        with precedence():
            running = stack.enter_context(session(bench_of(cores, technology)))
        if not isinstance(running.device, ReferenceDevice):
            raise TypeError(type(running.device).__name__)
        yield Place(running.engine, running.opened, cores, running.device)
