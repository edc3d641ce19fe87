"""Defaults that depend on another key: the address plan follows the technology.

They are filled in before the models check the file, so that the models, the frozen bench and the report show values.
"""

from __future__ import annotations

import copy
from typing import Any

_HOSTS = {
    "ipv4": {"left": "198.18.0.0/24", "right": "198.19.0.0/24"},
    "ipv6": {"left": "2001:2::/64", "right": "2001:2:0:8000::/64"},
}
"""RFC 2544 App. C.2.2; RFC 5180 §5.2.1: the range's first half left, its second half right."""
_BACKGROUND = {"left": "2001:2:0:1000::/64", "right": "2001:2:0:9000::/64"}
_EAM = {
    "left": {"ipv4": "198.18.0.0/16", "ipv6": "2001:2::/112"},
    "right": {"ipv4": "198.19.0.0/16", "ipv6": "2001:2:0:8000::/112"},
}
STATEFUL: dict[str, dict[str, str]] = {
    "nat44": {"family": "ipv4", "client": "10.0.0.2", "server": "198.19.0.2"},
    "nat64": {"family": "ipv6", "client": "2001:2::2", "server": "198.19.0.2"},
    "nat66": {"family": "ipv6", "client": "2001:2::2", "server": "2001:2:0:8000::2"},
}
"""RFC 9693 §3.1, §3.2; NAT66, for which it has none: RFC 5180 §5.2.1. `family`: whose frame a size names."""
_POOL = {"one": "198.19.0.1", "several": "198.18.0.1"}
_POOL_IPV6 = {"one": "2001:2:0:8000::1", "several": "2001:2:0:c000::1"}
_STEPS = {4: 1, 6: 65536}
"""RFC 9693 §3.2: bits 16 to 31 of IPv4 addresses, bits 96 to 111 of IPv6 addresses vary."""
FRAME_SIZES = {
    "ipv6": [84, 128, 256, 512, 768, 1024, 1280, 1518],
    "ipv4": [64, 128, 256, 512, 768, 1024, 1280, 1518],
    "siit ipv4": [64, 128, 256, 512, 768, 1024, 1280, 1498],
}
"""RFC 8219 §5.1.1 up to the frames of an MTU of 1500; 1498 becomes 1518 on the IPv6 side."""


SMALLEST_ONLY = ("reset", "teardown", "capacity")
"""RFC 6201 §4: the reset tests are done with the smallest frame. The others are about the table."""


def _table(parent: Any, name: str) -> dict[str, Any] | None:
    """The sub-table, made if absent; None if something else is there (the models say what is wrong)."""
    if not isinstance(parent, dict):
        return None
    child = parent.setdefault(name, {})
    return child if isinstance(child, dict) else None


def fill(raw: dict[str, Any]) -> dict[str, Any]:
    """A copy of the file's content with the dependent defaults. Wrong content is left for the models to refuse."""
    data = copy.deepcopy(raw)
    technology = data.get("technology")
    if not isinstance(technology, dict):
        return data
    if str(technology.get("name")) in STATEFUL:
        return _fill_stateful(data, str(technology["name"]))
    siit = technology.get("name") == "siit"
    family = "ipv4" if siit else str(technology.get("family", "ipv4"))
    ipv6_side = str(technology.get("ipv6_side", "left"))
    if family not in _HOSTS:
        return data
    if siit and ipv6_side in _EAM:
        technology.setdefault("eam", [dict(_EAM[ipv6_side])])
    traffic = _table(data, "traffic")
    if traffic is None:
        return data
    frame_size_of = traffic.setdefault("frame_size_of", "ipv6" if siit else family)
    for side in ("left", "right"):
        hosts = _table(_table(traffic, side), "hosts")
        if hosts is not None:
            hosts.setdefault("prefix", _HOSTS[family][side])
        background = _table(_table(traffic, side), "background_hosts")
        if background is not None:
            background.setdefault("prefix", _BACKGROUND[side])
    _fill_sizes(data, "siit ipv4" if siit and frame_size_of == "ipv4" else str(frame_size_of))
    return data


def _fill_sizes(data: dict[str, Any], of: str) -> None:
    sizes = FRAME_SIZES.get(of)
    measures = data.get("measure")
    if sizes and isinstance(measures, list):
        for measure in measures:
            if isinstance(measure, dict):
                wanted = sizes[:1] if measure.get("procedure") in SMALLEST_ONLY else sizes
                measure.setdefault("frame_sizes", list(wanted))


def _fill_stateful(data: dict[str, Any], name: str) -> dict[str, Any]:
    known = STATEFUL[name]
    pool, traffic = _table(data["technology"], "pool"), _table(data, "traffic")
    if pool is not None:
        several = isinstance(pool.get("addresses"), int) and pool["addresses"] > 1
        plan = _POOL_IPV6 if name == "nat66" else _POOL
        pool.setdefault("first", plan["several" if several else "one"])
    if traffic is None:
        return data
    frame_size_of = traffic.setdefault("frame_size_of", known["family"])
    connections = _table(traffic, "connections")
    for table, address in (("clients", known["client"]), ("servers", known["server"])):
        found = _table(connections, table)
        if found is not None:
            first = found.setdefault("first", address)
            found.setdefault("step", _STEPS[6 if ":" in str(first) else 4])
    for side in ("left", "right"):
        background = _table(_table(traffic, side), "background_hosts")
        if background is not None:
            background.setdefault("prefix", _BACKGROUND[side])
    _fill_sizes(data, "siit ipv4" if name == "nat64" and frame_size_of == "ipv4" else str(frame_size_of))
    return data
