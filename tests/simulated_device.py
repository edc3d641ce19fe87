"""A driver for tests: its connection tracking table is a number, and it breaks when told to."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext

from xlatperf.devices.device import Attachment, DeviceError, Plan


class SimulatedDevice:
    """`own`: entries that clearing leaves. `stubborn`: so many times clearing does nothing. `joined`: knows a cable."""

    name = "simulated"

    def __init__(
        self,
        *,
        restarts: Callable[[], None] = lambda: None,
        own: int | None = 0,
        stubborn: int = 0,
        joined: bool = False,
    ) -> None:
        self.joined = joined
        self.restarts = restarts
        self.own = own
        self.stubborn = stubborn
        self.held = 0
        self.works = True
        self.cores: list[int] = []
        self.done: list[str] = []
        self.used = {"clat": 0.0, "plat": 0.0}

    def missing(self) -> list[str]:
        return []

    def prepare(self, plan: Plan) -> Attachment:
        return Attachment("net_ring0", "net_ring1")

    def cable(self, plan: Plan) -> AbstractContextManager[Attachment] | None:
        ports = Attachment(f"net_{plan.port_driver}0", f"net_{plan.port_driver}1")
        return nullcontext(ports) if self.joined else None

    def clear_state(self) -> None:
        self.done.append("clear")
        if self.stubborn:
            self.stubborn -= 1
        else:
            self.held = 0

    def count_state(self) -> int | None:
        return None if self.own is None else self.held + self.own

    def cpu_s(self) -> dict[str, float]:
        return dict(self.used)

    def alive(self) -> bool:
        return self.works

    def set_cores(self, count: int) -> None:
        if count > 2:
            raise DeviceError("device_cores: 3 is not allowed: 1 or 2")
        self.cores.append(count)

    def restart(self) -> None:
        self.done.append("restart")
        self.restarts()
        self.works, self.held = True, 0

    def facts(self) -> dict[str, str]:
        return {}

    def diagnose(self) -> list[str]:
        return []

    def remove(self) -> None:
        self.done.append("remove")
