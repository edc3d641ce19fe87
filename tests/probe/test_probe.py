from __future__ import annotations

from pathlib import Path

import pytest

from xlatperf.engine.messages import Port
from xlatperf.probe import dpdk, memory, nics, processor, programs, rights, survey
from xlatperf.probe.observation import Observation
from xlatperf.probe.ports import capabilities
from xlatperf.probe.tree import Tree

POOL = "sys/kernel/mm/hugepages/hugepages-2048kB"
TSC = "flags\t\t: fpu tsc constant_tsc nonstop_tsc tsc_known_freq\n"
CLOCK = "sys/devices/system/clocksource/clocksource0/current_clocksource"


def tree(root: Path, files: dict[str, str]) -> Tree:
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return Tree(root)


def one(lines: list[Observation], subject: str) -> Observation:
    (found,) = [line for line in lines if line.subject == subject]
    return found


def test_of_this_host() -> None:
    lines = survey.main()
    assert {line.state for line in lines} <= {"ok", "limited", "missing"}
    assert all(line.subject and line.text and "\n" not in line.text + line.advice for line in lines)
    assert all(line.advice for line in lines if line.state == "missing")


def test_hugepages(tmp_path: Path) -> None:
    enough = tree(tmp_path / "a", {f"{POOL}/nr_hugepages": "600\n", f"{POOL}/free_hugepages": "512\n"})
    assert memory.survey(enough) == [Observation("ok", "hugepages", "512 of 600 pages of 2 MB free")]
    (few,) = memory.survey(tree(tmp_path / "b", {f"{POOL}/nr_hugepages": "10", f"{POOL}/free_hugepages": "0"}))
    assert (few.state, few.advice) == ("limited", "sysctl vm.nr_hugepages=256")
    assert few.text.startswith("0 of 10 pages of 2 MB free")
    (none,) = memory.survey(Tree(tmp_path / "c"))
    assert none.text.startswith("none reserved")


@pytest.mark.parametrize(("text", "cores"), [("0-3,8", [0, 1, 2, 3, 8]), ("0", [0]), ("", []), ("0,2-3", [0, 2, 3])])
def test_core_list(text: str, cores: list[int]) -> None:
    assert processor.core_list(text) == cores


def test_good_processor(tmp_path: Path) -> None:
    cpu = "sys/devices/system/cpu"
    files = {f"{cpu}/online": "0-3", f"{cpu}/isolated": "2-3", "proc/cpuinfo": TSC, CLOCK: "tsc"}
    files |= {f"{cpu}/cpu{core}/topology/thread_siblings_list": str(core) for core in range(4)}
    files |= {f"{cpu}/cpu{core}/cpufreq/scaling_governor": "performance" for core in range(4)}
    lines = processor.survey(tree(tmp_path, files))
    assert [line.state for line in lines] == ["ok"] * 5
    assert one(lines, "isolated cores").text == "2, 3"


def test_poor_processor(tmp_path: Path) -> None:
    cpu = "sys/devices/system/cpu"
    files = {f"{cpu}/online": "0-1", "proc/cpuinfo": "flags: tsc\n", CLOCK: "hpet"}
    files |= {f"{cpu}/cpu{core}/topology/thread_siblings_list": "0-1" for core in range(2)}
    files |= {f"{cpu}/cpu{core}/cpufreq/scaling_governor": "powersave" for core in range(2)}
    lines = processor.survey(tree(tmp_path, files))
    assert [line.state for line in lines] == ["limited"] * 5
    assert "0-1" in one(lines, "SMT").text
    assert "constant_tsc, nonstop_tsc" in one(lines, "clock").text
    assert one(lines, "frequency").advice == "cpupower frequency-set -g performance"


def test_steady_tsc_that_the_kernel_distrusts(tmp_path: Path) -> None:
    line = one(processor.survey(tree(tmp_path, {"proc/cpuinfo": TSC, CLOCK: "kvm-clock"})), "clock")
    assert line.state == "limited"
    assert "kvm-clock" in line.text


