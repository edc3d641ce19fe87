"""A DUT that the user set up: xlatperf touches nothing but the Tester's ports.

What has to be done to a stateful DUT, it does by commands that the user gives, over SSH for instance.
"""

from __future__ import annotations

from xlatperf.devices.device import Attachment, DeviceError, Plan
from xlatperf.devices.options import check_names, integer, text
from xlatperf.lab.error import LabError
from xlatperf.lab.namespace import run_command

_COMMANDS = ("clear_command", "count_command", "restart_command")
OPTIONS = ("left_port", "right_port", "namespace", "description", "mtu", *_COMMANDS)
_TIMEOUT_S = 300.0
_MTU = range(1280, 9217)  # the least that IPv6 may have (RFC 8200 §5); larger frames aren't measured


class Manual:
    """Driver of a DUT that is there already; `left_port` and `right_port` are the engine's port names."""

    name = "manual"

    def __init__(self) -> None:
        self._description = ""
        self._commands: dict[str, str] = {}
        self._mtu: dict[str, str] = {}

    def missing(self) -> list[str]:
        """Nothing: all is the user's."""
        return []

    def prepare(self, plan: Plan) -> Attachment:
        """Says where the ports are; changes nothing."""
        check_names(self.name, plan.options, OPTIONS)
        left, right = text(plan.options, "left_port"), text(plan.options, "right_port")
        for side, port in (("left", left), ("right", right)):
            if port is None:
                raise DeviceError(f"tester.{side}.port is missing: the driver manual needs the ports' names")
        if left is None or right is None or left == right:
            raise DeviceError(f"tester.right.port: {right} is the left port as well: two different ports are needed")
        namespace = text(plan.options, "namespace")
        self._mtu = {"mtu": str(integer(plan.options, "mtu", 0, _MTU))} if "mtu" in plan.options else {}
        self._description = text(plan.options, "description") or ""
        given = {name: text(plan.options, name) for name in _COMMANDS}
        self._commands = {name: command for name, command in given.items() if command is not None}
        return Attachment(left, right, () if namespace is None else ("ip", "netns", "exec", namespace))

    def cable(self, plan: Plan) -> None:
        """Not possible: how the ports are joined is up to the user."""

    def clear_state(self) -> None:
        """Runs `clear_command`; the table is empty when that ends."""
        self._run("clear_command", "empty the DUT's connection tracking table")

    def count_state(self) -> int | None:
        """The number that `count_command` writes; None without it."""
        if "count_command" not in self._commands:
            return None
        written = self._run("count_command", "count the DUT's connections").strip()
        if not (written.isascii() and written.isdigit()):
            raise DeviceError(f"device.count_command: it wrote {written[:60]!r}: a number and nothing else is needed")
        return int(written)

    def cpu_s(self) -> dict[str, float]:
        """Not known."""
        return {}

    def alive(self) -> bool:
        """Nothing can be seen from here: yes."""
        return True

    def set_cores(self, count: int) -> None:
        """Not possible."""
        raise DeviceError(f"device_cores: the driver manual can't give the DUT {count} cores: leave device_cores out")

    def restart(self) -> None:
        """Runs `restart_command`."""
        self._run("restart_command", "restart the DUT")

    def facts(self) -> dict[str, str]:
        """What the user said about the DUT."""
        return {**({"description": self._description} if self._description else {}), **self._mtu, **self._commands}

    def diagnose(self) -> list[str]:
        """What to look for."""
        return [
            "the driver manual can't look into the DUT: check there that its interfaces are up, that it forwards, and "
            "that the networks which `xlatperf show` names are routed to the Tester"
        ]

    def remove(self) -> None:
        """Nothing was made."""

    def _run(self, option: str, purpose: str) -> str:
        command = self._commands.get(option)
        if command is None:
            raise DeviceError(f"device.{option} is missing: the driver manual can't {purpose} without it")
        try:
            return run_command(("sh", "-c", command), _TIMEOUT_S)
        except LabError as error:
            raise DeviceError(f"device.{option}: {error}") from error
