"""Ports that the user named: one line by the bench file's key, with what to do, before DPDK opens anything."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.lab.root import needs_root
from xlatperf.devices import users_ports
from xlatperf.devices.device import DeviceError
from xlatperf.devices.users_ports import check_users_ports, with_sizes
from xlatperf.keys.in_words import plural
from xlatperf.keys.port_name import fault_of_pair
from xlatperf.lab import cards
from xlatperf.lab.namespace import Namespace
from xlatperf.lab.network import Network

LEFT = "tester.left.port"
MACS = "02:00:00:00:01:00", "02:00:00:00:01:01"


@pytest.fixture
def namespaces(monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[str, str]]:
    """Two, with a link from u0 to u1."""
    monkeypatch.setattr(users_ports, "CARRIER_S", 0.1)
    here, there = (Namespace(f"xlatperf-{os.getpid()}-{name}") for name in ("ports", "others"))
    here.create()
    there.create()
    try:
        with Network(here) as network:
            network.add_veth("u0", MACS[0], "u1", MACS[1], there)
        yield here.name, there.name
    finally:
        here.remove()
        there.remove()


def fault(port: str, namespace: str | None = None) -> str:
    with pytest.raises(DeviceError) as failed:
        check_users_ports({LEFT: port}, namespace)
    return str(failed.value)


@needs_root
@pytest.mark.parametrize("driver", ["net_af_packet0", "net_af_xdp0"])
def test_interfaces(namespaces: tuple[str, str], driver: str) -> None:
    """From one that isn't there to one that can be used."""
    here, there = namespaces
    port = f"{driver},iface=u0"
    assert fault(f"{driver},iface=nosuch").startswith(
        f"{LEFT}: {driver},iface=nosuch: there is no interface nosuch here; there are "
    )
    elsewhere = f'it is in {here}: set device.namespace = "{here}"'
    assert fault(port) == f"{LEFT}: {port}: there is no interface u0 here; {elsewhere}"
    assert fault(port, there).endswith(f"in the namespace {there}; {elsewhere}")
    assert fault(port, here) == f"{LEFT}: {port}: u0 is down: ip -n {here} link set u0 up"
    with Network(Namespace(here)) as network:
        network.set_link("u0", state="up")
    assert fault(port, here) == f"{LEFT}: {port}: u0 has no carrier: is the cable in, and the other end up?"
    with Network(Namespace(there)) as network:
        network.set_link("u1", state="up")
    check_users_ports({LEFT: port}, here)


@needs_root
def test_a_namespace_that_there_is_not(namespaces: tuple[str, str]) -> None:
    said = fault("net_af_packet0,iface=u0", "mispelt")
    assert said.startswith("device.namespace: mispelt is not allowed: one of ")
    assert all(name in said for name in namespaces)


