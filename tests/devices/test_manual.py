from __future__ import annotations

import re
import tomllib
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

import pytest

from tests.devices.hosts import plan
from xlatperf.config.errors import BenchError
from xlatperf.config.load import parse_bench
from xlatperf.devices.device import Attachment, Device, DeviceError, Neighbor
from xlatperf.devices.manual import Manual
from xlatperf.keys.needs import Need
from xlatperf.lab import processor_time

NATIVE = {"name": "native", "family": "ipv4"}


PORTS = ("0000:01:00.0", "0000:01:00.1")
PLAN = replace(plan(NATIVE, {}, {}), tester_ports=PORTS)


@pytest.fixture(autouse=True)
def _ports_are_there(monkeypatch: pytest.MonkeyPatch) -> None:
    """See test_users_ports.py for what is said of those that aren't."""
    monkeypatch.setattr("xlatperf.devices.manual.check_users_ports", lambda *_: None)


def manual(**keys: object) -> Manual:
    return Manual.model_validate({"driver": "manual", **keys})


def prepared(**keys: object) -> Device:
    return manual(**keys).prepare(PLAN, ExitStack())


def test_ports_are_the_users() -> None:
    device = prepared(description="router 7")
    assert device.attachment == Attachment(*PORTS, ())
    assert device.facts() == {"description": "router 7"}
    assert prepared(left_port="net_memif0,role=client").attachment.left_port == "net_memif0,role=client"


def test_the_mtu_is_reported() -> None:
    """RFC 8219 §5.1."""
    assert prepared(mtu=9000).facts() == {"mtu": "9000"}


def test_in_a_namespace_of_the_users() -> None:
    assert prepared(namespace="mine").attachment.command_prefix == ("ip", "netns", "exec", "mine")


def test_port_missing() -> None:
    with pytest.raises(DeviceError, match=r"tester\.right\.port is missing"):
        manual().check(("0000:01:00.0", None), ())


def test_port_twice() -> None:
    """With tester.one_port, as the bench has checked."""
    manual().check(("0000:01:00.0", "0000:01:00.0"), ())


@pytest.mark.parametrize(
    ("keys", "message"),
    [
        ("mtu = 1000", r"device\.mtu: 1000 is not allowed: a whole number, 1280 to 9216"),
        ("clear_command = 7", r"device\.clear_command: 7 is not allowed: a text for the shell"),
        ('clear_command = ""', r"device\.clear_command: \"\" is not allowed: a text for the shell"),
        ("count_command_limit_s = 0", r"device\.count_command_limit_s: 0 is not allowed: a whole number, 1 to 86400"),
        (
            "cpu_command_limit_s = 7",
            r"device\.cpu_command_limit_s: 7 is not allowed: nothing without device\.cpu_command",
        ),
        (
            'left_port = "net_memif0,rolle=client"',
            r"device\.left_port: net_memif0: rolle is not allowed: the nearest is",
        ),
    ],
)
def test_keys_that_are_wrong(keys: str, message: str) -> None:
    ports = 'tester = { left.port = "a", right.port = "b" }'
    with pytest.raises(BenchError, match=message):
        parse_bench(f'technology.name = "siit"\n{ports}\n[device]\ndriver = "manual"\n{keys}', "b.toml")


def test_commands_of_the_users(tmp_path: Path) -> None:
    table = tmp_path / "table"
    table.write_text("7\n")
    device = prepared(
        clear_command=f"echo 0 > {table}", count_command=f"cat {table}", restart_command=f"touch {tmp_path}/restarted"
    )
    assert device.count_state() == 7
    device.clear_state()
    assert device.count_state() == 0
    device.restart()
    assert (tmp_path / "restarted").exists()
    assert device.facts()["count_command"] == f"cat {table}"


def test_without_commands() -> None:
    device = prepared()
    assert device.count_state() is None
    assert device.cpu_s() == {}
    assert device.alive()
    with pytest.raises(DeviceError, match=r"device\.clear_command is missing: the driver manual can't empty"):
        device.clear_state()
    with pytest.raises(DeviceError, match=r"device\.restart_command is missing"):
        device.restart()
    with pytest.raises(DeviceError, match=r"device\.set_cores_command is missing"):
        device.set_cores(2)


def test_a_command_that_fails_is_one_line() -> None:
    device = prepared(clear_command="echo one >&2; echo no route to dut >&2; exit 255", count_command="echo 7 entries")
    with pytest.raises(DeviceError, match=r"device\.clear_command: .* failed with exit code 255: no route to dut$"):
        device.clear_state()
    with pytest.raises(DeviceError, match=r"device\.count_command: it wrote '7 entries': a number and nothing else"):
        device.count_state()


@pytest.mark.parametrize(
    ("need", "option"),
    [
        ("clear", "clear_command"),
        ("restart", "restart_command"),
        ("cores", "set_cores_command"),
        ("table_size", "set_table_command"),
        ("hash_size", "set_table_command"),
    ],
)
def test_what_a_bench_needs_is_asked_for_at_the_start(need: Need, option: str) -> None:
    with pytest.raises(
        DeviceError, match=rf"^device\.{option} is missing: the driver manual can't .*; needed for .*RFC"
    ):
        manual().check(PORTS, {need})
    manual(**{option: "true"}).check(PORTS, {need})


