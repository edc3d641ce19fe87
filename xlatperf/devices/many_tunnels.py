"""The provider's end of several tunnels, one interface of the device's for each: a part of an AFTR, BR or lwAFTR."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from xlatperf.devices.assembled import Part
from xlatperf.devices.device import DeviceError
from xlatperf.keys.not_allowed import not_allowed
from xlatperf.lab.machine import ip6_tunnels
from xlatperf.lab.machine.ip6_tunnels import OUTER_BYTES, Tunnel
from xlatperf.lab.shell_transport import ShellTransport

MOST_TUNNELS = 64
"""Each has an interface, a routing table and a rule, which the kernel looks through one by one."""
WHY_SO_FEW = "as the kernel has an interface for each"


class ManyTunnels(Part):
    """A packet goes into the first with the mark 1, into the second with the mark 2."""

    def __init__(
        self,
        device: ShellTransport,
        link_mtu: int,
        tunnels: Sequence[Tunnel],
        rules: str,
        homes: Mapping[str, str],
        sysctls: Mapping[str, int] = MappingProxyType({}),
    ) -> None:
        """`rules`: nftables', which mark packets. Not more than `MOST_TUNNELS`: see `refuse_too_many`.

        `homes`: addresses or networks, and through which tunnel the kernel finds them if there's no mark.
        """
        self.device = device
        self.rules = rules
        self._mtu = link_mtu - OUTER_BYTES
        self._tunnels = tunnels
        self._homes = homes
        self._sysctls = sysctls

    def make(self) -> None:
        """Raises LabError."""
        with self.device.network() as network:
            for local in dict.fromkeys(one.local for one in self._tunnels):
                network.add_address("lo", f"{local}/128")
        ip6_tunnels.add(self.device, self._tunnels, self._mtu)
        ip6_tunnels.route_by_mark(self.device, self._tunnels)
        ip6_tunnels.route(self.device, self._homes)
        self.device.run(("nft", "-f", "-"), text=self.rules)
        self.device.set_sysctls(self._sysctls)

    def facts(self) -> dict[str, str]:
        """How the tunnels are made."""
        return {
            "tunnels": str(len(self._tunnels)),
            "tunnels.first": ip6_tunnels.shown(self.device, self._tunnels[0]),
            "nft.tunnels": self.rules,
        }

    def diagnose(self) -> list[str]:
        """Is each there? Raises LabError."""
        with self.device.network() as network:
            there = set(network.links())
        return [f"the DUT has no tunnel {one.name} to {one.remote}" for one in self._tunnels if one.name not in there]


def refuse_too_many(count: int, place: str, value: int | str, what: str) -> None:
    """`value` stands at `place`, where only `what` so many tunnels is allowed. Raises DeviceError."""
    if count > MOST_TUNNELS:
        allowed = f"{what} at most {MOST_TUNNELS}, {WHY_SO_FEW}"
        raise DeviceError(not_allowed(place, value, allowed))
