"""Ports that share memory with a device on this host (memif), as DPDK names them. Pure: no I/O."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from xlatperf.devices.device import DeviceError
from xlatperf.keys.receive_ring import ring_for
from xlatperf.lab.link_addresses import TESTER_MACS

_NUMBERS = {"left": 0, "right": 1}
# DPDK guide "Memif Poll Mode Driver": rings have 2 to 16384 descriptors, 1024 by default. At 100,000 frames/s 4096
# outlast the moments in which Tester or device don't get a core.
_RINGS = (4096, 16384)
_SMALLEST_BUFFER = 2048
_FRAME_AROUND = 18 + 8  # Ethernet header and FCS, two VLAN tags
_LONGEST_SOCKET = 107  # unix(7): sun_path, with the zero at its end


def ring_size(asked_fps: float) -> int:
    """Descriptors of a ring."""
    return ring_for(asked_fps, *_RINGS)


def buffer_size(mtu: int) -> int:
    """Bytes that hold a frame."""
    size = _SMALLEST_BUFFER
    while size < mtu + _FRAME_AROUND:
        size *= 2
    return size


def name(side: str, role: Literal["server", "client"], path: Path, mtu: int, asked_fps: float, mac: str) -> str:
    """`net_memif0,role=client,...`. `path`: its socket's. Raises DeviceError for one that can't be a socket's."""
    where = str(path)
    if len(where) > _LONGEST_SOCKET or "," in where:
        raise DeviceError(f"{where} can't be a socket's path: set XLATPERF_RUNTIME to a shorter one without a comma")
    return (
        f"net_memif{_NUMBERS[side]},role={role},socket={where},socket-abstract=no,id=0,"
        f"rsize={ring_size(asked_fps).bit_length() - 1},bsize={buffer_size(mtu)},mac={mac}"
    )


def socket(folder: Path, side: str) -> Path:
    """Where a device on this host listens for the Tester."""
    return folder / f"{side}.sock"


def of_tester(side: str, folder: Path, mtu: int, asked_fps: float) -> str:
    """The Tester's port, connected to such a device."""
    return name(side, "client", socket(folder, side), mtu, asked_fps, TESTER_MACS[side])


def of_cable(folder: Path, mtu: int, asked_fps: float) -> tuple[str, str]:
    """The same two ports, connected to each other by one socket; the left one has the device's role in memif."""
    path = folder / "cable.sock"
    return (
        name("left", "server", path, mtu, asked_fps, TESTER_MACS["left"]),
        name("right", "client", path, mtu, asked_fps, TESTER_MACS["right"]),
    )
