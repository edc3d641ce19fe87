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
    """CPU time in s that each part had used at `at_s` of CLOCK_MONOTONIC."""

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

        Nothing if there are no two samples while frames were sent.
        """
        if self.starts_at_s is None:
            return {}
        start_s, end_s = self.starts_at_s, self.starts_at_s + self.sending_s
        inside = [sample for sample in self.samples if start_s <= sample.at_s <= end_s and sample.used_s]
        if len(inside) < 2:
            return {}
        steps = [
            LoadSample(from_s=round(one.at_s - start_s, 3), to_s=round(two.at_s - start_s, 3), cores=_cores(one, two))
            for one, two in pairwise(inside)
        ]
        return {"device_cpu": _cores(inside[0], inside[-1]), "device_load": tuple(steps)}


def _cores(one: Sample, two: Sample) -> dict[str, float]:
    """What each part used between two samples, as a share of the time: 1 is one core."""
    passed_s = two.at_s - one.at_s
    return {
        name: round(max(0.0, used - one.used_s[name]) / passed_s, 4)
        for name, used in two.used_s.items()
        if name in one.used_s
    }


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
