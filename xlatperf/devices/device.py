"""A device under test (DUT) that is prepared, and what it has to be for one bench file.

A driver gets what the engine's `describe` says about the traffic, so no address arithmetic is written twice.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from xlatperf.failures import KnownFailure
from xlatperf.keys.needs import Need
from xlatperf.keys.not_allowed import not_allowed
from xlatperf.lab.joint import JointEnd

Ports = tuple[str | None, str | None]
"""Names of the left port and the right one; None: not named."""
POLLS = "polls"
"""The fact of a device whose processor time says nothing about its load: in words, why."""


@dataclass(frozen=True)
class Link:
    """One side's link between Tester and DUT, addresses with prefix length ("198.18.255.2/30"); None: family unused.

    `vlan`: all frames have its tag; None: frames have none.
    """

    tester_ipv4: str | None
    dut_ipv4: str | None
    tester_ipv6: str | None
    dut_ipv6: str | None
    vlan: int | None = None


@dataclass(frozen=True)
class Joint:
    """Where a device is joined to another one instead of to the Tester: on `side` of its own.

    The other one is there already, as if its link led to the Tester, who would open `port` where `command_prefix`
    starts him (see Attachment). `end`: that port's interface; None: it has none.
    """

    side: str
    port: str
    command_prefix: tuple[str, ...]
    end: JointEnd | None


@dataclass(frozen=True)
class Plan:
    """What the DUT has to be for one bench file.

    `technology` is the engine's `configure.technology`, `describe` the engine's answer to `configure`
    (docs/protocol.md). `tester_ports` are the ports that the bench file names, `tester_allows` the
    interfaces that they may lie on though this host uses them itself. `tester_cores` are those of the Tester's
    workers: a DUT on this host keeps off them, for there it would get next to no time; `tester_elsewhere`: they and its
    ports are another host's, which are looked at when the engine is started there. `one_port`: both links are one, on
    which their VLANs tell them apart. `joint`: one link leads to another device, whose address is the Tester's there.
    `in_a_row`: what each of two devices in a row has to be, from left to right. `softwires` is a file with the
    rows of its binding table (docs/protocol.md), which is there while it is prepared; None: it needs none. `asked_fps`
    is the highest rate per port that the bench asks for, infinite for all that there is, 0 if nobody knows: rings of
    ports are made for it. `connections` is the most that it asks for, 0 without state. `say` tells the user what takes
    long.
    """

    technology: Mapping[str, Any]
    describe: Mapping[str, Any]
    left: Link
    right: Link
    port_driver: str
    tester_ports: Ports = (None, None)
    tester_allows: Ports = (None, None)
    tester_cores: tuple[int, ...] = ()
    tester_queues: int = 1
    tester_elsewhere: bool = False
    one_port: bool = False
    joint: Joint | None = None
    in_a_row: tuple[Plan, ...] = ()
    softwires: Path | None = None
    needs: frozenset[Need] = frozenset()
    asked_fps: float = 0.0
    connections: int = 0
    say: Callable[[str], None] = lambda _: None

    @property
    def vlans(self) -> dict[str, int]:
        """Of the sides whose link is one."""
        sides = {"left": self.left.vlan, "right": self.right.vlan}
        return {side: vlan for side, vlan in sides.items() if vlan is not None}

    def routes(self, side: str) -> Iterator[tuple[str, str]]:
        """Prefix and next hop: what must be routed to the Tester on that side; not what is on the link itself."""
        for route in self.describe[side]["routes"]:
            if route["via"] is not None:
                yield route["prefix"], route["via"]


@dataclass(frozen=True)
class Attachment:
    """Where the Tester finds the prepared DUT.

    `left_port` and `right_port` are the engine's port names; `command_prefix` starts a process where these ports are
    (for instance ("ip", "netns", "exec", "xlatperf-123-tester")), empty for this process's own network namespace.
    """

    left_port: str
    right_port: str
    command_prefix: tuple[str, ...] = ()


@dataclass(frozen=True)
class Neighbor:
    """The Tester as the DUT sees it on one link; None: that family isn't used there."""

    mac: str
    ipv4: str | None
    ipv6: str | None


