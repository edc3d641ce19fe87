"""The reference device's configuration (`xlatperf-reference --help`) and its ports, from a Plan. Pure: no I/O."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from xlatperf.devices.device import DeviceError, Link, Plan
from xlatperf.devices.options import check_names, integer, truth
from xlatperf.lab.link_addresses import DUT_MACS, TESTER_MACS
from xlatperf.technologies import registry as technologies

# Keys that go to the device as they are: it checks them, and names what it allows.
_PASSED_ON = ("impair", "hugepages", "idle", "core", "buffers", "icmp_errors_per_second")
_OF_MAP = ("checks", "answers", "hop_limit", "traffic_class", "encapsulation_limit", "entry_hops", "exit_hops")
_OF_LW4O6 = ("hairpinning",)
_OF_DSLITE = ("sessions",)
_OF_TECHNOLOGY = (
    "udp_checksum_zero",
    "lowest_ipv6_mtu",
    "state",
    "double_translation",
    *_OF_MAP,
    *_OF_LW4O6,
    *_OF_DSLITE,
)
OPTIONS = (*_PASSED_ON, *_OF_TECHNOLOGY, "mtu", "static_neighbours")

_NUMBERS = {"left": 0, "right": 1}
_ALLOWED_MTU = range(1280, 9601)  # RFC 8200 §5; the device's largest
_DEFAULT_MTU = 1500
# DPDK guide "Memif Poll Mode Driver": log2 of the descriptors per ring, default 10. 4096 frames outlast the moments in
# which Tester or device don't get a core.
_RING_SIZE_LOG2 = 12
_SMALLEST_BUFFER = 2048
_FRAME_AROUND = 18 + 8  # Ethernet header and FCS, two VLAN tags
_LONGEST_SOCKET = 107  # unix(7): sun_path, with the zero at its end


def configuration(plan: Plan, folder: Path) -> dict[str, Any]:
    """What the device reads. `folder` is where the sockets of its ports are to be."""
    options = plan.options
    check_names("reference", options, OPTIONS)
    mtu = _mtu(options)
    made: dict[str, Any] = {
        "left": _side("left", plan, plan.left, folder, mtu),
        "right": _side("right", plan, plan.right, folder, mtu),
        "technology": {
            **_technology(plan, folder),
            **{name: options[name] for name in _OF_TECHNOLOGY if name in options},
        },
    }
    made.update({name: options[name] for name in _PASSED_ON if name in options})
    return made


def table_file(folder: Path) -> Path:
    """Where the device finds its binding table."""
    return folder / "softwires.csv"


def _technology(plan: Plan, folder: Path) -> dict[str, Any]:
    if plan.softwires is None:
        return dict(plan.technology)
    # Whether frames are sent from one lwB4 to another is the Tester's; whether the device lets them, its own option.
    of_tester = ("softwires", *_OF_LW4O6)
    known = {name: value for name, value in plan.technology.items() if name not in of_tester}
    return {**known, "table": str(table_file(folder))}


def keeps_state(technology: Mapping[str, Any]) -> bool:
    """The device has a connection tracking table."""
    model = technologies.of(technology)
    return model is not None and model.stateful


def port_of_tester(side: str, folder: Path, options: Mapping[str, Any]) -> str:
    """The engine's name of the port that is connected to the device on that side."""
    return _memif(side, "client", folder / f"{side}.sock", _mtu(options), TESTER_MACS[side])


def ports_of_cable(folder: Path, options: Mapping[str, Any]) -> tuple[str, str]:
    """The same two ports, connected to each other by one socket; the left one has the device's role in memif."""
    socket, mtu = folder / "cable.sock", _mtu(options)
    return (
        _memif("left", "server", socket, mtu, TESTER_MACS["left"]),
        _memif("right", "client", socket, mtu, TESTER_MACS["right"]),
    )


def _side(side: str, plan: Plan, link: Link, folder: Path, mtu: int) -> dict[str, Any]:
    made: dict[str, Any] = {"port": _memif(side, "server", folder / f"{side}.sock", mtu, DUT_MACS[side]), "mtu": mtu}
    if link.dut_ipv4 is not None:
        made["ipv4"] = link.dut_ipv4
    if link.dut_ipv6 is not None:
        made["ipv6"] = link.dut_ipv6
    made["routes"] = [{"prefix": route["prefix"], "via": route["via"]} for route in plan.describe[side]["routes"]]
    if truth(plan.options, "static_neighbours", False):
        own = [address.partition("/")[0] for address in (link.tester_ipv4, link.tester_ipv6) if address is not None]
        made["neighbors"] = [{"address": address, "mac": TESTER_MACS[side]} for address in own]
    return made


def _memif(side: str, role: str, path: Path, mtu: int, mac: str) -> str:
    socket = str(path)
    if len(socket) > _LONGEST_SOCKET or "," in socket:
        raise DeviceError(f"{socket} can't be a socket's path: set XLATPERF_RUNTIME to a shorter one without a comma")
    size = _SMALLEST_BUFFER
    while size < mtu + _FRAME_AROUND:
        size *= 2
    return (
        f"net_memif{_NUMBERS[side]},role={role},socket={socket},socket-abstract=no,id=0,"
        f"rsize={_RING_SIZE_LOG2},bsize={size},mac={mac}"
    )


def _mtu(options: Mapping[str, Any]) -> int:
    return integer(options, "mtu", _DEFAULT_MTU, _ALLOWED_MTU)
