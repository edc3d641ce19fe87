"""DPDK's names of ports on a network interface: drivers af_packet and af_xdp."""

from __future__ import annotations

import math

from xlatperf.devices.device import DeviceError
from xlatperf.keys.not_allowed import not_allowed
from xlatperf.keys.port_arguments import PAGE, USUAL_SLOT
from xlatperf.keys.receive_ring import ring_for

# DPDK guide "AF_PACKET Poll Mode Driver". Its defaults (512 frames of 2048 bytes) hold 2 ms at 250,000 frames per
# second: a Tester that shares its core is held up longer than that now and then.
_FRAMES = (4096, 16384)
# A slot holds the Ethernet header and what the kernel puts in front of the frame: 66 + 14 bytes (packet(7)).
# It must be a multiple of 16, a block one of the page and of the slot (DPDK takes slots to lie without gaps), and the
# engine's buffers must take a slot less 32: `largest_frame` + 64 bytes do, and 2048.
_IN_FRONT = 84
_ALIGNMENT = 16
_CACHE_LINE = 64
# An AF_XDP frame lies in one page of 4096 bytes, less 256 bytes headroom and the DPDK mbuf (DPDK guide, "AF_XDP").
LARGEST_MTU_AF_XDP = 3400


def name(driver: str, number: int, interface: str, mtu: int, queues: int = 1, asked_fps: float = 0.0) -> str:
    """The engine's port name; `number` tells the ports of one engine apart. Raises DeviceError.

    `asked_fps`: the highest rate that is asked for; 0 if nobody knows, and the ring is the smallest.
    """
    if driver == "af_packet":
        several = f",qpairs={queues}" if queues > 1 else ""
        return f"net_af_packet{number},iface={interface},{ring_sizes(mtu, asked_fps)},qdisc_bypass=1{several}"
    if driver == "af_xdp":
        if queues > 1:
            raise DeviceError(f"af_xdp has one queue here, not {queues} as tester.queues says: use af_packet")
        if mtu > LARGEST_MTU_AF_XDP:
            raise DeviceError(f"af_xdp carries an MTU of at most {LARGEST_MTU_AF_XDP}, not {mtu}: use af_packet")
        # It would ask the kernel to poll whenever nothing has arrived: a system call for each look.
        return f"net_af_xdp{number},iface={interface},busy_budget=0"
    raise DeviceError(not_allowed("tester.port_driver", driver, "af_packet, af_xdp"))


def least_slot(mtu: int) -> int:
    """Bytes that a slot of af_packet must have for packets of this size."""
    return mtu + _IN_FRONT


def ring_sizes(mtu: int, asked_fps: float = 0.0) -> str:
    """Arguments of af_packet for such packets."""
    slot = _slot(least_slot(mtu))
    return f"blocksz={math.lcm(slot, PAGE)},framesz={slot},framecnt={ring_for(asked_fps, *_FRAMES)}"


def _slot(least: int) -> int:
    """Bytes. An odd number of cache lines, where that is taken: heads of slots that lie 2048 bytes apart share a few
    sets of the cache."""
    lines = -(-least // _CACHE_LINE) | 1
    if lines * _CACHE_LINE <= USUAL_SLOT:
        return lines * _CACHE_LINE
    return max(USUAL_SLOT, -(-least // _ALIGNMENT) * _ALIGNMENT)
