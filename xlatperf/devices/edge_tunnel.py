"""A customer's end of a tunnel: all IPv4 goes into it, and what comes out of it goes to the hosts on the left."""

from __future__ import annotations

from xlatperf.devices.assembled import Part
from xlatperf.lab.machine import ip6_tunnels
from xlatperf.lab.machine.ip6_tunnels import OUTER_BYTES, Tunnel
from xlatperf.lab.shell_transport import ShellTransport

TUNNEL = "tunnel"


class EdgeTunnel(Part):
    """To the border relay, lwAFTR or AFTR."""

    def __init__(
        self, device: ShellTransport, link_mtu: int, local: str, remote: str, address: str | None = None
    ) -> None:
        """The tunnel's ends are IPv6 addresses. `address`: of IPv4, to which clients are translated.

        It has it as a router's WAN side has it: else the kernel would tell nobody of errors from inside the tunnel.
        """
        self._device = device
        self._mtu = link_mtu - OUTER_BYTES
        self._tunnel = Tunnel(TUNNEL, local, remote)
        self._address = address

    def make(self) -> None:
        """Raises LabError."""
        with self._device.network() as network:
            network.add_address("lo", f"{self._tunnel.local}/128")
            if self._address is not None:
                network.add_address("lo", f"{self._address}/32")
        ip6_tunnels.add(self._device, [self._tunnel], self._mtu)
        with self._device.network() as network:
            network.add_route("0.0.0.0/0", TUNNEL)

    def facts(self) -> dict[str, str]:
        """How it is made."""
        return {"tunnel": ip6_tunnels.shown(self._device, self._tunnel)}

    def diagnose(self) -> list[str]:
        """Is it there? Raises LabError."""
        with self._device.network() as network:
            return [] if TUNNEL in network.links() else [f"the DUT has no tunnel to {self._tunnel.remote}"]
