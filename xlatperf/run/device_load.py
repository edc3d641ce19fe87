"""CPU use of the DUT's parts, and how idle its cores were, while a trial sends: samples by a clock of their own.

Between the first frame and the last, so a part can't have used more than there is, whatever it does before and after,
or how late a sample is taken.
"""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, Protocol

from xlatperf.engine.trial_answer import IdleSample, LoadSample, TrialAnswer

EVERY_S = 1.0
PER_TRIAL = 10
"""A short trial has so many, at most one each `DeviceDriver.cpu_every_s`."""
MOST = 1000
"""Of a long trial so many are taken, further apart."""
IDLE_EVERY_S, IDLE_LEAST_S = 0.9, 0.2
"""Kernels count idle time in ticks of 10 ms: closer samples, meant to be 1 s apart, would show these; of less time
nothing is known."""
ENDS_WITHIN_S = 60.0
"""How long a sample may take at the end."""


class HasCpu(Protocol):
    """A device driver that may know CPU times."""

    cpu_every_s: float

    def cpu_s(self) -> dict[str, float]:
        """CPU time in s used so far by each part."""
        ...

    def idle_s(self) -> dict[str, float]:
        """Time in s that each core was idle when that was asked."""
        ...

    def vectors(self) -> dict[str, tuple[int, int]]:
        """Calls so far, and packets in them, of each thread that takes packets in vectors."""
        ...


@dataclass(frozen=True)
class Sample:
    """CPU time in s that parts had used at `at_s` of CLOCK_MONOTONIC, that cores had been idle; calls with packets."""

    at_s: float
    used_s: dict[str, float]
    idle_s: dict[str, float] = field(default_factory=dict)
    vectors: dict[str, tuple[int, int]] = field(default_factory=dict)


@dataclass(frozen=True)
class _Shares:
    """Of the time: over all of it, and between two times."""

    all: dict[str, float]
    steps: dict[tuple[float, float], dict[str, float]]


@dataclass
class DeviceLoad:
    """What each part of the DUT used during a trial."""

    samples: list[Sample] = field(default_factory=list)
    starts_at_s: float | None = None
    sending_s: float = 0.0

    def over(self, answer: TrialAnswer) -> None:
        """When the trial sent: what the DUT does before and after isn't its load."""
        self.starts_at_s = answer.starts_at_s
        self.sending_s = max((direction.sending_s for direction in answer.directions.values()), default=0.0)

    @property
    def added(self) -> dict[str, Any]:
        """To be added to the answer: cores' worth as its `device_cpu`, and from sample to sample as `device_load`; idle
        shares of cores as its `device_idle`, and second by second as `core_idle`; packets per call as `device_vectors`.

        Of each part that at least two samples tell of while frames were sent; some tell less often than others.
        """
        if self.starts_at_s is None:
            return {}
        start_s, end_s = self.starts_at_s, self.starts_at_s + self.sending_s
        inside = [sample for sample in self.samples if start_s <= sample.at_s <= end_s]
        used = _shares([(sample.at_s, sample.used_s) for sample in inside])
        idle = _shares([(sample.at_s, sample.idle_s) for sample in inside], IDLE_EVERY_S, IDLE_LEAST_S)
        found: dict[str, Any] = {}
        if used.all:
            found["device_cpu"] = used.all
            found["device_load"] = tuple(
                LoadSample(from_s=round(one_s - start_s, 3), to_s=round(two_s - start_s, 3), cores=cores)
                for (one_s, two_s), cores in sorted(used.steps.items(), key=lambda step: step[0])
            )
        if idle.all:
            found["device_idle"] = {name: min(1.0, share) for name, share in idle.all.items()}
            found["core_idle"] = tuple(
                IdleSample(
                    from_s=round(one_s - start_s, 3),
                    to_s=round(two_s - start_s, 3),
                    idle={name: min(1.0, share) for name, share in shares.items()},  # a tick more than there is
                )
                for (one_s, two_s), shares in sorted(idle.steps.items(), key=lambda step: step[0])
            )
        vectors = _per_call([sample.vectors for sample in inside])
        if vectors:
            found["device_vectors"] = vectors
        return found


def _per_call(samples: list[dict[str, tuple[int, int]]]) -> dict[str, float]:
    """Packets of each call between the first sample and the last; a thread that wasn't called has none."""
    found: dict[str, float] = {}
    for name in dict.fromkeys(name for sample in samples for name in sample):
        told = [sample[name] for sample in samples if name in sample]
        calls, packets = (last - first for first, last in zip(told[0], told[-1], strict=True))
        if calls > 0:
            found[name] = round(packets / calls, 2)
    return found


def _shares(samples: list[tuple[float, dict[str, float]]], every_s: float = 0.0, least_s: float = 0.0) -> _Shares:
    """`every_s`: samples that are closer are left out of the steps; `least_s`: that all together must tell of."""
    found = _Shares({}, {})
    for name in dict.fromkeys(name for _, times_s in samples for name in times_s):
        told = [sample for sample in samples if name in sample[1]]
        if len(told) > 1 and told[-1][0] - told[0][0] >= least_s:
            found.all[name] = _share(name, told[0], told[-1])
        apart = told[:1]
        for sample in told[1:]:
            if sample[0] - apart[-1][0] >= every_s:
                apart.append(sample)
        for one, two in pairwise(apart):
            found.steps.setdefault((one[0], two[0]), {})[name] = _share(name, one, two)
    return found


def _share(name: str, one: tuple[float, Mapping[str, float]], two: tuple[float, Mapping[str, float]]) -> float:
    """Of the time between two samples: 1 is one core."""
    return round(max(0.0, two[1][name] - one[1][name]) / (two[0] - one[0]), 4)


def every_s(device: HasCpu, sending_s: float) -> float:
    """How often a trial's load is sampled."""
    return max(device.cpu_every_s, min(EVERY_S, sending_s / PER_TRIAL), sending_s / MOST)


@contextlib.contextmanager
def device_load(
    device: HasCpu | None, sending_s: float, now_s: Callable[[], float] = time.monotonic
) -> Iterator[DeviceLoad]:
    """What the DUT's parts use meanwhile, where its driver knows. Raises what the driver raises."""
    load = DeviceLoad()
    if device is None or not (device.cpu_s() or device.idle_s() or device.vectors()):
        yield load
        return
    failed: list[Exception] = []
    over = threading.Event()

    def sample() -> None:
        try:
            while not over.wait(every_s(device, sending_s)):
                used_s = device.cpu_s()
                idle_s = device.idle_s()
                load.samples.append(Sample(now_s(), used_s, idle_s, device.vectors()))
        except Exception as error:  # noqa: BLE001 - it is raised in the thread that measures
            failed.append(error)

    thread = threading.Thread(target=sample, name="device load", daemon=True)
    thread.start()
    try:
        yield load
    finally:
        over.set()
        thread.join(ENDS_WITHIN_S)
    if failed:
        raise failed[0]
