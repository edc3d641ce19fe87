from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator
from contextlib import ExitStack

import pytest

from tests.devices.hosts import Hosts, plan
from tests.devices.parts import part
from tests.lab.root import needs_root
from tests.lab.test_testbed import traces
from xlatperf.config.errors import BenchError
from xlatperf.config.load import parse_bench
from xlatperf.devices.device import Device, DeviceError, Plan
from xlatperf.devices.tayga import Tayga
from xlatperf.devices.tayga_process import TaygaProcess
from xlatperf.lab.programs import installed

PREFIX = "2001:db8:6464::/96"
EAM = [{"ipv4": "198.18.0.0/24", "ipv6": "2001:2::/120"}]
LEFT_IS_IPV6 = {"name": "siit", "ipv6_side": "left", "prefix": PREFIX, "eam": EAM}
RIGHT_IS_IPV6 = {
    **LEFT_IS_IPV6,
    "ipv6_side": "right",
    "eam": [{"ipv4": "198.19.0.0/24", "ipv6": "2001:2:0:8000::/120"}],
}

needs_tayga = pytest.mark.skipif(not installed("tayga"), reason="tayga isn't installed")


@pytest.fixture
def undo() -> Iterator[ExitStack]:
    with ExitStack() as stack:
        yield stack
    assert traces() == []


@pytest.fixture
def hosts() -> Iterator[Hosts]:
    hosts = Hosts()
    yield hosts
    hosts.remove()


LEFT = plan(
    LEFT_IS_IPV6,
    {"2001:2::2/128": "foreground", "2001:2:0:1000::2/128": "background"},
    {"198.19.0.2/32": "foreground", "2001:2:0:9000::2/128": "background"},
)


def tayga(undo: ExitStack, of: Plan = LEFT, **keys: object) -> Device:
    return Tayga.model_validate({"driver": "tayga", **keys}).prepare(of, undo)


def test_a_prefix_that_is_none() -> None:
    bench = 'technology.name = "siit"\n[device]\ndriver = "tayga"\nprefix = "2001::1/33"'
    with pytest.raises(BenchError, match=r'device\.prefix: "2001::1/33" is not allowed: an IPv6 network'):
        parse_bench(bench, "b.toml")


@needs_root
@needs_tayga
def test_another_prefix_than_the_benchs(undo: ExitStack) -> None:
    device = tayga(undo, prefix="2001:db8:9999::/96")
    facts = device.facts()
    assert "prefix 2001:db8:9999::/96" in facts["tayga.conf"]
    assert PREFIX not in facts["tayga.routes"]


@needs_root
@needs_tayga
def test_translates(undo: ExitStack, hosts: Hosts) -> None:
    device = tayga(undo)
    hosts.make(("2001:2::2/128", "2001:2:0:1000::2/128"), ("198.19.0.2/32", "2001:2:0:9000::2/128"))
    forward = hosts.exchange("2001:2::2", "2001:db8:6464::c613:2", "198.19.0.2")
    assert (forward.source, forward.returned_from) == ("198.18.0.2", "2001:db8:6464::c613:2")
    reverse = hosts.exchange("198.19.0.2", "198.18.0.2", "2001:2::2", reverse=True, size=1400)
    assert (reverse.source, reverse.returned_from) == ("2001:db8:6464::c613:2", "198.18.0.2")
    # the kernel forwards twice, and TAYGA counts as a router itself
    assert (forward.hop_limit, reverse.hop_limit) == (61, 61)
    background = hosts.exchange("2001:2:0:1000::2", "2001:2:0:9000::2", "2001:2:0:9000::2")
    assert (background.source, background.hop_limit) == ("2001:2:0:1000::2", 63)
    assert device.diagnose() == []
    facts = device.facts()
    assert facts["tayga"].startswith("0.9")
    assert f"prefix {PREFIX}" in facts["tayga.conf"]


@needs_root
@needs_tayga
def test_translates_with_ipv6_on_the_right(undo: ExitStack, hosts: Hosts) -> None:
    tayga(undo, plan(RIGHT_IS_IPV6, {"198.18.0.2/32": "foreground"}, {"2001:2:0:8000::2/128": "foreground"}))
    hosts.make(("198.18.0.2/32",), ("2001:2:0:8000::2/128",))
    forward = hosts.exchange("198.18.0.2", "198.19.0.2", "2001:2:0:8000::2")
    assert (forward.source, forward.returned_from) == ("2001:db8:6464::c612:2", "198.19.0.2")