class DeviceError(KnownFailure):
    """The device can't be prepared or used; the message is one line for the user."""


class Device:
    """A prepared DUT, whose removal its driver has put on the stack that it was given.

    What is said here is that of a DUT that keeps no connections and of which nothing is known.
    """

    cpu_every_s: float = 0.02
    """`cpu_s` may be asked so often."""
    answers_anew: bool = False
    """After `clear_state` it may have other MAC addresses: what a user's command does isn't known."""

    def __init__(self, attachment: Attachment) -> None:
        """`attachment`: where the Tester finds it."""
        self.attachment = attachment

    def wait_until_ready(self) -> None:
        """Until what its driver started can be used, which may take as long as opening the Tester's ports.

        Raises DeviceError.
        """

    def set_neighbors(self, left: Neighbor, right: Neighbor) -> None:
        """Who the Tester is, for a DUT that can be told instead of asking by ARP and Neighbor Discovery.

        Called once, when the ports are open. Raises DeviceError.
        """

    def clear_state(self) -> None:
        """Empty the connection tracking table, where there is one; returns when it is empty. Raises DeviceError."""

    def count_state(self) -> int | None:
        """Entries in the connection tracking table now; None: unknown, or there is none. Raises DeviceError."""
        return None

    def cpu_s(self) -> dict[str, float]:
        """Processor time in s used so far by each part of the DUT that can be told ({"clat": 1.2}); empty: unknown."""
        return {}

    def idle_s(self) -> dict[str, float]:
        """Time in s that each of the DUT's cores was idle when `cpu_s` was last asked; empty: unknown."""
        return {}

    def vectors(self) -> dict[str, tuple[int, int]]:
        """Of each thread that takes packets in vectors: how often it was called so far, with how many packets in all.

        Empty: unknown, or it takes them one by one. Asked as often as `cpu_s`.
        """
        return {}

    def alive(self) -> bool:
        """The DUT still works as far as can be seen."""
        return True

    def why_not_alive(self) -> str:
        """What `alive` saw when it last said no; empty: no more than that."""
        return ""

    def ended(self) -> str | None:
        """What was started for it and has ended by itself, and how: "TAYGA was ended by signal 9 (SIGKILL)".

        None: nothing has. It doesn't come back unless it is restarted. Raises DeviceError if it can't be known.
        """
        return None

    def stopped(self) -> bool:
        """A process of it was stopped by somebody: it does nothing, until it is told to go on."""
        return False

    def set_cores(self, count: int) -> None:
        """The DUT uses so many processor cores (RFC 9693 §5.2). Raises DeviceError if that can't be done."""
        raise DeviceError(not_allowed("device_cores", count, "this device's cores can't be set"))

    def set_table(self, entries: int | None, buckets: int | None) -> None:
        """The DUT's table has room for so many connections, its hash table has so many buckets; None: as it is.

        It's emptied afterwards. Raises DeviceError if that can't be done.
        """
        name, size = ("table_size", entries) if entries is not None else ("hash_size", buckets)
        raise DeviceError(not_allowed(name, size, "the sizes of this device's table can't be set"))

    def restart(self) -> None:
        """Restart the DUT's packet processing (RFC 6201 §4.2.2 process reset). Raises DeviceError."""
        raise DeviceError("this device can't be restarted")

    def facts(self) -> dict[str, str]:
        """Versions and parameters that may influence performance (RFC 9693 §6), for environment.json."""
        return {}

    def diagnose(self) -> list[str]:
        """Lines that help to explain why `check` failed: missing routes, interfaces that are down ... ."""
        return []


Making = Callable[[ExitStack], Device]
"""Sets a DUT up. Closing the stack removes all that was made, also if this fails. Raises DeviceError."""
