"""Names of DPDK ports: what can be told to be wrong before a port is opened."""

from __future__ import annotations

import re

from xlatperf.keys.not_allowed import not_allowed
from xlatperf.keys.port_arguments import fault_of_arguments

PORT_ALLOWED = "a PCI address such as 0000:01:00.0, or a DPDK virtual device such as net_af_packet0,iface=eth1"

_INTERFACE = re.compile(r"(?!dpni)[a-z][a-z0-9._-]{0,14}")
"""What looks like a kernel's name of one, rather than like an address on a bus."""
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


def fault_of_port(place: str, name: str) -> str | None:
    """What isn't understood, and what is allowed; None if there is nothing to say. `place`: the key of the port."""
    if is_virtual(name):
        fault = fault_of_arguments(*parts(name))
        return None if fault is None else f"{place}: {fault}"
    if _INTERFACE.fullmatch(name):
        return not_allowed(place, name, f"{PORT_ALLOWED}; of an interface {name}: net_af_packet0,iface={name}")
    return None if name and name == name.strip() else not_allowed(place, f'"{name}"', PORT_ALLOWED)


def interface_of(name: str) -> str | None:
    """The interface that a port of this name is on; None if it is on none."""
    device, arguments = parts(name)
    return arguments.get("iface") if device.startswith(tuple(_QUEUES)) else None


def is_virtual(name: str) -> bool:
    """Not a card's PCI address."""
    return name.startswith("net_")


def fault_of_pair(left: str, right: str, place: str) -> str | None:
    """Why the right port, which `place` names, can't be beside the left one; None if it can, or is the same."""
    (device, arguments), (other, others) = parts(left), parts(right)
    if left == right:
        return None
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
