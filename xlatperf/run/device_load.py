"""CPU use of the parts of the DUT while a trial sends."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Protocol

from xlatperf.engine.trial_answer import TrialAnswer


class HasCpu(Protocol):
    """A device driver that may know CPU times."""

    def cpu_s(self) -> dict[str, float]:
        """CPU time in s used so far by each part."""
        ...


@dataclass
class DeviceLoad:
    """CPU time in s that each part of the DUT used during a trial, and how long the trial sent."""

    used_s: dict[str, float] = field(default_factory=dict)
    sending_s: float = 0.0

    def over(self, answer: TrialAnswer) -> None:
        """For each second of sending: what the DUT does with frames that wait in its buffers then is for these, too."""
        times = [direction.sending_s for _, direction in answer.directions()]
        self.sending_s = max(times, default=0.0)

    @property
    def added(self) -> dict[str, Any]:
        """Cores' worth, to be added to the answer as its `device_cpu`; nothing if it isn't known."""
        if not self.used_s or self.sending_s <= 0:
            return {}
        return {"device_cpu": {name: round(used / self.sending_s, 4) for name, used in self.used_s.items()}}


@contextlib.contextmanager
def device_load(device: HasCpu | None) -> Iterator[DeviceLoad]:
    """What the DUT's parts use meanwhile."""
    load = DeviceLoad()
    before = device.cpu_s() if device is not None else {}
    yield load
    after = device.cpu_s() if device is not None else {}
    load.used_s = {name: max(0.0, used - before[name]) for name, used in after.items() if name in before}
