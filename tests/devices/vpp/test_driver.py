"""`[device]` with driver = "vpp": its own VPP or a running one, by memif, veth pairs or the user's ports."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.devices.vpp import fake
from tests.devices.vpp.prepared import BENCHES, plan_of, prepared
from xlatperf.config.errors import BenchError
from xlatperf.config.load import parse_bench
from xlatperf.devices.cores import available_cores
from xlatperf.devices.device import DeviceError
from xlatperf.devices.vpp.startup import configuration
from xlatperf.lab.vpp_cli import VppCli

USERS = """
device.left_interface = "TenGigabitEthernet3b/0/0"
device.right_interface = "TenGigabitEthernet3b/0/1"
tester.left.port = "net_null0"
tester.right.port = "net_null1"
"""


def test_its_configuration(tmp_path: Path) -> None:
    """What `vpp -c` reads: nothing beside what is needed, sockets and shared memory of this run alone."""
    text = configuration(
        tmp_path, "xlatperf-1-0", "map-e", (2, 3, 4), {}, ports="memif", more="\nbuffers { buffers-per-numa 65536 }\n"
    )
    assert text.replace(str(tmp_path), "F") == (
        "unix {\n  nodaemon\n  cli-listen F/cli.sock\n  runtime-dir F\n}\n"
        "api-segment {\n  prefix xlatperf-1-0\n}\n"
        "statseg {\n  socket-name F/stats.sock\n}\n"
        "cpu {\n  main-core 2\n  corelist-workers 3,4\n}\n"
        "plugins {\n  plugin default { disable }\n  plugin memif_plugin.so { enable }\n"
        "  plugin map_plugin.so { enable }\n}\n"
        "buffers { buffers-per-numa 65536 }\n"
    )


def test_cards_of_its_own(tmp_path: Path) -> None:
    cards = {"left": "0000:3b:00.0", "right": "0000:3b:00.1"}
    text = configuration(tmp_path, "x", "native", (2,), cards, ports="pci")
    assert text.endswith(
        "plugins {\n  plugin default { disable }\n  plugin dpdk_plugin.so { enable }\n}\n"
        "dpdk {\n  dev 0000:3b:00.0 { name left }\n  dev 0000:3b:00.1 { name right }\n}\n"
    )


def test_ports_by_memif(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The Tester is VPP's client."""
    fake.on_the_path(tmp_path, monkeypatch)
    with prepared(BENCHES["native"], tmp_path) as device:
        left = device.attachment.left_port
        assert left.startswith("net_memif0,role=client,socket=")
        assert left.endswith("/left.sock,socket-abstract=no,id=0,rsize=12,bsize=2048,mac=02:00:00:00:00:a0")
        assert device.facts()["vpp"] == "v26.02-release"
        assert device.alive()
        assert device.vectors() == {"vpp_wk_0 core 1": (160, 500)}


def test_a_running_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is told what is needed, which is taken back; what others told it stays."""
    monkeypatch.setenv("XLATPERF_RUNTIME", str(tmp_path / "run"))
    with fake.running(tmp_path) as socket:
        cli = VppCli(socket)
        for name in ("native", "map-e", "map-t", "lw4o6", "nat44-ed", "nat44-ei", "nat64"):
            with prepared(f'{BENCHES[name]}\ndevice.cli_socket = "{socket}"', tmp_path):
                assert fake.left(socket) != fake.NOTHING_LEFT
            assert fake.left(socket) == fake.NOTHING_LEFT, name
        cli.ask(
            "map add domain ip4-pfx 192.0.2.0/24 ip6-pfx 2001:db8::/48 ip6-src 2001:db8:1::1/128 ea-bits-len 8 "
            "psid-offset 0 psid-len 0"
        )
        with (
            pytest.raises(DeviceError, match="VPP has MAP domains already: they would be measured as well"),
            prepared(f'{BENCHES["map-e"]}\ndevice.cli_socket = "{socket}"', tmp_path),
        ):
            pass
        cli.ask("nat64 plugin enable")
        with (
            pytest.raises(DeviceError, match=r"VPP refuses `nat64 plugin enable.*: nat64 plugin: already enabled"),
            prepared(f'{BENCHES["nat64"]}\ndevice.cli_socket = "{socket}"', tmp_path),
        ):
            pass
        cli.close()


def test_what_is_not_taken_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The user is told what his VPP still has."""
    monkeypatch.setenv("XLATPERF_RUNTIME", str(tmp_path / "run"))
    heard: list[str] = []
    with fake.running(tmp_path, fail=["nat64 plugin disable", "busy"]) as socket:
        with prepared(f'{BENCHES["nat64"]}\ndevice.cli_socket = "{socket}"', tmp_path, say=heard.append):
            heard.clear()
        assert heard == ["  VPP keeps what it was told: nat64 plugin disable: busy"]
        assert fake.left(socket)["on"] == ["nat64"]


