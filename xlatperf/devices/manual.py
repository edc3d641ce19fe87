"""A DUT that the user set up: xlatperf touches nothing but the Tester's ports.

What has to be done to the DUT, it does by commands that the user gives, over SSH for instance.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from contextlib import ExitStack
from functools import partial
from math import isfinite, nan
from typing import Annotated, Any, ClassVar, Literal

from pydantic import Field, model_validator

from xlatperf.devices.assembled import explained
from xlatperf.devices.device import Attachment, Device, DeviceError, Making, Neighbor, Plan, Ports
from xlatperf.devices.driver import driver_key
from xlatperf.devices.ssh_keys import SshConfig
from xlatperf.devices.user_command import CommandFailed, UserCommand
from xlatperf.devices.users_ports import at_users_ports, check_users_ports, two_ports
from xlatperf.keys.model import Whole, key
from xlatperf.keys.needs import Need
from xlatperf.keys.not_allowed import refuse
from xlatperf.keys.port_name import PORT_ALLOWED, fault_of_port
from xlatperf.keys.ssh_host import HOST_ALLOWED, HostName
from xlatperf.lab.bed import DEFAULT_MTU
from xlatperf.lab.programs import SSH, Program
from xlatperf.lab.remote.login import Login

_PURPOSES: Mapping[str, str] = {
    "clear_command": "empty the DUT's connection tracking table",
    "count_command": "count the DUT's connections",
    "restart_command": "restart the DUT",
    "set_cores_command": "set the number of the DUT's cores",
    "set_table_command": "set the sizes of the DUT's table",
    "facts_command": "know the DUT's versions and parameters",
    "cpu_command": "know the DUT's processor time",
    "idle_command": "know how idle the DUT's cores are",
    "alive_command": "see whether the DUT works",
    "neighbor_command": "tell the DUT the Tester's addresses",
}
_NEEDED: Mapping[Need, tuple[str, str]] = {
    "clear": ("clear_command", "each experiment begins with an empty table (RFC 9693 §4.4)"),
    "restart": ("restart_command", 'a measure with event = "restart" (RFC 6201 §4)'),
    "cores": ("set_cores_command", "a measure with device_cores (RFC 9693 §5.2)"),
    "table_size": ("set_table_command", "columns with table_size (RFC 9693 §6)"),
    "hash_size": ("set_table_command", "columns with hash_size (RFC 9693 §6)"),
}
_MTU = range(1280, 9217)  # the least that IPv6 may have (RFC 8200 §5); larger frames aren't measured
_LONGEST_S = 86400
Text = Annotated[str, Field(min_length=1)]


def _command(description: str) -> Any:
    return key(None, description, allowed="a text for the shell")


def _limit_s(default: int, command: str) -> Any:
    return key(
        default, f"how long {command} may run, in s; then it is ended, and so is the campaign", ge=1, le=_LONGEST_S
    )


class Manual(SshConfig):
    """A DUT that is there already, and ports that the bench file names."""

    label = "The device"
    what = "whatever you connect: xlatperf touches nothing but its own ports"

    table_steps: ClassVar[Mapping[str, int]] = {"table_size": 1, "hash_size": 1}

    made_here = False

    driver: Literal["manual"] = driver_key()
    description: Text | None = key(None, "the report's name for the device")
    mtu: Whole = key(
        DEFAULT_MTU,
        "MTU of its links; frame sizes that don't fit it on either side are refused",
        ge=_MTU.start,
        le=_MTU.stop - 1,
        source="RFC 8219 §5.1",
    )
    host: HostName | None = key(
        None,
        "the commands below are given to this host's shell, by one login of OpenSSH's client that lasts as long as the "
        "run; without it to a shell here",
        allowed=HOST_ALLOWED,
    )
    namespace: Text | None = key(None, "the network namespace that the ports are in; without it this one")
    left_port: Text | None = key(None, "in place of tester.left.port", allowed=PORT_ALLOWED)
    right_port: Text | None = key(None, "in place of tester.right.port", allowed=PORT_ALLOWED)
    clear_command: Text | None = _command(
        'empties the device\'s connection tracking table, for instance "ssh root@dut conntrack -F"; it must be empty '
        "when the command ends; needed for stateful technologies"
    )
    count_command: Text | None = _command(
        'writes the number of connections that the device keeps, for instance "ssh root@dut conntrack -C"'
    )
    restart_command: Text | None = _command(
        "restarts the device's packet processing, while frames are sent; what it leaves in the background stays; "
        'needed for event = "restart"; a device that collapsed is restarted by it as well'
    )
    set_cores_command: Text | None = _command(
        "gives the device $XLATPERF_CORES processor cores; needed for device_cores"
    )
    set_table_command: Text | None = _command(
        "makes room for $XLATPERF_TABLE_SIZE connections in the device's table, and gives its hash table "
        "$XLATPERF_HASH_SIZE buckets; what the columns don't say is empty; needed for columns with table_size or "
        "hash_size"
    )
    facts_command: Text | None = _command(
        "writes lines `name: value` for the report: kernel, versions, CPU, memory (RFC 9693 §6 asks for all that may "
        "influence performance); the numbers of lines `table_size: 4194304` and `hash_size: 4194304` go into its tables"
    )
    cpu_command: Text | None = _command(
        "writes lines `name: seconds`, the processor time that a part of the device has used so far; asked each "
        "second while frames are sent"
    )
    idle_command: Text | None = _command(
        "writes lines `name: seconds`, the time that a core of the device has been idle so far, of a dual DUT for the "
        "cores of both: `clat core 0: 812.5`; asked each second while frames are sent"
    )
    alive_command: Text | None = _command(
        "ends with exit code 0 if the device works (RFC 9693 §4.9: it may collapse); without it only ARP and Neighbor "
        "Discovery tell"
    )
    neighbor_command: Text | None = _command(
        "tells the device who the Tester is, for devices that don't ask: $XLATPERF_LEFT_MAC, $XLATPERF_LEFT_IPV4, "
        "$XLATPERF_LEFT_IPV6 and the same for RIGHT; also run after each restart"
    )
    # tables of 400 million connections took 2263 s to empty
    clear_command_limit_s: Whole = _limit_s(3600, "clear_command")
    count_command_limit_s: Whole = _limit_s(300, "count_command")
    restart_command_limit_s: Whole = _limit_s(300, "restart_command")
    set_cores_command_limit_s: Whole = _limit_s(300, "set_cores_command")
    set_table_command_limit_s: Whole = _limit_s(300, "set_table_command")
    facts_command_limit_s: Whole = _limit_s(60, "facts_command")
    cpu_command_limit_s: Whole = _limit_s(10, "cpu_command")
    idle_command_limit_s: Whole = _limit_s(10, "idle_command")
    alive_command_limit_s: Whole = _limit_s(10, "alive_command")
    neighbor_command_limit_s: Whole = _limit_s(60, "neighbor_command")

    @model_validator(mode="after")
    def _ssh_config_of_a_host(self) -> Manual:
        if self.host is None and self.ssh_config is not None:
            refuse("ssh_config", self.ssh_config, "nothing without device.host")
        return self

    @model_validator(mode="after")
    def _ports_that_are_understood(self) -> Manual:
        for name, port in (("left_port", self.left_port), ("right_port", self.right_port)):
            fault = None if port is None else fault_of_port(name, port)
            if fault is not None:
                raise ValueError(fault)
        return self

    @model_validator(mode="after")
    def _limits_of_commands(self) -> Manual:
        for name in _PURPOSES:
            limit = f"{name}_limit_s"
            if limit in self.model_fields_set and getattr(self, name) is None:
                value = getattr(self, limit)
                refuse(limit, value, f"nothing without device.{name}")
        return self

    @classmethod
    def called(cls, facts: Mapping[str, Any]) -> str:
        """As the user calls it."""
        return str(facts.get("description") or cls.label)

    def programs(self) -> tuple[Program, ...]:
        """With a host, what reaches it."""
        return () if self.host is None else (SSH,)

    @property
    def users_own(self) -> bool:
        """Both are."""
        return True

    def users_ports(self, left: str | None, right: str | None) -> dict[str, str]:
        """Its own come in place of the Tester's; left before right."""
        sides = (("left", self.left_port, left), ("right", self.right_port, right))
        return {
            f"tester.{side}.port" if own is None else f"device.{side}_port": port
            for side, own, of_tester in sides
            if (port := of_tester if own is None else own) is not None
        }

    def check(self, ports: Ports, needs: Collection[Need]) -> None:
        """Two ports, and a command for each thing that the bench needs."""
        two_ports(self.users_ports(*ports), self.mtu, self.driver)
        for need, (name, why) in _NEEDED.items():
            if need in needs and getattr(self, name) is None:
                raise DeviceError(
                    f"device.{name} is missing: the driver manual can't {_PURPOSES[name]} without it; needed for {why}"
                )

    def set_up(self, plan: Plan) -> Making:
        """Says where the ports are, logs in to a host; changes nothing."""
        return partial(self._found, plan)

    def _found(self, plan: Plan, undo: ExitStack) -> ManualDevice:
        ports = self.users_ports(*plan.tester_ports)
        if not plan.tester_elsewhere:
            check_users_ports(ports, self.namespace, plan.tester_allows)
        over: tuple[str, ...] = ()
        if self.host is not None:
            if lacking := self.missing():
                raise DeviceError("; ".join(lacking))
            login = Login(self.host, self.ssh_settings)
            undo.callback(login.close)
            plan.say(f"  connecting to {self.host}")
            with explained("device.host: "):
                login.open()
                over = login.prefix
        return ManualDevice(self, at_users_ports(two_ports(ports, self.mtu, self.driver), self.namespace), plan, over)

    def commands(self) -> dict[str, str]:
        """Those that are given."""
        return {name: text for name in _PURPOSES if (text := getattr(self, name)) is not None}


