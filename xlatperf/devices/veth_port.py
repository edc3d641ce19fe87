"""DPDK's names of ports on a network interface: drivers af_packet and af_xdp."""

from __future__ import annotations

from xlatperf.devices.device import DeviceError

# DPDK guide "AF_PACKET Poll Mode Driver". Its defaults (512 frames of 2048 bytes) hold 2 ms at 250,000 frames per
# second: a Tester that shares its core is held up longer than that now and then.
_FRAMES = 4096
_SMALLEST_SLOT = 2048
# A slot holds the Ethernet header and what the kernel puts in front of the frame (TPACKET_HDRLEN and alignment).
_IN_FRONT = 128
_SLOTS_PER_BLOCK = 4
# An AF_XDP frame lies in one page of 4096 bytes, less 256 bytes headroom and the DPDK mbuf (DPDK guide, "AF_XDP").
_LARGEST_MTU_AF_XDP = 3400


def name(driver: str, number: int, interface: str, mtu: int) -> str:
    """The engine's port name; `number` tells the ports of one engine apart."""
    if driver == "af_packet":
        slot = _SMALLEST_SLOT
        while slot < mtu + _IN_FRONT:
            slot *= 2
        sizes = f"blocksz={slot * _SLOTS_PER_BLOCK},framesz={slot},framecnt={_FRAMES}"
        return f"net_af_packet{number},iface={interface},{sizes},qdisc_bypass=1"
    if driver == "af_xdp":
        if mtu > _LARGEST_MTU_AF_XDP:
            raise DeviceError(f"af_xdp carries an MTU of at most {_LARGEST_MTU_AF_XDP}, not {mtu}: use af_packet")
        return f"net_af_xdp{number},iface={interface}"
    raise DeviceError(f"tester.port_driver: {driver!r} is not allowed: af_packet, af_xdp")
