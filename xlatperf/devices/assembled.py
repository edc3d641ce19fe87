"""A DUT on this host, assembled from parts: a kernel that forwards, its NAT, a translator's process ... ."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from contextlib import ExitStack

from xlatperf.devices.device import Attachment, Device, DeviceError, Neighbor, Plan
from xlatperf.devices.driver import Driver
from xlatperf.lab.bed import Bed
from xlatperf.lab.error import LabError


class Part:
    """What parts may have to say or to do. By default nothing."""

    testbed: Bed | None = None
    """Where it and the Tester meet, if it makes that."""

    def make(self) -> None:
        """Sets it up. Raises LabError."""

    def remove(self) -> None:
        """Removes what `make` made, also when that was interrupted. Never raises; may be called twice."""

    def facts(self) -> dict[str, str]:
        """Versions and parameters that may influence performance."""
        return {}

    def diagnose(self) -> list[str]:
        """What is odd about it, in words. Raises LabError."""
        return []

    def why_not_alive(self) -> str:
        """Why it doesn't work, as far as can be seen; empty: it does."""
        return self.ended() or ""

    def ended(self) -> str | None:
        """That a process of it has ended by itself, and how; None: none has. Raises LabError: it can't be known."""
        return None

    def stopped(self) -> bool:
        """Its process was stopped by somebody."""
        return False

    def cpu_s(self) -> dict[str, float]:
        """Processor time in s used so far, by name."""
        return {}

    def idle_s(self) -> dict[str, float]:
        """Time in s that each of its cores was idle when `cpu_s` was last asked."""
        return {}

    def vectors(self) -> dict[str, tuple[int, int]]:
        """Calls so far, and packets in them, of each thread that takes packets in vectors. Raises LabError."""
        return {}

    def use_cores(self, cores: tuple[int, ...]) -> None:
        """It works on these. Raises LabError."""

    def set_table(self, entries: int | None, buckets: int | None) -> None:
        """Sizes of its table of connections; None: as it is. Raises LabError."""

    def restart(self) -> None:
        """Restarts it, if it is what forwards or translates. Raises LabError."""

    def set_neighbors(self, left: Neighbor, right: Neighbor) -> None:
        """Who the Tester is. Raises LabError."""

    def clear_state(self) -> None:
        """Deletes its connections. Raises LabError."""

    def count_state(self) -> int | None:
        """Its connections now; None: it keeps none, or it isn't known."""
        return None


class Assembled(Device):
    """Asks its parts, the last one that was made first."""

    def __init__(self, driver: Driver, plan: Plan, attachment: Attachment, parts: Sequence[Part]) -> None:
        super().__init__(attachment)
        self._driver = driver
        self._plan = plan
        self.parts = tuple(reversed(parts))

    def set_neighbors(self, left: Neighbor, right: Neighbor) -> None:
        """For each part that wants to be told."""
        with explained():
            for part in self.parts:
                part.set_neighbors(left, right)

    def clear_state(self) -> None:
        """Of each part that keeps any."""
        with explained():
            for part in self.parts:
                part.clear_state()

    def count_state(self) -> int | None:
        """Of the part that keeps any."""
        with explained():
            return next((count for part in self.parts if (count := part.count_state()) is not None), None)

    def cpu_s(self) -> dict[str, float]:
        """Of all parts that know. Raises DeviceError."""
        with explained():
            return {name: used for part in self.parts for name, used in part.cpu_s().items()}

    def idle_s(self) -> dict[str, float]:
        """Of all parts that know. Raises DeviceError."""
        with explained():
            return {name: idle for part in self.parts for name, idle in part.idle_s().items()}

    def vectors(self) -> dict[str, tuple[int, int]]:
        """Of all parts that take any. Raises DeviceError."""
        with explained():
            return {name: counts for part in self.parts for name, counts in part.vectors().items()}

    def alive(self) -> bool:
        """All parts are."""
        return not self.why_not_alive()

    def why_not_alive(self) -> str:
        """Of the parts that aren't."""
        with explained():
            return "; ".join(why for part in self.parts if (why := part.why_not_alive()))

    def ended(self) -> str | None:
        """All processes that have."""
        with explained():
            return "; ".join(how for part in self.parts if (how := part.ended()) is not None) or None

    def stopped(self) -> bool:
        """Some part is. Raises DeviceError."""
        with explained():
            return any(part.stopped() for part in self.parts)

    def set_cores(self, count: int) -> None:
        """For all parts the same."""
        cores = self._driver.cores_for(count, self._plan)
        with explained("device_cores: "):
            for part in reversed(self.parts):
                part.use_cores(cores)

    def set_table(self, entries: int | None, buckets: int | None) -> None:
        """Of the part that has one."""
        with explained():
            for part in self.parts:
                part.set_table(entries, buckets)

    def restart(self) -> None:
        """Each part that can be; interfaces, routes and the kernel's state stay."""
        if self._driver.not_restartable is not None:
            raise DeviceError(self._driver.not_restartable)
        with explained():
            for part in self.parts:
                part.restart()

    def facts(self) -> dict[str, str]:
        """Of all parts. Raises DeviceError."""
        with explained():
            return {name: value for part in self.parts for name, value in part.facts().items()}

    def diagnose(self) -> list[str]:
        """Of all parts, as far as they can tell."""
        lines: list[str] = []
        for part in self.parts:
            try:
                lines += part.diagnose()
            except LabError as error:
                lines.append(str(error))
        return lines


def assemble(driver: Driver, plan: Plan, undo: ExitStack, attachment: Attachment, *parts: Part) -> Assembled:
    """Makes the parts in this order; closing `undo` removes them. Raises DeviceError."""
    lacking = driver.missing()
    if lacking:
        raise DeviceError("; ".join(lacking))
    for part in parts:
        undo.callback(part.remove)
        with explained():
            part.make()
    return Assembled(driver, plan, attachment, parts)


@contextlib.contextmanager
def explained(place: str = "") -> Iterator[None]:
    """Raises DeviceError for LabError."""
    try:
        yield
    except LabError as error:
        raise DeviceError(f"{place}{error}") from error
