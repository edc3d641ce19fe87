"""Two TAYGAs with addresses of their own: what each is told, and what is routed to it."""

from __future__ import annotations

from typing import Any

import pytest

from tests.devices.hosts import LEFT, RIGHT, describe
from xlatperf.devices.device import DeviceError
from xlatperf.devices.tayga_mapped_pair_configuration import configure_mapped
from xlatperf.devices.tayga_pair_configuration import Pair

HOSTS = ({"198.18.0.0/24": "foreground"}, {"198.19.0.0/24": "foreground", "2001:2:0:9000::/64": "background"})
PREFIX = "2001:db8:6464::/96"


def mapped(*rows: tuple[str, str], prefix: str | None = None) -> dict[str, Any]:
    return {"eam": [{"ipv4": four, "ipv6": six} for four, six in rows], "prefix": prefix}


def made(left: dict[str, Any], right: dict[str, Any]) -> Pair:
    return configure_mapped({"left": left, "right": right}, describe(*HOSTS), (LEFT, RIGHT))


def test_by_mappings() -> None:
    """RFC 7757 §3.2: 198.18.0.0/24 is 203.0.113.0/24 on the right."""
    pair = made(
        mapped(("198.18.0.0/24", "2001:db8:1::/120"), ("198.19.0.0/24", "2001:db8:2::/120")),
        mapped(("203.0.113.0/24", "2001:db8:1::/120"), ("198.19.0.0/24", "2001:db8:2::/120")),
    )
    assert "map 198.18.0.0/24 2001:db8:1::/120\nmap 198.19.0.0/24 2001:db8:2::/120\n" in pair.left.text
    assert "map 203.0.113.0/24 2001:db8:1::/120\n" in pair.right.text
    assert "prefix" not in pair.left.text
    assert pair.left.routes == ("0.0.0.0/0", "2001:db8:1::/120")
    assert pair.right.routes == ("0.0.0.0/0", "2001:db8:2::/120")
    assert pair.between == {"left": ["2001:db8:1::/120"], "right": ["2001:db8:2::/120"]}


def test_by_a_prefix() -> None:
    """RFC 6052 §2.2: the networks of both sides' hosts under one."""
    pair = made(mapped(prefix=PREFIX), mapped(prefix=PREFIX))
    assert f"prefix {PREFIX}\n" in pair.left.text
    assert pair.between == {"left": ["2001:db8:6464::c612:0/120"], "right": ["2001:db8:6464::c613:0/120"]}


@pytest.mark.parametrize(
    ("left", "right", "said"),
    [
        (mapped(), mapped(prefix=PREFIX), r"technology\.left: no mapping covers 198\.18\.0\.0/24"),
        (
            mapped(prefix="2001:db8:64::/64"),
            mapped(prefix="2001:db8:64::/64"),
            "the hosts of both sides are in 2001:db8",
        ),
        (mapped(("198.18.0.0/24", "2001:db8::/64")), mapped(prefix=PREFIX), r"technology\.left\.eam: TAYGA can't map"),
        (mapped(prefix="2001:db8::/65"), mapped(prefix=PREFIX), r"technology\.left\.prefix: TAYGA can't do"),
    ],
)
def test_refused(left: dict[str, Any], right: dict[str, Any], said: str) -> None:
    with pytest.raises(DeviceError, match=said):
        made(left, right)
