from __future__ import annotations

import pytest

from tests.devices.hosts import LEFT, RIGHT, describe
from xlatperf.devices.device import DeviceError
from xlatperf.devices.tayga_pair_configuration import Pair, configure

SERVERS = {"198.19.0.2/32": "foreground"}


def made(*clients: str) -> Pair:
    return configure("464xlat", describe(dict.fromkeys(clients, "foreground"), SERVERS), (LEFT, RIGHT))


def test_both_devices() -> None:
    """RFC 6877 App. A: a prefix for the clients and one for the servers."""
    pair = made("10.0.0.0/16")
    assert pair.left.text == pair.right.text
    assert pair.left.text == (
        "tun-device tayga0\nipv4-addr 192.0.2.1\nprefix 2001:2:0:6464::/96\nmap 10.0.0.0/16 2001:db8:c1a7::a00:0/112\n"
    )
    assert pair.left.routes == ("0.0.0.0/0", "2001:db8:c1a7::/96")
    assert pair.right.routes == ("2001:2:0:6464::/96", "10.0.0.0/16")


def test_neighbouring_clients_are_mapped_together() -> None:
    pair = made("10.0.0.2/32", "10.0.0.3/32", "10.0.0.4/32")
    assert "map 10.0.0.2/31 2001:db8:c1a7::a00:2/127\nmap 10.0.0.4/32 2001:db8:c1a7::a00:4/128\n" in pair.left.text
    assert pair.right.routes == ("2001:2:0:6464::/96", "10.0.0.2/31", "10.0.0.4/32")


@pytest.mark.parametrize("prefix", ["2001:2:0:6464::/64", "2001:db8:c1a7::1/128", "2001:db8::/32"])
def test_the_bench_must_not_use_what_is_between(prefix: str) -> None:
    sides = describe({"10.0.0.2/32": "foreground", prefix: "background"}, SERVERS)
    with pytest.raises(DeviceError, match=r"the driver 464xlat uses 2001:.* between its devices"):
        configure("464xlat", sides, (LEFT, RIGHT))
