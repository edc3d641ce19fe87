"""A driver for tests: its connection tracking table is a number, and it breaks when told to."""

from __future__ import annotations

from collections.abc import Callable

from xlatperf.devices.device import Attachment, Device, DeviceError


class SimulatedDevice(Device):
    """`own`: entries that clearing leaves. `stubborn`: so many times clearing does nothing."""

    def __init__(
        self,
        *,
        restarts: Callable[[], None] = lambda: None,
        own: int | None = 0,
        stubborn: int = 0,
    ) -> None:
        super().__init__(Attachment("net_ring0", "net_ring1"))
        self.restarts = restarts
        self.own = own
        self.stubborn = stubborn
        self.held = 0
        self.cleared: Callable[[int], None] = lambda _: None
        self.works = True
        self.killed: str | None = None
        self.cores: list[int] = []
        self.done: list[str] = []

    def clear_state(self) -> None:
        self.done.append("clear")
        self.cleared(self.held)
        if self.stubborn:
            self.stubborn -= 1
        else:
            self.held = 0

    def count_state(self) -> int | None:
        return None if self.own is None else self.held + self.own

    def alive(self) -> bool:
        return self.works

    def ended(self) -> str | None:
        return self.killed

    def set_cores(self, count: int) -> None:
        if count > 2:
            raise DeviceError("device_cores: 3 is not allowed: 1 or 2")
        self.cores.append(count)

    def restart(self) -> None:
        self.done.append("restart")
        self.restarts()
        self.works, self.held = True, 0