def test_interfaces_of_the_users(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """They are put back as they were: one was up with an MTU of 9000, one was down."""
    monkeypatch.setenv("XLATPERF_RUNTIME", str(tmp_path / "run"))
    with fake.running(tmp_path) as socket:
        cli = VppCli(socket)
        for number in range(2):
            cli.ask(f"create memif socket id {number} filename {tmp_path}/x{number}")
            more = "master hw-addr 02:00:00:00:00:01 ring-size 1 buffer-size 1"
            cli.ask(f"create interface memif id 0 socket-id {number} {more}")
        cli.ask("set interface state memif0/0 up")
        before = fake.left(socket)
        names = USERS.replace("TenGigabitEthernet3b/0/0", "memif0/0").replace("TenGigabitEthernet3b/0/1", "memif1/0")
        with prepared(f'{BENCHES["native"]}\ndevice.cli_socket = "{socket}"\n{names}', tmp_path) as device:
            assert device.attachment.left_port == "net_null0"
            assert [one["up"] for one in fake.left(socket)["interfaces"].values()] == [True, True]
        after = fake.left(socket)
        for one in after["interfaces"].values():
            assert one.pop("addresses") == []
        assert after == before
        cli.close()


@pytest.mark.parametrize(
    ("text", "refused"),
    [
        ('device.left_interface = "a"', ".*device.right_interface: missing: left_interface is given"),
        (
            'device.left_interface = "a"\ndevice.right_interface = "a"',
            '.*right_interface: "?a"? is not allowed: another one.*',
        ),
        (f'{USERS}\ndevice.ports = "memif"', '.*ports: "?memif"? is not allowed: nothing with left_interface'),
        ('device.cli_socket = "/x"\ndevice.workers = 1', ".*workers: 1 is not allowed: nothing with cli_socket: .*"),
        ('device.cli_socket = "/x"\ndevice.startup = "x"', ".*startup: .* is not allowed: nothing with cli_socket: .*"),
        (
            'device.cli_socket = "/x"\ndevice.ports = "af_packet"',
            ".*ports: .* is not allowed: memif with cli_socket: .*",
        ),
        ("device.workers = 65", ".*workers: 65 is not allowed: .*0 to 64.*"),
        ('device.nat44 = "x"', ".*nat44: .*x.* is not allowed: .*ed.*"),
        ("tester.queues = 2", ".*tester.queues: 2 is not allowed: 1 with driver = vpp: .*"),
    ],
)
def test_keys(text: str, refused: str) -> None:
    with pytest.raises(BenchError) as error:
        parse_bench(f'device.driver = "vpp"\ntechnology = {{ name = "native", family = "ipv6" }}\n{text}\n', "b")
    assert error.match(refused)


@pytest.mark.parametrize(
    ("text", "refused"),
    [
        ("device.cores = [999]", r"device.cores: \[999\] is not allowed: .*"),
        ("device.workers = 64", r"device.workers: 64 is not allowed: 0 to \d+: with the main thread's, VPP may use .*"),
        ('device.nat44 = "ed"', "device.nat44: ed is not allowed: nothing without technology.name = nat44"),
        ("device.table_size = 1000", "device.table_size: 1000 is not allowed: nothing without technology.name = nat44"),
        (
            "tester.left.vlan = 5\ntester.right.vlan = 5",
            ".*vlan aren't for the driver vpp: it sets up none",
        ),
        ('device.cli_socket = "/none"', "VPP's CLI socket /none: No such file or directory"),
    ],
)
def test_what_it_is_not_for(text: str, refused: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fake.on_the_path(tmp_path, monkeypatch)
    with pytest.raises(DeviceError, match=refused), prepared(f"{BENCHES['native']}\n{text}", tmp_path):
        pass
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize(
    ("name", "needs", "refused"),
    [
        ("dslite", {"clear"}, "device.cli_socket: VPP can't forget DS-Lite's sessions but by a restart: .*"),
        ("native", {"restart"}, 'a measure with event = "restart" needs a VPP that xlatperf starts: .*'),
        ("native", {"cores"}, "a measure with device_cores needs a VPP that xlatperf starts: .*"),
        ("nat64", {"table_size"}, "columns with table_size are for VPP's NAT44 only: .*"),
    ],
)
def test_what_a_running_one_cannot(name: str, needs: set[str], refused: str, tmp_path: Path) -> None:
    """Before anything is told."""
    driver, plan = plan_of(f'{BENCHES[name]}\ndevice.cli_socket = "/none"', tmp_path, needs=frozenset(needs))
    with pytest.raises(DeviceError, match=refused), ExitStack() as undo:
        driver.prepare(plan, undo)


def test_without_vpp(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    driver, _ = plan_of(BENCHES["native"], tmp_path)
    monkeypatch.setattr("xlatperf.lab.programs.find", lambda _: None)
    assert driver.missing() == [
        "vpp isn't installed: it isn't in Debian: fd.io has packages; or name a running one's cli_socket"
    ]


def test_it_is_restarted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """RFC 6201 §4.2.2: a new process that is told the same, with the Tester's addresses."""
    log = fake.on_the_path(tmp_path, monkeypatch)
    with prepared(BENCHES["map-e"], tmp_path) as device:
        first = log.read_text()
        device.restart()
        assert log.read_text() == first + first
        assert device.ended() is None


@pytest.mark.skipif(len(available_cores()) < 2, reason="two threads of VPP need two cores")
def test_cores(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """RFC 9693 §5.2: the main thread's and the workers'."""
    fake.on_the_path(tmp_path, monkeypatch)
    with prepared(f"{BENCHES['native']}\ndevice.workers = 1", tmp_path) as device:
        both = ", ".join(map(str, sorted(available_cores())[:2]))
        assert device.facts()["vpp.cores"] == both
        device.set_cores(1)
        assert ", " not in device.facts()["vpp.cores"]
        assert "corelist-workers" not in device.facts()["vpp.startup"]


def test_sizes_of_the_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    log = fake.on_the_path(tmp_path, monkeypatch)
    with prepared(BENCHES["nat44-ed"], tmp_path) as device:
        device.set_table(1000, None)
        assert log.read_text().splitlines()[-4:] == [
            "nat44 plugin disable",
            "nat44 plugin enable sessions 1000",
            "nat44 add address 198.18.0.1 - 198.18.0.4",
            "set interface nat44 in memif101/0 out memif102/0",
        ]
        with pytest.raises(DeviceError, match="VPP's table has no hash table whose size can be set"):
            device.set_table(None, 1024)


def test_one_that_was_killed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Said as what it is, not as frames that the device lost."""
    fake.on_the_path(tmp_path, monkeypatch, end="map interface fail")
    with prepared(BENCHES["native"], tmp_path) as device:
        socket = next((tmp_path / "run").glob("*/cli.sock"))
        with pytest.raises(Exception, match="closed its CLI socket"):
            VppCli(socket).ask("map interface fail")
        while device.ended() is None:
            pass
        assert str(device.ended()).startswith("VPP ended with exit code 1")
        assert not device.alive()
        assert device.diagnose() == [device.ended()]
