"""The engine's messages for connections (RFC 9693 §3.1's addresses), and its trials on a machine that others share."""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping
from typing import Any

import pytest

from tests.engine_system.messages import PATIENT
from tests.retries import attempts
from tests.system.trials import ATTEMPTS, counters
from xlatperf.config.request import trial_connections
from xlatperf.devices.device import Link
from xlatperf.engine.client import Engine
from xlatperf.procedures.trial_request import TrialRequest

Message = dict[str, Any]

LINKS = {side: Link(f"192.168.{n}.2/30", f"192.168.{n}.1/30", None, None) for side, n in (("left", 18), ("right", 19))}

POOL_IPV4 = "198.18.0.1"
POOL_IPV6 = "2001:2:0:8000::1"
_CLIENTS = {"nat44": "10.0.0.2", "nat64": "2001:2::2", "nat66": "2001:2::2"}
_SERVERS = {"nat44": "198.19.0.2", "nat64": "198.19.0.2", "nat66": "2001:2:0:9000::2"}
_FAMILY_OF_SIZE = {"nat44": "ipv4", "nat64": "ipv6", "nat66": "ipv6", "map-e-ce": "ipv6", "map-t-ce": "ipv6"}
_FAMILY_OF_SIZE |= {"lw4o6-b4": "ipv6", "dslite": "ipv6"}
SIZES = {"nat44": 64, "nat64": 84, "nat66": 84, "map-e-ce": 104, "map-t-ce": 84, "lw4o6-b4": 104, "dslite": 104}


def pool(technology: str, **keys: int) -> Message:
    first = POOL_IPV6 if technology == "nat66" else POOL_IPV4
    return {"first": first, "addresses": 1, "first_port": 1024, "last_port": 65535, **keys}


def _side(number: int) -> Message:
    return {
        "ipv4": {"address": f"192.168.{number}.2", "gateway": f"192.168.{number}.1"},
        "ipv6": {"address": f"2001:2:0:{number}::2", "gateway": f"2001:2:0:{number}::1"},
        "background_hosts": {"prefix": f"2001:2:0:10{number}::/64"},
    }


def configuration(
    technology: str,
    *,
    loopback: bool = False,
    clients: int = 1,
    servers: int = 1,
    pool_keys: Mapping[str, int] | None = None,
    foreground: Mapping[str, int] | None = None,
    **connections: Any,
) -> Message:
    """`connections`: further keys of `traffic.connections`."""
    named: Message = {"name": technology, "pool": pool(technology, **(pool_keys or {}))}
    if technology == "nat64":
        named["prefix"] = "2001:db8:6464::/96"
    step = 1 if technology == "nat44" else 65536  # RFC 9693 §3.2
    return {
        "request": "configure",
        "loopback": loopback,
        "technology": named,
        "left": _side(18),
        "right": _side(19),
        "traffic": {
            "foreground": dict(foreground or {"take": 1, "of": 1}),
            "connections": {
                "clients": {"first": _CLIENTS[technology], "addresses": clients, "step": step},
                "servers": {"first": _SERVERS[technology], "addresses": servers},
                **copy.deepcopy(connections),
            },
        },
    }


def trial(technology: str, phase: str, count: int, rate_fps: float, **changes: Any) -> Message:
    """`duration_s` and `directions` as the phase needs them, unless they are given."""
    directions = {"establish": ["forward"], "each_once": ["reverse"], "steady": ["forward", "reverse"]}[phase]
    duration = {"duration_s": 0.25} if phase == "steady" else {}
    return {
        "request": "trial",
        "frame_size": SIZES[technology],
        "frame_size_of": _FAMILY_OF_SIZE[technology],
        "rate_fps": rate_fps,
        "timeout_s": 0.1,
        "directions": directions,
        "schedule": PATIENT,
        "connections": {"count": count, "phase": phase},
        **duration,
        **changes,
    }


def as_asked(request: TrialRequest, tag: int) -> Message:
    """What a campaign with NAT44 asks for, but patient with a machine that others use as well."""
    assert request.connections is not None
    known = {"number": tag, "timeout_s": request.timeout_s, **trial_connections(request)}
    return trial("nat44", request.connections.phase, 1, request.rate_fps, **known)


def valid(engine: Engine, message: Message, before: Callable[[], object] = lambda: None) -> Message:
    """The first valid answer; an invalid one says that the machine held the Tester up."""
    reasons: list[str] = []
    for number in attempts(ATTEMPTS):
        before()
        answer = engine.trial({**message, "number": number + 1}).dump()
        if answer["valid"]:
            return answer
        reasons += [reason["text"] for reason in answer["reasons"]]
    pytest.fail("; ".join(reasons))


def counts(answer: Message, direction: str) -> dict[str, int]:
    """Foreground counters of a direction that aren't zero."""
    return {name: n for name, n in counters(answer[direction]["foreground"]).items() if n}