def test_the_number_of_cores_is_a_variable(tmp_path: Path) -> None:
    prepared(set_cores_command=f"echo $XLATPERF_CORES > {tmp_path}/cores").set_cores(3)
    assert (tmp_path / "cores").read_text() == "3\n"


def test_sizes_of_the_table_are_variables(tmp_path: Path) -> None:
    """R9693-6-2: what a column doesn't say is empty."""
    device = prepared(set_table_command=f"echo $XLATPERF_TABLE_SIZE:$XLATPERF_HASH_SIZE >> {tmp_path}/sizes")
    device.set_table(4096, 512)
    device.set_table(8192, None)
    assert (tmp_path / "sizes").read_text() == "4096:512\n8192:\n"


def test_facts_of_the_users() -> None:
    """R9693-6-2, R9693-6-4: what influences performance is in environment.json."""
    device = prepared(facts_command="echo 'kernel: 6.1.0'; echo; echo 'CPU: EPYC: 7302'", description="my router")
    assert device.facts()["kernel"] == "6.1.0"
    assert device.facts()["CPU"] == "EPYC: 7302"
    assert device.facts()["description"] == "my router"
    with pytest.raises(DeviceError, match=r"device\.facts_command: it wrote 'Linux 6\.1': lines such as `kernel: 6\.1"):
        prepared(facts_command="echo Linux 6.1").facts()


def test_processor_time() -> None:
    device = prepared(cpu_command="echo 'clat: 1.5'; echo 'plat: 20'")
    assert device.cpu_s() == {"clat": 1.5, "plat": 20.0}
    with pytest.raises(DeviceError, match=r"device\.cpu_command: clat: 'much' is no number of seconds"):
        prepared(cpu_command="echo clat: much").cpu_s()


def test_idle_cores() -> None:
    """Of both devices of a dual DUT, as the command names them."""
    device = prepared(idle_command="echo 'clat core 0: 812.5'; echo 'plat core 0: 3'")
    assert device.idle_s() == {"clat core 0": 812.5, "plat core 0": 3.0}
    assert prepared().idle_s() == {}
    for word in ("much", "nan", "inf"):
        with pytest.raises(DeviceError, match=rf"device\.idle_command: core 0: '{word}' is no number of seconds"):
            prepared(idle_command=f"echo core 0: {word}").idle_s()


def test_idle_cores_as_the_page_has_them() -> None:
    """docs/your-own-device.md: its command, here instead of on two hosts."""
    page = (Path(__file__).parents[2] / "docs" / "your-own-device.md").read_text(encoding="utf-8")
    (shown,) = (block for block in re.findall(r"```toml\n(.*?)```", page, re.DOTALL) if "idle_command" in block)
    command = tomllib.loads(shown)["device"]["idle_command"].replace("ssh root@$at cat", "cat")
    cores = processor_time.idle_of_cores(range(4096))
    found = prepared(idle_command=command).idle_s()
    assert set(found) == {f"{at} {core}" for at in ("clat", "plat") for core in cores}
    assert all(found[f"clat {core}"] >= idle_s - 0.01 for core, idle_s in cores.items())


def test_alive(tmp_path: Path) -> None:
    device = prepared(alive_command=f"test -e {tmp_path}/up")
    assert not device.alive()
    assert device.why_not_alive().startswith("device.alive_command: `test -e ")
    assert device.why_not_alive().endswith("` failed with exit code 1, and wrote nothing")
    (tmp_path / "up").touch()
    assert device.alive()


def test_the_dut_is_told_its_neighbors_again_after_a_restart(tmp_path: Path) -> None:
    told = tmp_path / "told"
    names = ("LEFT_MAC", "LEFT_IPV4", "LEFT_IPV6", "RIGHT_MAC", "RIGHT_IPV4", "RIGHT_IPV6")
    text = " ".join(f"${{XLATPERF_{name}:-none}}" for name in names)
    device = prepared(neighbor_command=f"echo {text} >> {told}", restart_command=f"echo restarted >> {told}")
    left = Neighbor("02:00:00:00:00:10", None, "2001:2:0:7fff::2")
    device.set_neighbors(left, Neighbor("02:00:00:00:00:11", "192.168.19.2", None))
    device.restart()
    line = "02:00:00:00:00:10 none 2001:2:0:7fff::2 02:00:00:00:00:11 192.168.19.2 none"
    assert told.read_text().splitlines() == [line, "restarted", line]


def test_time_limits() -> None:
    device = prepared(count_command="sleep 60", count_command_limit_s=1)
    with pytest.raises(
        DeviceError, match=r"didn't end within 1 s \(device\.count_command_limit_s\), and wrote nothing"
    ):
        device.count_state()


def test_a_count_of_nothing_by_grep(tmp_path: Path) -> None:
    """It ends with 1 then, which isn't what a command may end with."""
    (tmp_path / "table").write_text("udp\n")
    count = f"grep -c {{}} {tmp_path}/table"
    assert prepared(count_command=count.format("udp")).count_state() == 1
    with pytest.raises(DeviceError, match=r"exit code 1: 0; `grep -c` ends so where it counts nothing: add"):
        prepared(count_command=count.format("tcp")).count_state()
    assert prepared(count_command=f"{count.format('tcp')} || true").count_state() == 0
    with pytest.raises(DeviceError, match=r"failed with exit code 3, and wrote nothing$"):
        prepared(count_command="exit 3").count_state()
