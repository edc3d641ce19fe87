"""Defaults that depend on another key: the address plan follows the technology.

They are filled in before the models check the file, so that the models, the frozen bench and the report show values.
"""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from typing import Any, get_args

from xlatperf.config.frame_sizes import named_tag
from xlatperf.config.tester import VLAN_TAG_BYTES
from xlatperf.devices.registry import DEFAULT as DEFAULT_DRIVER
from xlatperf.keys.port_ranges import ClientPorts, ServerPorts
from xlatperf.procedures.registry import BY_NAME as PROCEDURES
from xlatperf.procedures.trial_request import FrameSizeOf
from xlatperf.technologies import registry as technologies
from xlatperf.technologies.technology import AddressPlan

_BACKGROUND = {"left": "2001:2:0:1000::/64", "right": "2001:2:0:9000::/64"}
"""RFC 5180 §5.2.1: the range's first half left, its second half right."""
_STEPS = {4: 1, 6: 65536}
"""RFC 9693 §3.2: bits 16 to 31 of IPv4 addresses, bits 96 to 111 of IPv6 addresses vary."""


def _table(parent: Any, name: str) -> dict[str, Any] | None:
    """The sub-table, made if absent; None if something else is there (the models say what is wrong)."""
    if not isinstance(parent, dict):
        return None
    child = parent.setdefault(name, {})
    return child if isinstance(child, dict) else None


def fill(raw: dict[str, Any]) -> dict[str, Any]:
    """A copy of the file's content with the dependent defaults. Wrong content is left for the models to refuse."""
    data = copy.deepcopy(raw)
    device = data.get("device")
    if isinstance(device, dict):
        device.setdefault("driver", DEFAULT_DRIVER)
    technology = data.get("technology")
    if not isinstance(technology, dict):
        return data
    model = technologies.of(technology)
    if model is None:
        return data
    model.fill(technology)
    traffic = _table(data, "traffic")
    if traffic is None:
        return data
    plan = model.plan(technology)
    frame_size_of = str(traffic.setdefault("frame_size_of", plan.frame_size_of))
    traffic.setdefault("hops", model.hops)
    if model.stateful:
        _fill_connections(traffic, plan)
    for side in ("left", "right"):
        prefix = plan.hosts.get(side)
        hosts = _table(_table(traffic, side), "hosts") if prefix is not None else None
        if hosts is not None:
            hosts.setdefault("prefix", prefix)
        background = _table(_table(traffic, side), "background_hosts")
        if background is not None:
            background.setdefault("prefix", _BACKGROUND[side])
    if frame_size_of in get_args(FrameSizeOf):
        tag = named_tag(model.families_of(technology), frame_size_of, _tags(data))
        smallest, *middle, largest = model.frame_sizes(technology, frame_size_of)
        _fill_sizes(data, [smallest + tag, *middle, largest + tag])
    return data


def _tags(data: Mapping[str, Any]) -> tuple[int, int]:
    """Bytes of VLAN tags on the left link and the right (RFC 5180 §5.1.1: the largest frame has 1522 with one)."""
    tester = data.get("tester")
    sides = [tester.get(side) if isinstance(tester, dict) else None for side in ("left", "right")]
    left, right = (VLAN_TAG_BYTES if isinstance(side, dict) and "vlan" in side else 0 for side in sides)
    return left, right


def _sizes_of_columns(data: dict[str, Any], measure: dict[str, Any]) -> list[Any]:
    """Of a measure whose columns have one each; empty: none of its columns has."""
    columns = data.get("column") if measure.get("columns") == "all" else measure.get("columns")
    tables = [column for column in columns if isinstance(column, dict)] if isinstance(columns, list) else []
    sizes = [column["frame_size"] for column in tables if isinstance(column.get("frame_size"), int)]
    return list(dict.fromkeys(sizes))


def _fill_sizes(data: dict[str, Any], sizes: list[int]) -> None:
    measures = data.get("measure")
    if isinstance(measures, list):
        for measure in measures:
            if isinstance(measure, dict):
                procedure = PROCEDURES.get(str(measure.get("procedure")))
                smallest_only = procedure is not None and procedure.facts.smallest_only
                wanted = _sizes_of_columns(data, measure) or (sizes[:1] if smallest_only else sizes)
                measure.setdefault("frame_sizes", list(wanted))


def _fill_server_ports(ports: dict[str, Any] | None, possible: Sequence[range]) -> None:
    """Of those that servers can have; up to the usual highest one, if that isn't below them."""
    if ports is None or not possible:
        return
    first = ports.setdefault("first", possible[0][0])
    of = next((one for one in possible if isinstance(first, int) and first in one), possible[0])
    usual = ServerPorts.model_fields["last"].default
    ports.setdefault("last", min(of[-1], usual) if of[0] <= usual else of[-1])


def _fill_connections(traffic: dict[str, Any], plan: AddressPlan) -> None:
    connections = _table(traffic, "connections")
    for table, address, count in (("clients", plan.client, 1), ("servers", plan.server, plan.servers)):
        found = _table(connections, table)
        if found is not None:
            if count > 1 and "first" not in found:
                found.setdefault("addresses", count)
            first = found.setdefault("first", address)
            found.setdefault("step", _STEPS[6 if ":" in str(first) else 4])
    _fill_server_ports(_table(connections, "server_ports"), plan.server_ports)
    if plan.client_ports is None:
        return
    ports = _table(connections, "client_ports")
    first_port = None if ports is None else ports.get("first", ClientPorts.model_fields["first"].default)
    if ports is not None and isinstance(first_port, int):
        of_each = max(1, plan.client_ports // _clients(connections))
        ports.setdefault("last", min(65535, first_port + of_each - 1))


def _clients(connections: Any) -> int:
    """How many have the ports."""
    table = _table(connections, "clients")
    count = 1 if table is None else table.get("addresses", 1)
    return count if isinstance(count, int) and count > 0 else 1
