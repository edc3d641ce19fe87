"""Messages that are right, to be changed by the tests."""

from __future__ import annotations

import copy
from typing import Any

from tests.engine_system.engine_process import EngineProcess, Message

SIIT: Message = {
    "technology": {
        "name": "siit",
        "ipv6_side": "left",
        "prefix": "2001:db8:6464::/96",
        "eam": [{"ipv4": "198.18.0.0/24", "ipv6": "2001:2::/120"}],
    },
    "left": {
        "ipv4": {"address": "198.18.255.2", "gateway": "198.18.255.1"},
        "ipv6": {"address": "2001:2:0:7fff::2", "gateway": "2001:2:0:7fff::1"},
        "hosts": {"prefix": "198.18.0.0/24", "networks": 1, "host": 2},
        "background_hosts": {"prefix": "2001:2:0:1000::/64", "networks": 1, "host": 2},
    },
    "right": {
        "ipv4": {"address": "198.19.255.2", "gateway": "198.19.255.1"},
        "ipv6": {"address": "2001:2:0:ffff::2", "gateway": "2001:2:0:ffff::1"},
        "hosts": {"prefix": "198.19.0.0/24", "networks": 1, "host": 2},
        "background_hosts": {"prefix": "2001:2:0:9000::/64", "networks": 1, "host": 2},
    },
    "traffic": {"seed": 1, "traffic_class": 0xB8},
}

# A loaded machine may hold the sender up, here for up to a hundred times the trial: how fast it is isn't tested.
PATIENT = {"late_us": 1e7, "late_share": 1, "overrun": 100}


def configuration(**changes: Any) -> Message:
    """SIIT, with other values for some of the top keys."""
    return {**copy.deepcopy(SIIT), **changes}


def trial(**changes: Any) -> Message:
    """Short, of a patient Tester."""
    return {"frame_size": 84, "rate_fps": 100_000, "duration_s": 0.1, "timeout_s": 0.1, "schedule": PATIENT, **changes}


def open_ports(engine: EngineProcess, left: str, right: str, **changes: Any) -> Message:
    """Opens two ports without hugepages on one core."""
    ports = {"left": {"port": left}, "right": {"port": right}}
    return engine.do("open", cores=[1], hugepages="never", idle="yield", link_timeout_s=0, **ports, **changes)


def open_loopback(engine: EngineProcess, **changes: Any) -> Message:
    """Two rings, each the other's end."""
    return open_ports(engine, "net_ring0", "net_ring1", **changes)
