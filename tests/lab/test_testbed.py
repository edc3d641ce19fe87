from __future__ import annotations

import os
import re
from collections.abc import Iterator

import pytest

from tests.lab.root import needs_root
from xlatperf.lab import tester_side
from xlatperf.lab.bed import DUT_PORTS, INNER_PORTS
from xlatperf.lab.error import LabError
from xlatperf.lab.namespace import NETNS_FOLDER
from xlatperf.lab.network import Network
from xlatperf.lab.process_identity import identify
from xlatperf.lab.runtime_folder import base
from xlatperf.lab.testbed import Testbed
from xlatperf.lab.tester_side import TESTER_PORTS


def traces() -> list[str]:
    """What a testbed of this process would have left."""
    mine = str(os.getpid())
    named = (
        [entry.name for entry in NETNS_FOLDER.iterdir() if f"-{mine}-" in entry.name] if NETNS_FOLDER.exists() else []
    )
    return named + ([str(entry) for entry in base().glob(f"{mine}-*")] if base().exists() else [])


@pytest.fixture(autouse=True)
def nothing_is_left() -> Iterator[None]:
    yield
    assert traces() == []


def test_impossible_mtu() -> None:
    with pytest.raises(LabError, match="an MTU of 1279 isn't possible: 1280 to 65535"):
        Testbed(mtu=1279)


def test_without_root(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    with pytest.raises(LabError, match="network namespaces need root"):
        Testbed().make()
    assert any("root" in line for line in tester_side.missing())


def test_remove_without_make() -> None:
    Testbed().remove()


@needs_root
def test_links_are_up_and_quiet(bed: Testbed) -> None:
    with Network(bed.tester) as tester, Network(bed.dut) as dut:
        for side in ("left", "right"):
            assert tester.link_is_up(TESTER_PORTS[side])
            assert dut.link_is_up(DUT_PORTS[side])
    for port in TESTER_PORTS.values():
        assert bed.tester.sysctl(f"net.ipv6.conf.{port}.disable_ipv6") == "1"
        features = bed.tester.run(("ethtool", "-k", port))
        for feature in (
            "tx-checksumming",
            "rx-checksumming",
            "generic-segmentation-offload",
            "generic-receive-offload",
        ):
            assert f"{feature}: off" in features
    for port in DUT_PORTS.values():
        assert bed.dut.sysctl(f"net.ipv4.conf.{port}.rp_filter") == "0"
        assert bed.dut.sysctl(f"net.ipv6.conf.{port}.accept_dad") == "0"


@needs_root
def test_nothing_leads_out(bed: Testbed) -> None:
    """R8219-13: test traffic can't leave: no way out of the namespaces, and no links but those between them."""
    for namespace, own in ((bed.tester, TESTER_PORTS), (bed.dut, DUT_PORTS)):
        for family in ("-4", "-6"):
            assert namespace.run(("ip", family, "route", "show", "default")) == ""
        links = re.findall(r"^\d+: (\w+)", namespace.run(("ip", "-o", "link")), re.MULTILINE)
        assert sorted(links) == sorted(["lo", *own.values()])


@needs_root
def test_jumbo() -> None:
    """R8219-5.1-3: each link has the larger MTU."""
    bed = Testbed(mtu=9216)
    try:
        bed.make()
        for namespace, ports in ((bed.tester, TESTER_PORTS), (bed.dut, DUT_PORTS)):
            for port in ports.values():
                assert "mtu 9216" in namespace.run(("ip", "link", "show", port))
    finally:
        bed.remove()
    assert traces() == []


@needs_root
def test_only_one_per_process(bed: Testbed) -> None:
    second = Testbed()
    with pytest.raises(LabError, match="one testbed per process"):
        second.make()
    assert bed.dut.exists


@needs_root
def test_remove_ends_daemons_and_strangers(bed: Testbed) -> None:
    daemon = bed.daemon("sleep", ("sh", "-c", "echo up; exec sleep 300"))
    daemon.start()
    daemon.wait_until(lambda: "up" in daemon.output(), 5)
    pid = daemon.pid
    bed.dut.run(("sh", "-c", "sleep 300 >/dev/null 2>&1 &"))
    stranger = [found for found in bed.dut.processes() if found != pid]
    assert len(stranger) == 1
    assert pid in bed.dut.processes()
    bed.remove()
    bed.remove()
    assert pid is not None
    assert identify(pid) is None
    assert identify(stranger[0]) is None
    assert traces() == []


@needs_root
@pytest.mark.parametrize("step", ["_create", "_make_devices"])
def test_half_made(monkeypatch: pytest.MonkeyPatch, step: str) -> None:
    original = getattr(Testbed, step)

    def interrupted(self: Testbed, *arguments: object) -> None:
        original(self, *arguments)
        raise KeyboardInterrupt

    monkeypatch.setattr(Testbed, step, interrupted)
    with pytest.raises(KeyboardInterrupt):
        Testbed().make()
    assert traces() == []


@needs_root
def test_no_namespace_of_the_caller_changes(bed: Testbed) -> None:
    before = os.stat("/proc/thread-self/ns/net").st_ino
    assert bed.dut.inside(lambda: os.stat("/proc/thread-self/ns/net").st_ino) != before
    with pytest.raises(ZeroDivisionError):
        bed.dut.inside(lambda: 1 // 0)
    assert os.stat("/proc/thread-self/ns/net").st_ino == before


@needs_root
def test_errors_are_one_line(bed: Testbed) -> None:
    with Network(bed.dut) as network:
        with pytest.raises(LabError, match="there is no interface d7"):
            network.set_link("d7", state="up")
        with pytest.raises(LabError, match=r"can't route 198\.18\.0\.0/24 through d0 to 203\.0\.113\.1"):
            network.add_route("198.18.0.0/24", "d0", "203.0.113.1")
    with pytest.raises(LabError, match=r"can't set net\.no\.such=1"):
        bed.dut.set_sysctl("net.no.such", 1)
    with pytest.raises(LabError, match=r"`ip netns exec .* false` failed: status 1"):
        bed.dut.run(("false",))


@needs_root
def test_two_devices_in_a_row() -> None:
    bed = Testbed(devices=("clat", "plat"), inner_mtu=1528)
    try:
        bed.make()
        assert [device.name.rpartition("-")[2] for device in bed.devices] == ["clat", "plat"]
        for side, inner in INNER_PORTS.items():
            with Network(bed.at[side]) as network:
                assert network.link_is_up(DUT_PORTS[side])
                assert network.link_is_up(inner)
            assert "mtu 1528" in bed.at[side].run(("ip", "link", "show", inner))
            assert "mtu 1500" in bed.at[side].run(("ip", "link", "show", DUT_PORTS[side]))
    finally:
        bed.remove()
    assert traces() == []


@needs_root
def test_of_several_lines_the_error_is_shown(bed: Testbed) -> None:
    """nft(8) writes the line that it doesn't understand after its error."""
    rules = bed.folder / "rules.nft"
    rules.write_text("table ip x { chain y { nonsense } }\n")
    with pytest.raises(LabError, match=r"`ip netns exec .* nft -f .*` failed: .*Error: "):
        bed.dut.run(("nft", "-f", str(rules)))
