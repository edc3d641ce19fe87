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
FRAME_SIZES = {
    "ipv6": [84, 128, 256, 512, 768, 1024, 1280, 1518],
    "ipv4": [64, 128, 256, 512, 768, 1024, 1280, 1518],
    "siit ipv4": [64, 128, 256, 512, 768, 1024, 1280, 1498],
}
"""RFC 8219 §5.1.1 up to the frames of an MTU of 1500; 1498 becomes 1518 on the IPv6 side."""


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
    sizes = FRAME_SIZES.get("siit ipv4" if siit and frame_size_of == "ipv4" else str(frame_size_of))
    measures = data.get("measure")
    if sizes and isinstance(measures, list):
        for measure in measures:
            if isinstance(measure, dict):
                # RFC 6201 §4: the reset tests are done with the smallest frame.
                wanted = sizes[:1] if measure.get("procedure") == "reset" else sizes
                measure.setdefault("frame_sizes", list(wanted))
    return data
