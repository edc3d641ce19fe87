"""A DUT on a host of its own, which is reached over SSH: its kernel forwards between two of its interfaces.

`device.host` tells a driver that the device is there and not here.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from contextlib import ExitStack
from typing import Annotated, Any, ClassVar

from pydantic import Field, model_validator

from xlatperf.devices.assembled import Assembled, Part, assemble
from xlatperf.devices.device import DeviceError, Plan, Ports
from xlatperf.devices.kernel_dut import KernelDut, RouterDriver
from xlatperf.devices.ssh_keys import INTERFACE_ALLOWED, Interface, SshConfig
from xlatperf.devices.users_ports import at_users_ports, check_users_ports, two_ports
from xlatperf.keys.model import key
from xlatperf.keys.needs import Need
from xlatperf.keys.not_allowed import refuse
from xlatperf.keys.ssh_host import HOST_ALLOWED, HostName
from xlatperf.lab import processor_time
from xlatperf.lab.error import LabError
from xlatperf.lab.programs import IP, SSH, Program
from xlatperf.lab.remote.connection import Connection
from xlatperf.lab.remote.testbed import Needed, RemoteTestbed, UnusableInterface

_SIDES = ("left", "right")
_ONLY_WITH_HOST = ("left_interface", "right_interface", "ssh_config", "namespace")


class RemoteDriver(SshConfig, RouterDriver):
    """Drivers of DUTs that are here, or with `host` in a namespace of another host."""

    here_only: ClassVar[Mapping[str, str]] = {}
    """Keys that mean nothing with `host`, and what to do instead."""

    host: HostName | None = key(
        None,
        "the device is on this host, which OpenSSH's client reaches, as root or as a user whose sudo "
        "asks for no password. Without it, the device is here: in a network namespace or a virtual machine",
        allowed=HOST_ALLOWED,
    )
    left_interface: Interface | None = key(
        None,
        "the interface of device.host that is joined to tester.left.port; needed with device.host. For the time of a "
        "run it is in a network namespace there",
        allowed=INTERFACE_ALLOWED,
    )
    right_interface: Interface | None = key(None, "the same, joined to tester.right.port", allowed=INTERFACE_ALLOWED)
    namespace: Annotated[str, Field(min_length=1)] | None = key(
        None, "with device.host, the network namespace that the Tester's ports are in; without it this one"
    )

    @model_validator(mode="after")
    def _with_and_without_host(self) -> RemoteDriver:
        if self.host is None:
            for name in _ONLY_WITH_HOST:
                if (value := getattr(self, name)) is not None:
                    refuse(name, value, "nothing without device.host")
            return self
        for side in _SIDES:
            name = f"{side}_interface"
            if getattr(self, name) is None:
                refuse(name, None, f"with device.host, {INTERFACE_ALLOWED}")
        if self.left_interface == self.right_interface:
            refuse("right_interface", self.right_interface, "another one than left_interface")
        for name, instead in self.here_only.items():
            if name in self.model_fields_set:
                refuse(name, getattr(self, name), f"nothing with device.host{instead}")
        return self

    @property
    def users_own(self) -> bool:
        """Host and ports are the user's."""
        return self.host is not None

    def programs(self) -> tuple[Program, ...]:
        """With a host, only what reaches it."""
        return super().programs() if self.host is None else (SSH,)

    def needed_there(self) -> Needed:
        """On the host."""
        return Needed((IP,))

    def missing(self) -> list[str]:
        """With a host, nothing but SSH: the rest is looked for there."""
        return super().missing() if self.host is None else self.missing_programs()

    def check(self, ports: Ports, needs: Collection[Need]) -> None:
        """With a host, two ports; and the number of its cores isn't ours to change."""
        if self.host is None:
            super().check(ports, needs)
            return
        two_ports(self.users_ports(*ports), self.mtu, self.driver)
        if "cores" in needs:
            raise DeviceError(
                "measure.device_cores: with device.host the number of the device's cores can't be changed: set the "
                "queues of its interfaces there (ethtool -L), in a campaign for each number"
            )

    def remote_bed(self, host: str) -> RemoteTestbed:
        """Where the device is with `host`."""
        taken = {side: getattr(self, f"{side}_interface") for side in _SIDES}
        return RemoteTestbed(self.mtu, Connection(host, self.ssh_settings), taken, self.needed_there())

    def assembled(self, plan: Plan, undo: ExitStack, kernel: KernelDut, *parts: Part) -> Assembled:
        """Here, or there. Raises DeviceError."""
        bed = kernel.testbed
        if not isinstance(bed, RemoteTestbed):
            return super().assembled(plan, undo, kernel, *parts)
        users = self.users_ports(*plan.tester_ports)
        ports = two_ports(users, self.mtu, self.driver)
        if not plan.tester_elsewhere:
            check_users_ports(users, self.namespace, plan.tester_allows)
        plan.say(f"  connecting to {bed.host.name}")
        attachment = at_users_ports(ports, self.namespace)
        try:
            device = assemble(self, plan, undo, attachment, kernel, RemoteHostPart(bed), *parts)
        except DeviceError as error:
            if isinstance(fault := error.__cause__, UnusableInterface):
                place = f"device.{fault.side}_interface: {fault.name}"
                raise DeviceError(f"{place}: {fault}") from fault
            raise
        device.cpu_every_s = 1.0
        return device


class RemoteHostPart(Part):
    """The host that the device is on: what it is, and how much its cores have to do."""

    def __init__(self, bed: RemoteTestbed) -> None:
        self._bed = bed
        self._idle_s: dict[str, float] = {}

    def facts(self) -> dict[str, str]:
        """Processor, memory, interfaces (RFC 9693 §6). Raises LabError."""
        asked = self._bed.host.script(
            "grep -m1 '^model name' /proc/cpuinfo; nproc --all; grep -m1 '^MemTotal' /proc/meminfo; true"
        )
        facts = {"host": self._bed.host.name, **_parsed(asked)}
        facts.update({f"{side}_interface": words for side, words in self._bed.hardware.items() if words})
        return facts

    def ended(self) -> str | None:
        """Never known: a connection that is lost isn't the device's fault. Raises LabError."""
        if lost := self._bed.host.why_gone():
            raise LabError(lost)
        return None

    def cpu_s(self) -> dict[str, float]:
        """Of each of its cores, whatever it did. Nothing where it doesn't answer: `ended` tells why."""
        try:
            told = self._bed.host.script(processor_time.ASK_BUSY)
        except LabError:
            return {}
        self._idle_s = processor_time.parse_idle_s(told)
        return processor_time.parse_busy_s(told)

    def idle_s(self) -> dict[str, float]:
        """Of each of its cores."""
        idle_s, self._idle_s = self._idle_s, {}
        return idle_s


def _parsed(asked: str) -> Mapping[str, str]:
    facts: dict[str, Any] = {}
    for line in asked.splitlines():
        name, _, value = line.partition(":")
        if name.strip() == "model name":
            facts["host.processor"] = value.strip()
        elif name == "MemTotal":
            facts["host.memory"] = value.strip()
        elif name.isdigit():
            facts["host.cores"] = name
    return facts
