"""464XLAT: the example of RFC 6877 App. A, at the CLAT, at the PLAT, and at both together."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.engine_system.engine_process import EngineProcess, Message, engine
from tests.engine_system.messages import configuration

CLIENT, SERVER, OUTSIDE = "192.168.1.2", "198.51.100.1", "192.0.2.1"
CLAT_SIDE, PLAT_SIDE = "2001:db8:aaaa::", "2001:db8:1234::"
CLIENT6, SERVER6 = f"{CLAT_SIDE}c0a8:102", f"{PLAT_SIDE}c633:6401"
CLIENTS = {"ipv4": "192.168.1.0/24", "ipv6": f"{CLAT_SIDE}c0a8:100/120"}


@pytest.fixture(scope="module")
def one() -> Iterator[EngineProcess]:
    with engine() as process:
        yield process


def clat() -> Message:
    """Stateless, IPv4 left."""
    prefix = f"{PLAT_SIDE}/96"
    found = configuration(technology={"name": "siit", "ipv6_side": "right", "prefix": prefix, "eam": [CLIENTS]})
    found["left"]["hosts"] = {"prefix": "192.168.1.0/24", "networks": 1, "host": 2}
    found["right"]["hosts"] = {"prefix": "198.51.100.0/24", "networks": 1, "host": 1}
    return found


def with_connections(technology: Message, client: str) -> Message:
    """One client, one server."""
    found = configuration(technology={**technology, "pool": {"first": OUTSIDE}})
    for side in ("left", "right"):
        del found[side]["hosts"]
    found["traffic"]["connections"] = {
        "clients": {"first": client},
        "servers": {"first": SERVER},
        "client_ports": {"first": 10000, "last": 10000},
        "server_ports": {"first": 80, "last": 80},
    }
    return found


def headers(process: EngineProcess, direction: str, **asked: Any) -> tuple[str, str]:
    """Addresses as sent and as expected."""
    asked |= {"frame_size": 64, "frame_size_of": "ipv4", "count": 1, "directions": [direction]}
    frame = process.do("show", **asked)["frames"][0]
    sent, expected = (frame[image]["text"].split(",")[0] for image in ("sent", "expected"))
    return sent, expected


def test_the_clat(one: EngineProcess) -> None:  # RFC 6877 App. A
    one.do("configure", **clat())
    outgoing = (f"IPv4 {CLIENT} > {SERVER}", f"IPv6 {CLIENT6} > {SERVER6}")
    assert headers(one, "forward") == outgoing
    assert headers(one, "reverse") == (f"IPv6 {SERVER6} > {CLIENT6}", f"IPv4 {SERVER} > {CLIENT}")


@pytest.mark.parametrize(
    ("technology", "family", "client", "server"),
    [
        ({"name": "nat64", "prefix": f"{PLAT_SIDE}/96"}, "IPv6", CLIENT6, SERVER6),
        ({"name": "nat44", "double_translation": True}, "IPv4", CLIENT, SERVER),
    ],
    ids=["plat", "both"],
)
def test_the_plat_and_both(
    one: EngineProcess, technology: Message, family: str, client: str, server: str
) -> None:  # RFC 6877 App. A: what the CLAT makes of the client is the PLAT's client
    one.do("configure", **with_connections(technology, client))
    out = headers(one, "forward", connections={"count": 1, "phase": "establish"})
    assert out == (f"{family} {client} > {server}", f"IPv4 {OUTSIDE} > {SERVER}")
    back = headers(one, "reverse", connections={"count": 1, "phase": "each_once"})
    assert back == (f"IPv4 {SERVER} > {OUTSIDE}", f"{family} {server} > {client}")