def dpdk_files(version: str, *drivers: str) -> dict[str, str]:
    folder = "usr/lib/x86_64-linux-gnu"
    files = {f"{folder}/pkgconfig/libdpdk.pc": f"Name: DPDK\nVersion: {version}\n"}
    return files | {f"{folder}/dpdk/pmds-23.0/librte_net_{driver}.so": "" for driver in drivers}


def test_dpdk(tmp_path: Path) -> None:
    ports = ("memif", "ring", "af_packet", "af_xdp", "null", "tap", "pcap", "mlx5")
    version, drivers = dpdk.survey(tree(tmp_path / "a", dpdk_files("22.11.11", *ports)))
    assert (version.state, version.text) == ("ok", "version 22.11.11")
    assert drivers.state == "ok"
    assert drivers.text.endswith("drivers of NICs: 1")


def test_dpdk_is_old_and_incomplete(tmp_path: Path) -> None:
    version, drivers = dpdk.survey(tree(tmp_path, dpdk_files("21.11.2", "memif", "ring")))
    assert (version.state, drivers.state) == ("missing", "limited")
    assert "librte-net-af-packet23" in drivers.advice


def test_no_dpdk(tmp_path: Path) -> None:
    assert [line.state for line in dpdk.survey(Tree(tmp_path))] == ["missing", "missing"]


def status(*capabilities: int) -> str:
    return f"Name:\tpython\nCapEff:\t{sum(1 << bit for bit in capabilities):016x}\n"


def test_rights(tmp_path: Path) -> None:
    files = {"proc/self/status": status(12, 13, 21, 23), "proc/self/ns/net": "", "usr/bin/ip": "", "dev/net/tun": ""}
    lines = rights.survey(tree(tmp_path, files), lambda _: True)
    assert [line.state for line in lines] == ["ok"] * 6
    assert "-20 to 19" in one(lines, "nice").text


def test_ordinary_user(tmp_path: Path) -> None:
    files = {"proc/self/status": status(13), "proc/self/ns/net": "", "usr/sbin/ip": ""}
    lines = rights.survey(tree(tmp_path, files), lambda _: False)
    assert [line.state for line in lines] == ["limited", "limited", "limited", "limited", "missing", "limited"]
    assert "without CAP_NET_ADMIN, CAP_SYS_ADMIN" in one(lines, "rights").text


@pytest.mark.parametrize(
    ("limit", "state"), [("0", "limited"), ("24", "limited"), ("25", "ok"), ("40", "ok"), ("unlimited", "ok")]
)
def test_nice_limit(tmp_path: Path, limit: str, state: str) -> None:
    """getrlimit(2): a process may go down to 20 - RLIMIT_NICE."""
    limits = f"Limit            Soft Limit   Hard Limit   Units\nMax nice priority         {limit}   0\n"
    files = {"proc/self/status": status(13), "proc/self/limits": limits}
    assert one(rights.survey(tree(tmp_path, files), lambda _: True), "nice").state == state


def test_kernel_without_af_xdp(tmp_path: Path) -> None:
    files = {"proc/self/status": status(12, 13, 21)}
    line = one(rights.survey(tree(tmp_path, files), lambda family: family != 44), "AF_XDP")
    assert (line.state, line.advice) == ("missing", "use a kernel with CONFIG_XDP_SOCKETS")