class ManualDevice(Device):
    """The user's DUT, as far as commands reach it. It can't be looked into."""

    cpu_every_s = 1.0  # a command that may load it
    answers_anew = True

    def __init__(self, driver: Manual, attachment: Attachment, plan: Plan, over: tuple[str, ...]) -> None:
        """`over`: see UserCommand."""
        super().__init__(attachment)
        self._driver = driver
        self._neighbors: dict[str, str] | None = None
        self._why_not_alive = ""
        self._commands = {
            name: UserCommand(name, text, getattr(driver, f"{name}_limit_s"), plan.say, over)
            for name, text in driver.commands().items()
        }

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
        try:
            written = self._run("count_command").strip()
        except CommandFailed as failure:
            if failure.output != ["0"]:
                raise
            hint = "`grep -c` ends so where it counts nothing: add `|| true`"
            raise CommandFailed(f"{failure}; {hint}", failure.output) from failure
        if not (written.isascii() and written.isdigit()):
            raise DeviceError(f"device.count_command: it wrote {written[:60]!r}: a number and nothing else is needed")
        return int(written)

    def cpu_s(self) -> dict[str, float]:
        """Of each line `name: seconds` that `cpu_command` writes; empty without it."""
        return self._seconds("cpu_command", "vpp_main: 12.5")

    def idle_s(self) -> dict[str, float]:
        """The same of `idle_command`."""
        return self._seconds("idle_command", "core 0: 812.5")

    def _seconds(self, option: str, example: str) -> dict[str, float]:
        """Empty without the command."""
        found: dict[str, float] = {}
        for name, value in _pairs(option, self._run(option), example) if option in self._commands else ():
            try:
                found[name] = float(value)
            except ValueError:
                found[name] = nan
            if not isfinite(found[name]):
                raise DeviceError(f"device.{option}: {name}: {value[:60]!r} is no number of seconds")
        return found

    def alive(self) -> bool:
        """What `alive_command` ends with; without it nothing can be seen from here: yes."""
        try:
            if "alive_command" in self._commands:
                self._run("alive_command")
        except CommandFailed as failure:
            self._why_not_alive = str(failure)
            return False
        return True

    def why_not_alive(self) -> str:
        """How `alive_command` ended."""
        return self._why_not_alive

    def set_cores(self, count: int) -> None:
        """Runs `set_cores_command`."""
        self._run("set_cores_command", XLATPERF_CORES=str(count))

    def set_table(self, entries: int | None, buckets: int | None) -> None:
        """Runs `set_table_command`."""
        sizes = {"XLATPERF_TABLE_SIZE": entries, "XLATPERF_HASH_SIZE": buckets}
        self._run("set_table_command", **{name: "" if size is None else str(size) for name, size in sizes.items()})

    def restart(self) -> None:
        """Runs `restart_command`."""
        self._run("restart_command")
        self._tell_neighbors()

    def facts(self) -> dict[str, str]:
        """What the user said about the DUT, and what `facts_command` writes (RFC 9693 §6)."""
        said: dict[str, str] = {
            name: str(getattr(self._driver, name))
            for name in ("description", "host", "mtu")
            if name in self._driver.model_fields_set
        }
        said.update(self._driver.commands())
        if "facts_command" not in self._commands:
            return said
        return {**dict(_pairs("facts_command", self._run("facts_command"), "kernel: 6.1.0")), **said}

    def _tell_neighbors(self) -> None:
        if self._neighbors is not None and "neighbor_command" in self._commands:
            self._run("neighbor_command", **self._neighbors)

    def _run(self, option: str, **variables: str) -> str:
        command = self._commands.get(option)
        if command is None:
            raise DeviceError(f"device.{option} is missing: the driver manual can't {_PURPOSES[option]} without it")
        return command.run(**variables)


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
