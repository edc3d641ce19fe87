"""A DUT that the user set up: xlatperf touches nothing but the Tester's ports.

What has to be done to the DUT, it does by commands that the user gives, over SSH for instance.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from typing import Any

from xlatperf.devices.device import Attachment, DeviceError, Need, Neighbor, Plan
from xlatperf.devices.options import check_names, integer, text
from xlatperf.devices.user_command import UserCommand

_PURPOSES: Mapping[str, str] = {
    "clear_command": "empty the DUT's connection tracking table",
    "count_command": "count the DUT's connections",
    "restart_command": "restart the DUT",
    "set_cores_command": "set the number of the DUT's cores",
    "facts_command": "know the DUT's versions and parameters",
    "cpu_command": "know the DUT's processor time",
    "alive_command": "see whether the DUT works",
    "neighbor_command": "tell the DUT the Tester's addresses",
}
_LIMITS_S: Mapping[str, int] = {
    "clear_command": 3600,  # tables of 400 million connections took 2263 s to empty
    "count_command": 300,
    "restart_command": 300,
    "set_cores_command": 300,
    "facts_command": 60,
    "cpu_command": 10,
    "alive_command": 10,
    "neighbor_command": 60,
}
_LIMIT = range(1, 86401)
_NEEDED: Mapping[Need, tuple[str, str]] = {
    "clear": ("clear_command", "each experiment begins with an empty table (RFC 9693 §4.4)"),
    "restart": ("restart_command", 'a measure with event = "restart" (RFC 6201 §4)'),
    "cores": ("set_cores_command", "a measure with device_cores (RFC 9693 §5.2)"),
}
OPTIONS = (
    *("left_port", "right_port", "namespace", "description", "mtu"),
    *_PURPOSES,
    *(f"{name}_limit_s" for name in _PURPOSES),
)
_MTU = range(1280, 9217)  # the least that IPv6 may have (RFC 8200 §5); larger frames aren't measured


class Manual:
    """Driver of a DUT that is there already; `left_port` and `right_port` are the engine's port names."""

    name = "manual"

    def __init__(self) -> None:
        self._description = ""
        self._commands: dict[str, UserCommand] = {}
        self._mtu: dict[str, str] = {}
        self._neighbors: dict[str, str] | None = None

    def missing(self) -> list[str]:
        """Nothing: all is the user's."""
        return []

    def prepare(self, plan: Plan) -> Attachment:
        """Says where the ports are; changes nothing."""
        return self.take(plan.options, plan.needs, plan.say)

    def take(
        self, options: Mapping[str, Any], needs: Collection[Need], say: Callable[[str], None] = lambda _: None
    ) -> Attachment:
        """The same of what it looks at: can be asked before there is a plan. Raises DeviceError."""
        check_names(self.name, options, OPTIONS)
        left, right = text(options, "left_port"), text(options, "right_port")
        for side, port in (("left", left), ("right", right)):
            if port is None:
                raise DeviceError(f"tester.{side}.port is missing: the driver manual needs the ports' names")
        if left is None or right is None or left == right:
            raise DeviceError(f"tester.right.port: {right} is the left port as well: two different ports are needed")
        namespace = text(options, "namespace")
        self._mtu = {"mtu": str(integer(options, "mtu", 0, _MTU))} if "mtu" in options else {}
        self._description = text(options, "description") or ""
        self._commands = {command.option: command for command in _commands(options, say)}
        for need, (name, why) in _NEEDED.items():
            if need in needs and name not in self._commands:
                raise DeviceError(
                    f"device.{name} is missing: the driver manual can't {_PURPOSES[name]} without it; needed for {why}"
                )
        return Attachment(left, right, () if namespace is None else ("ip", "netns", "exec", namespace))

    def cable(self, plan: Plan) -> None:
        """Not possible: how the ports are joined is up to the user."""

    def set_neighbors(self, left: Neighbor, right: Neighbor) -> None:
        """Runs `neighbor_command`, now and after each restart."""
        self._neighbors = {**_variables("LEFT", left), **_variables("RIGHT", right)}
        self._tell_neighbors()

    def clear_state(self) -> None:
        """Runs `clear_command`; the table is empty when that ends."""
        self._run("clear_command")

    def count_state(self) -> int | None:
        """The number that `count_command` writes; None without it."""
        if "count_command" not in self._commands:
            return None
        written = self._run("count_command").strip()
        if not (written.isascii() and written.isdigit()):
            raise DeviceError(f"device.count_command: it wrote {written[:60]!r}: a number and nothing else is needed")
        return int(written)

    def cpu_s(self) -> dict[str, float]:
        """Of each line `name: seconds` that `cpu_command` writes; empty without it."""
        if "cpu_command" not in self._commands:
            return {}
        found = {}
        for name, value in _pairs("cpu_command", self._run("cpu_command"), "vpp_main: 12.5"):
            try:
                found[name] = float(value)
            except ValueError:
                raise DeviceError(f"device.cpu_command: {name}: {value[:60]!r} is no number of seconds") from None
        return found

    def alive(self) -> bool:
        """What `alive_command` ends with; without it nothing can be seen from here: yes."""
        command = self._commands.get("alive_command")
        return command is None or command.succeeds()

    def set_cores(self, count: int) -> None:
        """Runs `set_cores_command`."""
        self._run("set_cores_command", XLATPERF_CORES=str(count))

    def restart(self) -> None:
        """Runs `restart_command`."""
        self._run("restart_command")
        self._tell_neighbors()

    def facts(self) -> dict[str, str]:
        """What the user said about the DUT, and what `facts_command` writes (RFC 9693 §6)."""
        said = {"description": self._description} if self._description else {}
        commands = {name: command.text for name, command in self._commands.items()}
        if "facts_command" not in self._commands:
            return {**said, **self._mtu, **commands}
        own = dict(_pairs("facts_command", self._run("facts_command"), "kernel: 6.1.0"))
        return {**own, **said, **self._mtu, **commands}

    def diagnose(self) -> list[str]:
        """Nothing: it can't look into the DUT."""
        return []

    def remove(self) -> None:
        """Nothing was made."""

    def _tell_neighbors(self) -> None:
        if self._neighbors is not None and "neighbor_command" in self._commands:
            self._run("neighbor_command", **self._neighbors)

    def _run(self, option: str, **variables: str) -> str:
        command = self._commands.get(option)
        if command is None:
            raise DeviceError(f"device.{option} is missing: the driver manual can't {_PURPOSES[option]} without it")
        return command.run(**variables)


def _commands(options: Mapping[str, Any], say: Callable[[str], None]) -> Iterator[UserCommand]:
    for option in _PURPOSES:
        command = text(options, option)
        limit = f"{option}_limit_s"
        if command is not None:
            yield UserCommand(option, command, integer(options, limit, _LIMITS_S[option], _LIMIT), say)
        elif limit in options:
            raise DeviceError(f"device.{limit}: {options[limit]!r} is not allowed: nothing without device.{option}")


def _variables(side: str, neighbor: Neighbor) -> dict[str, str]:
    """XLATPERF_LEFT_MAC and so on."""
    known = {"MAC": neighbor.mac, "IPV4": neighbor.ipv4, "IPV6": neighbor.ipv6}
    return {f"XLATPERF_{side}_{name}": value for name, value in known.items() if value is not None}


def _pairs(option: str, written: str, example: str) -> Iterator[tuple[str, str]]:
    """Lines `name: value`."""
    for line in filter(str.strip, written.splitlines()):
        name, colon, value = line.partition(":")
        if not (colon and name.strip() and value.strip()):
            raise DeviceError(f"device.{option}: it wrote {line[:60]!r}: lines such as `{example}` are needed")
        yield name.strip(), value.strip()
