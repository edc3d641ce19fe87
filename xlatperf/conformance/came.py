"""What came of packets that were sent, and which packets are of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xlatperf.conformance.nesting import nested, out_of_tunnels
from xlatperf.conformance.packet import Ipv6, Packet
from xlatperf.conformance.transport import icmp_error


@dataclass(frozen=True)
class Came:
    """The packets of a probe that came out on the other side, and on the side that it was sent from."""

    far: tuple[Packet, ...] = ()
    near: tuple[Packet, ...] = ()

    @property
    def error_packet(self) -> Packet | None:
        """The first ICMP error to the sender, which may have come in a tunnel."""
        return next((one for one in out_of_tunnels(self.near) if icmp_error(one) is not None), None)

    @property
    def error(self) -> tuple[int, int, bytes] | None:
        """Its type, code and bytes 4 to 7."""
        return None if self.error_packet is None else icmp_error(self.error_packet)

    def instead(self) -> str:
        """What became of a packet that didn't come out as one."""
        if len(self.far) > 1:
            return f"{len(self.far)} packets came"
        if self.error is not None:
            family = "ICMPv6" if isinstance(self.error_packet, Ipv6) else "ICMP"
            return f"dropped, {family} {self.error[0]}/{self.error[1]} came back"
        return "came back to the sender" if self.near else "dropped"


def is_of(packet: Packet, sent: Sequence[Packet], mark: bytes) -> bool:
    """Whether a packet that came belongs to those that were sent: by its mark, or as an error about one of them."""
    if mark in packet.payload:
        return True
    about = list(nested(packet))
    if all(icmp_error(one) is None for one in about):
        return False
    known = [own for one in sent for own in nested(one)]
    return any(one.source == own.source and own.payload[:8] == one.payload[:8] for one in about[1:] for own in known)
