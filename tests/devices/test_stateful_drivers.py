"""What the drivers of stateful gateways refuse before they make anything."""

from __future__ import annotations

import pytest

from tests.devices.hosts import plan
from xlatperf.devices import registry
from xlatperf.devices.device import DeviceError

POOL = {"first": "198.19.0.1", "addresses": 1, "first_port": 1024, "last_port": 65535}
NAT44: dict[str, object] = {"name": "nat44", "pool": POOL}
NAT64: dict[str, object] = {"name": "nat64", "prefix": "2001:db8:6464::/96", "pool": POOL}
OF: dict[str, dict[str, object]] = {
    "nft-nat44": NAT44,
    "464xlat": {**NAT44, "double_translation": True},
    "tayga-nat64": NAT64,
}


@pytest.mark.parametrize("driver", OF)
def test_another_technology(driver: str) -> None:
    for name in {"nat44", "nat64", "nat66", "siit"} - {str(OF[driver]["name"])}:
        with pytest.raises(DeviceError, match=rf"technology\.name: the driver {driver} does nat.. only, not {name}"):
            registry.create(driver).prepare(plan({**NAT64, "name": name}, {}, {}))


@pytest.mark.parametrize("driver", OF)
@pytest.mark.parametrize(
    ("option", "message"),
    [
        ({"table_size": 0}, r"device\.table_size: 0 is not allowed: 1 to 2147483647"),
        ({"hash_size": "big"}, r"device\.hash_size: 'big' is not allowed"),
        ({"udp_timeout_s": -1}, r"device\.udp_timeout_s: -1 is not allowed"),
        ({"table_sice": 7}, r"device\.table_sice: .* did you mean table_size\?"),
        ({"mtu": 1000}, r"device\.mtu: 1000 is not allowed: 1280 to 65535"),
    ],
)
def test_options(driver: str, option: dict[str, object], message: str) -> None:
    with pytest.raises(DeviceError, match=message):
        registry.create(driver).prepare(plan(OF[driver], {}, {}, **option))


@pytest.mark.parametrize("driver", OF)
def test_nothing_prepared(driver: str) -> None:
    device = registry.create(driver)
    assert device.diagnose() == ["the device isn't prepared"]
    with pytest.raises(DeviceError, match="the device isn't prepared"):
        device.clear_state()
