"""Ports that the user named: what can be told to be in their way before DPDK opens them, by the bench file's key."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from xlatperf.devices.assembled import explained
from xlatperf.devices.device import Attachment, DeviceError, Ports
from xlatperf.devices.veth_port import LARGEST_MTU_AF_XDP, least_slot, ring_sizes
from xlatperf.keys.in_words import plural
from xlatperf.keys.not_allowed import not_allowed
from xlatperf.keys.port_arguments import USUAL_SLOT
from xlatperf.keys.port_name import fault_of_pair, interface_of, is_virtual, parts
from xlatperf.lab import cards
from xlatperf.lab.error import LabError
from xlatperf.lab.namespace import Namespace, namespaces
from xlatperf.lab.network import Network

_QUEUES = (("start_queue", "0"), ("queue_count", "1"))
"""Of af_xdp, with what they are where they aren't given."""
CARRIER_S = 5.0
"""So long a link may take to come up."""


def check_users_ports(ports: Mapping[str, str], namespace: str | None, allowed: Ports = (None, None)) -> None:
    """`ports` by their keys, the left one first; `namespace`: `device.namespace`; `allowed`: `tester.SIDE.allow`.

    Raises DeviceError.
    """
    there = namespaces()
    if namespace is not None and namespace not in there:
        others = f"one of {', '.join(there)}" if there else "nothing: there is no network namespace with a name"
        raise DeviceError(not_allowed("device.namespace", namespace, others))
    for (place, port), side, may in zip(each_once(ports), ("left", "right"), allowed, strict=False):
        _check_own_use(place, port, f"tester.{side}.allow", may, namespace)
        interface = interface_of(port)
        if interface is not None:
            _check_interface(place, port, interface, namespace)
        elif not is_virtual(port):
            _check_card(place, port)
        else:
            _check_memif(place, port)
            _check_tap(place, port, namespace)


def each_once(ports: Mapping[str, str]) -> list[tuple[str, str]]:
    """Of ports by their keys, without one that the other side has too."""
    items = list(ports.items())
    return items[:1] if len(set(ports.values())) == 1 else items


def two_ports(named: Mapping[str, str], mtu: int, driver: str) -> tuple[str, str]:
    """The left and the right one of `named`, ports by their keys, for links with this MTU; they may be one.

    Raises DeviceError.
    """
    for side in ("left", "right"):
        if not named.keys() & {f"tester.{side}.port", f"device.{side}_port"}:
            raise DeviceError(f"tester.{side}.port is missing: the driver {driver} needs the ports' names")
    (at_left, left), (at_right, right) = named.items()
    fault = fault_of_pair(left, right, at_right)
    if fault is not None:
        raise DeviceError(fault)
    return with_sizes(at_left, left, mtu), with_sizes(at_right, right, mtu)


def at_users_ports(ports: tuple[str, str], namespace: str | None) -> Attachment:
    """The Tester at these, in a network namespace with a name or here."""
    return Attachment(*ports, () if namespace is None else ("ip", "netns", "exec", namespace))


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
        return port if least <= USUAL_SLOT else f"{port},{ring_sizes(mtu)}"
    if int(slot) < least:
        raise DeviceError(not_allowed(f"{place}: framesz", slot, f"{least} or more with device.mtu = {mtu}"))
    return port


def _check_own_use(place: str, port: str, key: str, may: str | None, namespace: str | None) -> None:
    """Test frames that leave through an interface of the host's own go to its network, and to whoever is in it."""
    card = None if is_virtual(port) else cards.find_card(port, cards.ROOT)
    lies_on = parts(port)[1].get("remote") or interface_of(port)
    interfaces = (lies_on,) if card is None else card.interfaces
    if may is not None and may not in interfaces:
        on = ", ".join(card.interfaces) if card is not None else lies_on
        raise DeviceError(not_allowed(key, may, f"{on}, which {place} lies on" if on else f"nothing with {port}"))
    for interface in interfaces:
        if interface is None or interface == may:
            continue
        with explained(), Network(Namespace(namespace) if namespace and card is None else None) as network:
            use = network.own_use(interface)
        if use is not None:
            raise DeviceError(
                f"{place}: {port}: this host uses {interface} itself: {use}; take another interface, or say "
                f'{key} = "{interface}" if test frames may go there'
            )