def test_nics(tmp_path: Path) -> None:
    devices = "sys/bus/pci/devices"
    host = tree(
        tmp_path,
        {
            f"{devices}/0000:00:00.0/class": "0x060000",
            f"{devices}/0000:01:00.0/class": "0x020000",
            f"{devices}/0000:01:00.1/class": "0x020000",
            f"{devices}/0000:01:00.1/net/eth1/mtu": "1500",
            f"{devices}/0000:02:00.0/class": "0x020000",
            f"{devices}/0000:03:00.0/class": "0x020000",
            f"{devices}/0000:04:00.0/class": "0x020000",
            f"{devices}/0000:04:00.0/net/eth4/mtu": "1500",
            f"{devices}/0000:05:00.0/class": "0x020000",
            f"{devices}/0000:05:00.0/virtio3/net/eth5/mtu": "1500",
            "proc/net/route": "Iface Destination Gateway Flags RefCnt Use Metric Mask\n"
            "eth1 0001A8C0 00000000 0001 0 0 0 00FFFFFF\neth4 00000000 0101A8C0 0003 0 0 0 00000000\n",
            "proc/net/ipv6_route": f"{'0' * 32} 00 {'0' * 32} 00 {'0' * 32} ffffffff 1 0 200200 lo\n"
            f"{'0' * 32} 00 {'0' * 32} 00 fe80{'0' * 28} 00000400 1 0 3 eth5\n"
            f"{'20010db8' * 4} 40 {'0' * 32} 00 {'0' * 32} 00000400 1 0 3 eth1\n",
        },
    )
    drivers = {"01:00.0": "vfio-pci", "01:00.1": "i40e", "03:00.0": "mlx5_core", "04:00.0": "e1000", "05:00.0": "e1000"}
    for address, driver in drivers.items():
        (tmp_path / devices / f"0000:{address}" / "driver").symlink_to(f"../../drivers/{driver}")
    lines = nics.survey(host)
    assert [(line.subject, line.state) for line in lines] == [
        ("NIC 0000:01:00.0", "ok"),
        ("NIC 0000:01:00.1", "limited"),
        ("NIC 0000:02:00.0", "limited"),
        ("NIC 0000:03:00.0", "ok"),
        ("NIC 0000:04:00.0", "limited"),
        ("NIC 0000:05:00.0", "limited"),
    ]
    assert lines[1].text == "the kernel has it (i40e) as eth1"
    assert "dpdk-devbind.py -b vfio-pci 0000:01:00.1" in (lines[1].advice or "")
    for line, interface in ((lines[4], "eth4"), (lines[5], "eth5")):
        assert line.text == f"the kernel has it (e1000) as {interface}, and this host's default route: leave it alone"
        assert "dpdk-devbind" not in (line.advice or "")


def test_no_nic(tmp_path: Path) -> None:
    assert [line.state for line in nics.survey(Tree(tmp_path))] == ["limited"]


def test_programs(tmp_path: Path) -> None:
    lines = programs.survey(tree(tmp_path, {"usr/sbin/tayga": ""}), {"engine": True, "reference device": False})
    assert one(lines, "TAYGA").state == "ok"
    assert one(lines, "nftables").advice == "apt install nftables"
    namespaces = "linux, tayga, nft-nat44, nft-nat66, nft-masquerade, tayga-nat64, "
    namespaces += "tayga-map-t-ce, tayga-map-t-br, tayga-siit-pair, 464xlat, jool-siit, "
    namespaces += "jool-464xlat, jool-nat64, jool-map-t, ip6tnl-aftr, ip6tnl-ce, ip6tnl-lwb4, ip6tnl-b4, "
    namespaces += "ip6tnl-br, ip6tnl-lwaftr, vm-nat44"
    assert one(lines, "nftables").text == f"not there; needed for: devices {namespaces}"
    assert one(lines, "reference device").advice == "make build"


def test_kvm_that_nobody_has_tried_is_not_ok(tmp_path: Path) -> None:
    line = one(
        programs.survey(tree(tmp_path, {"usr/bin/qemu-system-x86_64": "", "dev/kvm": ""}), {}), "virtual machines"
    )
    assert (line.state, "isn't tried" in line.text) == ("limited", True)


def test_what_a_port_can_do() -> None:
    lines = capabilities(
        Port(
            port="0000:01:00.0",
            driver="mlx5",
            mac="02:00:00:00:00:01",
            link_up=True,
            speed_mbps=100000,
            mtu=1500,
            rate_limit=True,
        )
    )
    text = [(line.state, line.text) for line in lines]
    assert text[0] == ("ok", "mlx5, link up, 100000 Mbit/s, MTU 1500")
    assert ("ok", "nic_pacing queue_rate_limit: the NIC holds a queue's rate") in text
    assert ("limited", "not: nic_arrival_stamps: the NIC stamps arrivals") in text