@needs_root
@needs_tayga
def test_hosts_with_embedded_addresses(undo: ExitStack, hosts: Hosts) -> None:
    siit = {"name": "siit", "ipv6_side": "left", "prefix": PREFIX, "eam": []}
    tayga(undo, plan(siit, {"2001:db8:6464::c612:2/128": "foreground"}, {"198.19.0.2/32": "foreground"}))
    hosts.make(("2001:db8:6464::c612:2/128",), ("198.19.0.2/32",))
    forward = hosts.exchange("2001:db8:6464::c612:2", "2001:db8:6464::c613:2", "198.19.0.2")
    assert (forward.source, forward.returned_from) == ("198.18.0.2", "2001:db8:6464::c613:2")


@needs_root
@needs_tayga
def test_only_explicit_mappings(undo: ExitStack, hosts: Hosts) -> None:
    siit = {
        "name": "siit",
        "ipv6_side": "left",
        "eam": [*EAM, {"ipv4": "198.19.0.0/24", "ipv6": "2001:db8:1919::/120"}],
    }
    tayga(undo, plan(siit, {"2001:2::2/128": "foreground"}, {"198.19.0.2/32": "foreground"}))
    hosts.make(("2001:2::2/128",), ("198.19.0.2/32",))
    forward = hosts.exchange("2001:2::2", "2001:db8:1919::2", "198.19.0.2")
    assert (forward.source, forward.returned_from) == ("198.18.0.2", "2001:db8:1919::2")


@needs_root
@needs_tayga
def test_goes_on_after_restart(undo: ExitStack, hosts: Hosts) -> None:
    device = tayga(undo)
    hosts.make(("2001:2::2/128",), ("198.19.0.2/32",))
    hosts.exchange("2001:2::2", "2001:db8:6464::c613:2", "198.19.0.2")
    before = part(device, TaygaProcess).daemon.pid
    device.restart()
    assert part(device, TaygaProcess).daemon.pid != before
    hosts.exchange("2001:2::2", "2001:db8:6464::c613:2", "198.19.0.2")
    assert device.diagnose() == []


@needs_root
@needs_tayga
def test_without_its_route_the_diagnosis_says_so(undo: ExitStack, hosts: Hosts) -> None:
    device = tayga(undo, route=False)
    hosts.make(("2001:2::2/128",), ("198.19.0.2/32",))
    with pytest.raises(OSError, match=r"timed out|unreachable"):
        hosts.exchange("2001:2::2", "2001:db8:6464::c613:2", "198.19.0.2", tries=1)
    lines = device.diagnose()
    assert lines[0] == f"the DUT has no route for {PREFIX} to TAYGA (tayga0): such packets are never translated"
    assert any("IPv6 InNoRoutes" in line for line in lines)


@needs_root
@needs_tayga
def test_ended_process_is_noticed(undo: ExitStack) -> None:
    device = tayga(undo)
    assert device.alive()
    assert device.ended() is None
    pid = part(device, TaygaProcess).daemon.pid
    assert pid is not None
    os.kill(pid, signal.SIGKILL)
    while device.alive():
        time.sleep(0.001)
    assert device.ended() == device.why_not_alive() == "TAYGA was ended by signal 9 (Killed)"
    lines = device.diagnose()
    assert "TAYGA was ended by signal 9 (Killed)" in lines
    assert any("tayga0 is down" in line for line in lines)


@needs_root
@needs_tayga
def test_what_tayga_refuses_is_one_line(undo: ExitStack) -> None:
    overlapping = {**LEFT_IS_IPV6, "eam": [{"ipv4": "198.18.0.0/24", "ipv6": "2001:db8:6464::/120"}]}
    with pytest.raises(DeviceError, match="overlaps with earlier definition"):
        tayga(undo, plan(overlapping, {"2001:db8:6464::2/128": "foreground"}, {"198.19.0.2/32": "foreground"}))
