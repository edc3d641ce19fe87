"""Tunnels and rules of an AFTR, as text: the system test shows what they do."""

from __future__ import annotations

from typing import Any

import pytest

from xlatperf.devices.aftr_tunnels import rules, tunnels
from xlatperf.devices.device import DeviceError
from xlatperf.devices.many_tunnels import MOST_TUNNELS


def technology(count: int, network_length: int = 64) -> dict[str, Any]:
    b4s = {"first": "2001:2:0:4000::2", "count": count, "network_length": network_length}
    return {"aftr": "2001:2:0:6000::1", "b4s": b4s}


def test_a_tunnel_to_each_b4() -> None:
    """R6333-6.6: each B4 is told apart by its address."""
    found = tunnels(technology(3))
    assert [(one.name, one.local, one.remote) for one in found] == [
        ("b4-1", "2001:2:0:6000::1", "2001:2:0:4000::2"),
        ("b4-2", "2001:2:0:6000::1", "2001:2:0:4001::2"),
        ("b4-3", "2001:2:0:6000::1", "2001:2:0:4002::2"),
    ]
    assert tunnels(technology(2, 128))[1].remote == "2001:2:0:4000::3"
    assert len(tunnels(technology(MOST_TUNNELS))) == MOST_TUNNELS


def test_more_than_it_can_have() -> None:
    with pytest.raises(DeviceError, match=r"technology\.b4s\.count: 65 is not allowed: B4s, at most 64, as"):
        tunnels(technology(MOST_TUNNELS + 1))


def test_rules() -> None:
    """The zone is that of frames from the B4 alone: those to the pool are found without."""
    text = rules(tunnels(technology(2)))
    assert 'ct original zone set iifname map { "b4-1" : 1, "b4-2" : 2 }' in text
    assert 'ct mark set iifname map { "b4-1" : 1, "b4-2" : 2 }' in text
    assert 'iifname "d1" meta mark set ct mark' in text
    private = "10.0.0.0/8, 172.16.0.0/12, 192.168.0.0/16, 192.0.0.0/29"
    assert f'iifname {{ "b4-1", "b4-2" }} ip saddr != {{ {private} }} drop' in text
