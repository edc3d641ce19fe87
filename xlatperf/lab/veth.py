"""Virtual Ethernet links that carry what a wire would carry."""

from __future__ import annotations

from typing import NamedTuple

from xlatperf.lab.error import LabError
from xlatperf.lab.kernel_features import VLAN
from xlatperf.lab.namespace import Namespace, run_command
from xlatperf.lab.network import Network

_LINK_TIMEOUT_S = 5.0
# A frame that crosses a veth must be what a wire would carry: a whole frame with its checksums.
_OFFLOADS = ("tx", "rx", "sg", "tso", "gso", "gro")


class End(NamedTuple):
    """One end of a link."""

    namespace: Namespace
    port: str
    mac: str


def link(one: End, other: End, mtu: int) -> None:
    """Makes a link, and returns when both ends are up. Raises LabError."""
    with Network(one.namespace) as here, Network(other.namespace) as there:
        here.add_veth(one.port, one.mac, other.port, other.mac, other.namespace)
        for end, network in ((one, here), (other, there)):
            _switch_offloads_off(end)
            network.set_link(end.port, mtu=mtu, state="up")
        for end, network in ((one, here), (other, there)):
            network.wait_for_link(end.port, _LINK_TIMEOUT_S)


def take(namespace: Namespace, port: str, end: End, mtu: int) -> None:
    """Moves an interface to where it is another device's. Raises LabError."""
    with Network(namespace) as network:
        network.move(port, end.namespace)
    with Network(end.namespace) as network:
        network.set_link(port, ifname=end.port, address=end.mac)
        network.set_link(end.port, mtu=mtu, state="up")
        network.wait_for_link(end.port, _LINK_TIMEOUT_S)


def silence(end: End) -> None:
    """It says nothing itself: only what lies on it does. Raises LabError."""
    end.namespace.set_sysctl(f"net.ipv6.conf.{end.port}.disable_ipv6", 1)


def vlan_on(end: End, port: str, vlan: int) -> None:
    """Another interface at this end, for the frames of one VLAN. Raises LabError."""
    with Network(end.namespace) as network:
        try:
            network.add_vlan(port, end.mac, end.port, vlan)
        except LabError as error:
            raise LabError(f"{error}: is this kernel built with {VLAN.option}? A virtual machine's is") from None
        network.set_up(port)
        network.wait_for_link(port, _LINK_TIMEOUT_S)


def _switch_offloads_off(end: End) -> None:
    settings = [word for offload in _OFFLOADS for word in (offload, "off")]
    run_command((*end.namespace.prefix, "ethtool", "-K", end.port, *settings))
