"""The reference device's configuration (`xlatperf-reference --help`) and its ports, from a Plan. Pure: no I/O."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from xlatperf.devices import memif_port, veth_port
from xlatperf.devices.device import Joint, Link, Plan
from xlatperf.devices.reference_keys import ReferenceKeys
from xlatperf.lab.link_addresses import DUT_MACS, TESTER_MACS
from xlatperf.technologies import registry as technologies

_NUMBERS = {"left": 0, "right": 1}


def configuration(keys: ReferenceKeys, plan: Plan, folder: Path) -> dict[str, Any]:
    """What the device reads. `folder` is where the sockets of its ports are to be."""
    return {
        "left": _side("left", keys, plan, plan.left, folder),
        "right": _side("right", keys, plan, plan.right, folder),
        "technology": {**_technology(keys, plan, folder), **keys.of_technology()},
        **keys.passed_on(),
    }


def _known_domains(keys: ReferenceKeys, technology: Mapping[str, object]) -> dict[str, object]:
    """The technology with the domains that the device is to know."""
    if keys.domains is None:
        return dict(technology)
    return {**technology, "domains": [domains_of(technology)[number] for number in keys.domains]}


def domains_of(technology: Mapping[str, object]) -> Sequence[object]:
    """Those that a technology has, if it has any."""
    domains = technology.get("domains")
    return domains if isinstance(domains, Sequence) else ()


def table_file(folder: Path) -> Path:
    """Where the device finds its binding table."""
    return folder / "softwires.csv"


def _technology(keys: ReferenceKeys, plan: Plan, folder: Path) -> dict[str, Any]:
    # That frames are sent from one subscriber to another is the Tester's; whether the device lets them, its own option.
    of_tester = ("softwires", "hairpinning")
    known = {name: value for name, value in plan.technology.items() if name not in of_tester}
    if plan.softwires is None:
        return _known_domains(keys, known)
    return {**known, "table": str(table_file(folder))}


def keeps_state(technology: Mapping[str, Any]) -> bool:
    """The device has a connection tracking table."""
    model = technologies.of(technology)
    return model is not None and model.stateful


def ports_of_tester(plan: Plan, folder: Path, mtu: int) -> tuple[str, str]:
    """The engine's names of the ports that are connected to the device; of one port the same."""
    left, right = (memif_port.of_tester(side, folder, mtu, plan.asked_fps) for side in ("left", "right"))
    return left, left if plan.one_port else right


def _side(side: str, keys: ReferenceKeys, plan: Plan, link: Link, folder: Path) -> dict[str, Any]:
    mtu, of = keys.mtu, "left" if plan.one_port else side
    port = memif_port.name(of, "server", memif_port.socket(folder, of), mtu, plan.asked_fps, DUT_MACS[of])
    if plan.joint is not None and plan.joint.side == side:
        port = _joined(plan.joint, mtu, plan.asked_fps)
    made: dict[str, Any] = {"port": port, "mtu": mtu}
    if link.dut_ipv4 is not None:
        made["ipv4"] = link.dut_ipv4
    if link.dut_ipv6 is not None:
        made["ipv6"] = link.dut_ipv6
    if link.vlan is not None:
        made["takes_vlan"] = link.vlan
    sent = keys.sent_vlans[_NUMBERS[side]] if keys.sent_vlans is not None else link.vlan
    if sent:
        made["sends_vlan"] = {"id": sent, "priority": keys.sent_priorities[_NUMBERS[side]]}
    made["routes"] = [{"prefix": prefix, "via": via} for prefix, via in plan.routes(side)]
    if keys.static_neighbours:
        own = [address.partition("/")[0] for address in (link.tester_ipv4, link.tester_ipv6) if address is not None]
        made["neighbors"] = [{"address": address, "mac": TESTER_MACS[of]} for address in own]
    return made


def _joined(joint: Joint, mtu: int, asked_fps: float) -> str:
    """Where the Tester would be; 0 and 1 are the numbers of the device's other ports."""
    if joint.end is not None:
        return veth_port.name("af_packet", 2, joint.end.port, mtu, asked_fps=asked_fps)
    return re.sub(r"\A(net_[a-z_]+)\d+", r"\g<1>2", joint.port)
