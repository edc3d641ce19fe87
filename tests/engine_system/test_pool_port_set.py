"""A NAT that shares its address with others (RFC 7597 §5.1): a pool of one port set."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.engine_system.engine_process import EngineProcess, Message, engine
from tests.engine_system.test_464xlat import CLIENT, with_connections
from tests.long import by_length, more
from xlatperf.keys.port_set import port_set


@pytest.fixture(scope="module")
def one() -> Iterator[EngineProcess]:
    with engine() as process:
        yield process


def shared(**pool: int) -> Message:
    found = with_connections({"name": "nat44"}, CLIENT)
    found["technology"]["pool"] |= pool
    return found


@more
@settings(max_examples=by_length(30, 1000), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.integers(0, 15), st.integers(1, 16), st.integers(0, 65535))
def test_its_ports(one: EngineProcess, offset: int, length: int, psid: int) -> None:
    """What is expected has a port of the set, and `show` names the first ranges and the last one."""
    length = min(length, 16 - offset)
    if not length:
        return
    psid %= 1 << length
    wanted = {"psid_offset": offset, "psid_length": length, "psid": psid, "first_port": 0}
    one.do("configure", **shared(**wanted))
    frame = one.do("show", frame_size=64, frame_size_of="ipv4", count=1, directions=["forward"])["frames"][0]
    own = port_set(offset, length, psid)
    found = re.search(r"UDP (\d+) > 80", frame["expected"]["text"])
    assert found is not None
    assert any(int(found[1]) in ports for ports in own)
    ranges = [f"{ports[0]}-{ports[-1]}" if len(ports) > 1 else f"{ports[0]}" for ports in own]
    shown = [*ranges[:2], "...", ranges[-1]] if len(ranges) > 3 else ranges
    assert frame["pool"].endswith(f"PSID {psid} ({length} bits), ports {' '.join(shown)}"), frame["pool"]


def test_what_is_refused(one: EngineProcess) -> None:
    """Each with the place, the value and what is allowed."""
    place = "configure.technology.pool."
    for pool, line in (
        ({"psid_offset": 6, "psid_length": 11}, "psid_length: 11 is not allowed: whole numbers, 0 to 10"),
        ({"psid_length": 4, "psid": 16}, "psid: 16 is not allowed: whole numbers, 0 to 15"),
        ({"psid_offset": 4}, "psid_offset: 4 is not allowed: 0 without psid_length"),
        ({"psid_length": 8, "psid": 1}, "psid: 1 is not allowed: one with a port from first_port to last_port"),
    ):
        said = one.error(json.dumps({"request": "configure", **shared(**pool)}))
        assert said.startswith(f"{place}{line}"), said
