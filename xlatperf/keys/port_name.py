"""Names of DPDK ports: what can be told to be wrong before a port is opened."""

from __future__ import annotations

import difflib
import re
from collections.abc import Mapping

from xlatperf.keys.not_allowed import not_allowed

PORT_ALLOWED = "a PCI address such as 0000:01:00.0, or a DPDK virtual device such as net_af_packet0,iface=eth1"

MEMIF_ROLES = ("client", "server", "slave", "master")
MEMIF_ARGUMENTS: Mapping[str, str] = {
    "role": "client or server",
    "socket": "a path of at most 107 characters",
    "socket-abstract": "yes or no",
    "id": "a number",
    "rsize": "binary logarithm of the ring's size, 1 to 14",
    "bsize": "bytes of a buffer, 1 to 65535",
    "mac": "the port's MAC address",
    "secret": "at most 24 characters",
    "zero-copy": "yes or no",
    "owner-uid": "a user's number",
    "owner-gid": "a group's number",
}
"""DPDK guide "Memif Poll Mode Driver". DPDK's own driver takes any other name without a word, and leaves it aside."""

_QUEUES = {"net_af_packet": "qpairs", "net_af_xdp": "queue_count"}
"""Frames in other queues than the Tester's would never be seen."""


def fault_of_queues(name: str, queues: int) -> str | None:
    """Why a port of this name can't have so many queues, as far as the name tells; None if it can."""
    device, arguments = parts(name)
    for driver, argument in _QUEUES.items():
        has = arguments.get(argument, "1")
        if device.startswith(driver) and has != str(queues):
            return not_allowed(f"{argument} of {device}", has or None, f"{queues}, as tester.queues says")
    return None


def fault_of_port(name: str) -> str | None:
    """The first argument that isn't understood, and what is allowed; None if there is nothing to say."""
    device, arguments = parts(name)
    if not device.startswith("net_memif"):
        return None
    for argument, value in arguments.items():
        if argument not in MEMIF_ARGUMENTS:
            near = difflib.get_close_matches(argument, MEMIF_ARGUMENTS, n=1, cutoff=0.5)
            meant = f"the nearest is {near[0]} of " if near else ""
            return not_allowed(device, argument, f"{meant}{', '.join(MEMIF_ARGUMENTS)}")
        allowed = MEMIF_ARGUMENTS[argument]
        if (allowed == "yes or no" and value not in ("yes", "no")) or (argument == "role" and value not in MEMIF_ROLES):
            return not_allowed(f"{argument} of {device}", value or None, allowed)
    return None


def interface_of(name: str) -> str | None:
    """The interface that a port of this name is on; None if it is on none."""
    device, arguments = parts(name)
    return arguments.get("iface") if device.startswith(tuple(_QUEUES)) else None


def is_virtual(name: str) -> bool:
    """Not a card's PCI address."""
    return name.startswith("net_")


def fault_of_pair(left: str, right: str, place: str) -> str | None:
    """Why the right port, which `place` names, can't be beside the left one; None if it can."""
    (device, arguments), (other, others) = parts(left), parts(right)
    if left == right:
        return not_allowed(place, right, "another port than the left one")
    if device == other and is_virtual(device):
        number = re.sub(r"\d*$", "", device)
        return not_allowed(place, right, f"another name than the left port's, such as {number}1")
    interface = interface_of(right)
    if interface is not None and interface == interface_of(left):
        return not_allowed(place, right, f"another interface than {interface}, which the left port has")
    if device.startswith("net_memif") and other.startswith("net_memif"):
        end = tuple(arguments.get(one) for one in ("socket", "id", "role"))
        if end == tuple(others.get(one) for one in ("socket", "id", "role")):
            return not_allowed(place, right, "another socket or id than the left port's")
    return None


def parts(name: str) -> tuple[str, dict[str, str]]:
    """The device, and its arguments with their values."""
    device, _, text = name.partition(",")
    given = dict.fromkeys(text.split(",")) if text else {}
    return device, {argument.partition("=")[0]: argument.partition("=")[2] for argument in given}
