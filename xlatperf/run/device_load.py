"""CPU use of the parts of the DUT while a trial sends: samples by a clock of their own, between the first frame and the
last.

So a part can't have used more than there is, whatever it does before and after, or how late a sample is taken.
"""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, Protocol

from xlatperf.engine.trial_answer import LoadSample, TrialAnswer

EVERY_S = 1.0
PER_TRIAL = 10
"""A short trial has so many, at most one each `DeviceDriver.cpu_every_s`."""
MOST = 1000
"""Of a long trial so many are taken, further apart."""
ENDS_WITHIN_S = 60.0
"""How long a sample may take at the end."""


class HasCpu(Protocol):
    """A device driver that may know CPU times."""

    cpu_every_s: float

    def cpu_s(self) -> dict[str, float]:
        """CPU time in s used so far by each part."""
        ...


@dataclass(frozen=True)
class Sample:
    """CPU time in s that parts had used at `at_s` of CLOCK_MONOTONIC."""

    at_s: float
    used_s: dict[str, float]


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
        """Cores' worth, to be added to the answer as its `device_cpu`, and from sample to sample as `device_load`.

        Of each part that at least two samples tell of while frames were sent; some tell less often than others.
        """
        if self.starts_at_s is None:
            return {}
        start_s, end_s = self.starts_at_s, self.starts_at_s + self.sending_s
        inside = [sample for sample in self.samples if start_s <= sample.at_s <= end_s]
        all_s: dict[str, float] = {}
        steps: dict[tuple[float, float], dict[str, float]] = {}
        for name in dict.fromkeys(name for sample in inside for name in sample.used_s):
            told = [sample for sample in inside if name in sample.used_s]
            if len(told) > 1:
                all_s[name] = _cores(name, told[0], told[-1])
            for one, two in pairwise(told):
                steps.setdefault((one.at_s, two.at_s), {})[name] = _cores(name, one, two)
        if not all_s:
            return {}
        load = [
            LoadSample(from_s=round(one_s - start_s, 3), to_s=round(two_s - start_s, 3), cores=cores)
            for (one_s, two_s), cores in sorted(steps.items(), key=lambda step: step[0])
        ]
        return {"device_cpu": all_s, "device_load": tuple(load)}


def _cores(name: str, one: Sample, two: Sample) -> float:
    """What a part used between two samples, as a share of the time: 1 is one core."""
    return round(max(0.0, two.used_s[name] - one.used_s[name]) / (two.at_s - one.at_s), 4)


def every_s(device: HasCpu, sending_s: float) -> float:
    """How often a trial's load is sampled."""
    return max(device.cpu_every_s, min(EVERY_S, sending_s / PER_TRIAL), sending_s / MOST)


@contextlib.contextmanager
def device_load(
    device: HasCpu | None, sending_s: float, now_s: Callable[[], float] = time.monotonic
) -> Iterator[DeviceLoad]:
    """What the DUT's parts use meanwhile, where its driver knows. Raises what the driver raises."""
    load = DeviceLoad()
    if device is None or not device.cpu_s():
        yield load
        return
    failed: list[Exception] = []
    over = threading.Event()

    def sample() -> None:
        try:
            while not over.wait(every_s(device, sending_s)):
                used_s = device.cpu_s()
                load.samples.append(Sample(now_s(), used_s))
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