def _check_interface(key: str, port: str, interface: str, namespace: str | None) -> None:
    place = f"{key}: {port}"
    with explained(), Network(None if namespace is None else Namespace(namespace)) as network:
        here = network.links()
        if interface not in here:
            where = "here" if namespace is None else f"in the namespace {namespace}"
            raise DeviceError(
                f"{place}: there is no interface {interface} {where}; {_instead(interface, namespace, here)}"
            )
        _check_queues(key, port, interface, network)
        if not network.link_is_on(interface):
            of = f"-n {namespace} " if namespace is not None else ""
            raise DeviceError(f"{place}: {interface} is down: ip {of}link set {interface} up")
        try:
            network.wait_for_link(interface, CARRIER_S)
        except LabError:
            raise DeviceError(f"{place}: {interface} has no carrier: is the cable in, and the other end up?") from None


def _check_queues(place: str, port: str, interface: str, network: Network) -> None:
    """Those that AF_XDP takes; their values are numbers, as the bench file was read."""
    device, arguments = parts(port)
    if not device.startswith("net_af_xdp"):
        return
    has = network.receive_queues(interface)
    first, count = (int(arguments.get(name, usual)) for name, usual in _QUEUES)
    why = f"as {interface} has {plural(has, 'receive queue')}"
    if count > has:
        raise DeviceError(not_allowed(f"{place}: queue_count of {device}", str(count), f"1 to {has}, {why}"))
    if first + count > has:
        raise DeviceError(not_allowed(f"{place}: start_queue of {device}", str(first), f"0 to {has - count}, {why}"))


def _check_tap(place: str, port: str, namespace: str | None) -> None:
    """It makes its interface."""
    device, arguments = parts(port)
    interface = arguments.get("iface")
    if not device.startswith("net_tap") or interface is None:
        return
    with explained(), Network(None if namespace is None else Namespace(namespace)) as network:
        if interface in network.links():
            allowed = f"a name that no interface has, or net_af_packet0,iface={interface}"
            raise DeviceError(not_allowed(f"{place}: iface of {device}", interface, allowed))


def _instead(interface: str, namespace: str | None, here: list[str]) -> str:
    """Where the interface is, or which there are."""
    for name in namespaces():
        if interface in _links(Namespace(name)):
            return f'it is in {name}: set device.namespace = "{name}"'
    if namespace is not None and interface in _links(None):
        return "it is in no namespace with a name: leave device.namespace out"
    return f"there are {', '.join(sorted(here))}"


def _links(namespace: Namespace | None) -> list[str]:
    """None where nobody may look."""
    try:
        with Network(namespace) as network:
            return network.links()
    except LabError:
        return []


def _check_card(place: str, address: str) -> None:
    card = cards.find_card(address, cards.ROOT)
    if card is None:
        there = "`xlatperf probe` lists the cards, with their addresses in full"
        raise DeviceError(not_allowed(place, address, f"the PCI address of a card of this host: {there}"))
    if not card.for_dpdk:
        raise DeviceError(f"{place}: {address} can't be opened: {card.owner}; {card.advice}")


def _check_memif(place: str, port: str) -> None:
    """A client needs somebody who listens."""
    device, arguments = parts(port)
    path = arguments.get("socket", "/run/memif.sock")
    if not device.startswith("net_memif") or arguments.get("role", "client") not in ("client", "slave"):
        return
    if arguments.get("socket-abstract", "yes") == "no" and not Path(path).is_socket():
        raise DeviceError(f"{place}: {port}: there is no socket {path}: start the device first, or use role=server")