def test_no_namespace_at_all(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("xlatperf.lab.namespace.NETNS_FOLDER", tmp_path)
    assert fault("net_af_packet0,iface=u0", "mine") == (
        "device.namespace: mine is not allowed: nothing: there is no network namespace with a name"
    )


def test_cards(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("xlatperf.lab.cards.ROOT", tmp_path)
    for address, driver in {"01:00.0": "vfio-pci", "02:00.0": "ice", "03:00.0": None, "04:00.0": "e1000"}.items():
        folder = tmp_path / "sys/bus/pci/devices" / f"0000:{address}"
        folder.mkdir(parents=True)
        if driver is not None:
            (folder / "driver").symlink_to(f"../../drivers/{driver}")
    (folder / "net/eth4").mkdir(parents=True)
    (tmp_path / "proc/net").mkdir(parents=True)
    (tmp_path / "proc/net/route").write_text("Iface ...\neth4 00000000 0101A8C0 0003 0 0 0 00000000\n")
    check_users_ports({LEFT: "0000:01:00.0"}, None)
    bind = "modprobe vfio-pci; dpdk-devbind.py -b vfio-pci 0000:02:00.0"
    assert fault("0000:02:00.0") == (
        f"{LEFT}: 0000:02:00.0 can't be opened: the kernel has it (ice); if nothing else needs it: {bind}"
    )
    assert "no driver has it; modprobe vfio-pci" in fault("0000:03:00.0")
    needed = fault("0000:04:00.0")
    assert "(e1000) as eth4, and this host's default route: leave it alone; use another one for the Tester" in needed
    assert "dpdk-devbind" not in needed
    absent = f"{LEFT}: 0000:05:00.0 is not allowed: the PCI address of a card of this host"
    assert fault("0000:05:00.0").startswith(absent)


def test_a_memif_client_without_a_server(tmp_path: Path) -> None:
    port = f"net_memif0,role=client,socket-abstract=no,socket={tmp_path}/a.sock"
    assert fault(port) == (
        f"{LEFT}: {port}: there is no socket {tmp_path}/a.sock: start the device first, or use role=server"
    )
    check_users_ports({LEFT: port.replace("client", "server")}, None)
    check_users_ports({LEFT: "net_ring0"}, None)


@pytest.mark.parametrize(
    ("left", "right", "allowed"),
    [
        ("0000:01:00.0", "0000:01:00.0", None),
        (
            "net_af_packet0,iface=a",
            "net_af_packet0,iface=b",
            "another name than the left port's, such as net_af_packet1",
        ),
        ("net_af_packet0,iface=a", "net_af_xdp0,iface=a", "another interface than a, which the left port has"),
        ("net_memif0,socket=/a,id=1", "net_memif1,socket=/a,id=1", "another socket or id than the left port's"),
        ("net_memif0,socket=/a,id=1", "net_memif1,socket=/a,id=2", None),
        ("0000:01:00.0", "0000:01:00.1", None),
        ("net_ring0", "net_ring1", None),
    ],
)
def test_two_ports(left: str, right: str, allowed: str | None) -> None:
    wanted = None if allowed is None else f"device.right_port: {right} is not allowed: {allowed}"
    assert fault_of_pair(left, right, "device.right_port") == wanted


def test_jumbo_frames() -> None:
    """Slots of af_packet hold what device.mtu says, whoever named the port."""
    plain = "net_af_packet0,iface=a"
    assert with_sizes(LEFT, plain, 1500) == plain
    assert with_sizes(LEFT, plain, 9000) == f"{plain},blocksz=290816,framesz=9088,framecnt=4096"
    assert with_sizes(LEFT, "0000:01:00.0", 9000) == "0000:01:00.0"
    own = f"{plain},framesz=16384,blocksz=16384"
    assert with_sizes(LEFT, own, 9000) == own


@pytest.mark.parametrize(
    ("port", "said"),
    [
        (
            "net_af_packet0,iface=a,framesz=4096,blocksz=4096",
            f"{LEFT}: framesz: 4096 is not allowed: 9084 or more",
        ),
        ("net_af_xdp0,iface=a", "af_xdp has at most 3400"),
    ],
)
def test_jumbo_frames_that_do_not_fit(port: str, said: str) -> None:
    with pytest.raises(DeviceError) as failed:
        with_sizes(LEFT, port, 9000)
    assert said in str(failed.value)


@needs_root
def test_queues_that_an_interface_does_not_have(namespaces: tuple[str, str]) -> None:
    here, _ = namespaces
    with Network(Namespace(here)) as network:
        has = network.receive_queues("u0")
    port = f"net_af_xdp0,iface=u0,start_queue={has}"
    told = f"as u0 has {plural(has, 'receive queue')}"
    assert fault(port, here) == f"{LEFT}: start_queue of net_af_xdp0: {has} is not allowed: 0 to {has - 1}, {told}"
    assert "u0 is down" in fault(f"net_af_xdp0,iface=u0,start_queue={has - 1}", here)
    assert (
        fault(f"net_af_xdp0,iface=u0,queue_count={has + 1}", here)
        == f"{LEFT}: queue_count of net_af_xdp0: {has + 1} is not allowed: 1 to {has}, {told}"
    )


@needs_root
def test_a_tap_makes_its_interface(namespaces: tuple[str, str]) -> None:
    here, _ = namespaces
    allowed = "a name that no interface has, or net_af_packet0,iface=u0"
    assert fault("net_tap0,iface=u0", here) == f"{LEFT}: iface of net_tap0: u0 is not allowed: {allowed}"
    check_users_ports({LEFT: "net_tap0,iface=t0"}, here)
    check_users_ports({LEFT: "net_tap0"}, here)


@needs_root
def test_what_the_host_uses_itself(namespaces: tuple[str, str]) -> None:
    """Test frames must not go where the host's own packets go, unless somebody says so by name."""
    here, there = namespaces
    port = "net_af_packet0,iface=u0"
    for name, link in ((here, "u0"), (there, "u1")):
        with Network(Namespace(name)) as network:
            network.set_link(link, state="up")
    with Network(Namespace(here)) as network:
        network.add_address("u0", "198.18.0.1/24")
        network.add_address("u0", "192.168.18.5/24")
        network.add_address("u0", "2001:2:0:7fff::5/64")
        check_users_ports({LEFT: port}, here)
        network.add_address("u0", "2a00::1/64")
        said = fault(port, here)
        assert said == (
            f"{LEFT}: {port}: this host uses u0 itself: it has the address 2a00::1 there; take another interface, or "
            'say tester.left.allow = "u0" if test frames may go there'
        )
        check_users_ports({LEFT: port}, here, ("u0", None))
        network.add_route("0.0.0.0/0", "u0", "192.168.18.1")
        assert "this host uses u0 itself: its default route leads through it" in fault(port, here)
        assert "its default route leads through it" in fault("net_tap0,remote=u0", here)
        check_users_ports({LEFT: port}, here, ("u0", None))
    for may, allowed in (("u1", f"u0, which {LEFT} lies on"), ("eth0", f"u0, which {LEFT} lies on")):
        with pytest.raises(DeviceError) as failed:
            check_users_ports({LEFT: port}, here, (may, None))
        assert str(failed.value) == f"tester.left.allow: {may} is not allowed: {allowed}"


def test_a_card_that_the_host_uses_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    """One whose DPDK driver works beside the kernel's."""
    card = cards.Card("0000:01:00.0", "mlx5_core", ("lo",))
    monkeypatch.setattr(cards, "find_card", lambda *_: card)
    monkeypatch.setattr(Network, "own_use", lambda *_: "its default route leads through it")
    assert fault(card.address).startswith(f"{LEFT}: {card.address}: this host uses lo itself: its default route leads")
    check_users_ports({LEFT: card.address}, None, ("lo", None))
