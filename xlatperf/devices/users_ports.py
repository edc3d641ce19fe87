"""Ports that the user named: what can be told to be in their way before DPDK opens them, by the bench file's key."""

from __future__ import annotations

import fcntl
import os
import socket
import struct
import time
from array import array
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from xlatperf.devices.device import DeviceError
from xlatperf.devices.veth_port import LARGEST_MTU_AF_XDP, least_slot, ring_sizes
from xlatperf.keys.not_allowed import not_allowed
from xlatperf.keys.port_name import interface_of, is_virtual, parts
from xlatperf.lab.namespace import NETNS_FOLDER, Namespace

CARRIER_S = 5.0
"""So long a link may take to come up."""
_POLL_S = 0.05
_SIOCGIFFLAGS, _SIOCETHTOOL, _ETHTOOL_GLINK = 0x8913, 0x8946, 0x0A  # linux/sockios.h, linux/ethtool.h
_IFF_UP, _IFF_RUNNING = 0x1, 0x40  # linux/if.h; running: with a carrier
_PCI = Path("/sys/bus/pci/devices")
_FOR_DPDK = ("vfio-pci", "uio_pci_generic", "igb_uio", "mlx4_core", "mlx5_core", "mana")
"""Kernel drivers that leave a card to DPDK, or share it."""
Result = TypeVar("Result")


def check_users_ports(ports: Mapping[str, str], namespace: str | None) -> None:
    """`ports` by their keys; `namespace`: `device.namespace`. Raises DeviceError."""
    if namespace is not None and namespace not in _namespaces():
        there = _namespaces()
        allowed = f"one of {', '.join(there)}" if there else "nothing: there is no network namespace with a name"
        raise DeviceError(not_allowed("device.namespace", namespace, allowed))
    for place, port in ports.items():
        interface = interface_of(port)
        if interface is not None:
            _check_interface(f"{place}: {port}", interface, namespace)
        elif not is_virtual(port):
            _check_card(place, port)
        else:
            _check_memif(place, port)


def with_sizes(place: str, port: str, mtu: int) -> str:
    """The port with slots that hold the largest frames of links with this MTU. Raises DeviceError."""
    device, arguments = parts(port)
    if device.startswith("net_af_xdp") and mtu > LARGEST_MTU_AF_XDP:
        allowed = f"a port that carries an MTU of {mtu}, as device.mtu says: af_xdp has at most {LARGEST_MTU_AF_XDP}"
        raise DeviceError(not_allowed(place, port, allowed))
    if not device.startswith("net_af_packet"):
        return port
    slot, least = arguments.get("framesz"), least_slot(mtu)
    if slot is None:
        return port if least <= _SLOT else f"{port},{ring_sizes(mtu)}"
    block = arguments.get("blocksz", str(os.sysconf("SC_PAGESIZE")))
    if not slot.isdigit() or int(slot) < least:
        raise DeviceError(not_allowed(f"{place}: framesz", slot, f"{least} or more with device.mtu = {mtu}"))
    if not block.isdigit() or int(block) % int(slot):
        allowed = f"a multiple of framesz and of 4096, such as {ring_sizes(mtu)}"
        raise DeviceError(not_allowed(f"{place}: blocksz", block, allowed))
    return port


_SLOT = 2048
"""Bytes of a slot that DPDK makes by itself."""


def _namespaces() -> list[str]:
    return sorted(path.name for path in NETNS_FOLDER.glob("*"))


def _inside(namespace: str | None, function: Callable[[], Result]) -> Result:
    if namespace is None:
        return function()
    try:
        return Namespace(namespace).inside(function)
    except OSError as error:
        raise DeviceError(f"device.namespace: {namespace} can't be entered: {error.strerror}; run with sudo") from error


def _interfaces() -> list[str]:
    return [name for _, name in socket.if_nameindex()]


@dataclass(frozen=True)
class _State:
    up: bool
    carrier: bool


def _state(interface: str) -> _State:
    """netdevice(7). The flags follow the carrier a second later, where the driver doesn't tell of it itself."""
    name = interface.encode()[:15]
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asking:
        answer = fcntl.ioctl(asking, _SIOCGIFFLAGS, struct.pack("16sH14x", name, 0))
        flags = int(struct.unpack("16sH14x", answer)[1])
        link = array("I", [_ETHTOOL_GLINK, 0])
        try:
            fcntl.ioctl(asking, _SIOCETHTOOL, struct.pack("16sP16x", name, link.buffer_info()[0]))
        except OSError:
            link[1] = flags & _IFF_RUNNING
    return _State(bool(flags & _IFF_UP), bool(link[1]))


def _check_interface(place: str, interface: str, namespace: str | None) -> None:
    here = _inside(namespace, _interfaces)
    where = f"in the namespace {namespace}" if namespace is not None else "here"
    if interface not in here:
        elsewhere = [name for name in _namespaces() if name != namespace and interface in _interfaces_of(name)]
        hint = (
            f'it is in {elsewhere[0]}: set device.namespace = "{elsewhere[0]}"'
            if elsewhere
            else (f"there are {', '.join(sorted(here))}")
        )
        if namespace is not None and not elsewhere and interface in _interfaces():
            hint = "it is in no namespace with a name: leave device.namespace out"
        raise DeviceError(f"{place}: there is no interface {interface} {where}; {hint}")
    end = time.monotonic() + CARRIER_S
    while True:
        state = _inside(namespace, lambda: _state(interface))
        if not state.up:
            of = f"-n {namespace} " if namespace is not None else ""
            raise DeviceError(f"{place}: {interface} is down: ip {of}link set {interface} up")
        if state.carrier:
            return
        if time.monotonic() > end:
            raise DeviceError(f"{place}: {interface} has no carrier: is the cable in, and the other end up?")
        time.sleep(_POLL_S)


def _interfaces_of(namespace: str) -> list[str]:
    """None of one that can't be entered."""
    try:
        return Namespace(namespace).inside(_interfaces)
    except OSError:
        return []


def _check_card(place: str, address: str) -> None:
    folder = _PCI / address
    if not folder.exists():
        there = "`xlatperf probe` lists the cards, with their addresses in full"
        raise DeviceError(not_allowed(place, address, f"the PCI address of a card of this host: {there}"))
    driver = (folder / "driver").resolve().name if (folder / "driver").exists() else None
    if driver not in _FOR_DPDK:
        has = f"the kernel's driver {driver} has it" if driver is not None else "no driver has it"
        raise DeviceError(
            f"{place}: {address} can't be opened: {has}; if nothing else needs it: modprobe vfio-pci; dpdk-devbind.py "
            f"-b vfio-pci {address}"
        )


def _check_memif(place: str, port: str) -> None:
    """A client needs somebody who listens."""
    device, arguments = parts(port)
    path = arguments.get("socket", "/run/memif.sock")
    if not device.startswith("net_memif") or arguments.get("role", "client") not in ("client", "slave"):
        return
    if arguments.get("socket-abstract", "yes") == "no" and not Path(path).is_socket():
        raise DeviceError(f"{place}: {port}: there is no socket {path}: start the device first, or use role=server")
