from __future__ import annotations

import json
import os
import signal
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.devices.hosts import plan
from xlatperf.devices.device import DeviceError
from xlatperf.devices.reference import Reference, ReferenceDevice, explain, find_program
from xlatperf.lab.process_identity import identify

NATIVE = {"name": "native", "family": "ipv4"}
SIIT = {"name": "siit", "ipv6_side": "left", "prefix": "2001:db8:6464::/96", "eam": []}
POOL = {"first": "198.19.0.1", "addresses": 1, "first_port": 1024, "last_port": 65535}
NAT44 = {"name": "nat44", "pool": POOL}
NAT64 = {"name": "nat64", "prefix": "2001:db8:6464::/96", "pool": POOL}
NAT66 = {"name": "nat66", "pool": {**POOL, "first": "2001:2:0:c000::1"}}
ROUTES = ({"198.18.0.2/32": "foreground"}, {"198.19.0.2/32": "foreground"})

STAND_IN = """
import json, sys
print("EAL: a message of DPDK's", file=sys.stderr, flush=True)
config = json.load(open(sys.argv[2]))
if "buffers" in config:
    print(json.dumps({"error": "buffers: 1 is not allowed: 8192 to 4000000"}), flush=True)
    sys.exit(2)
print(json.dumps({"ready": True, "version": "0.1.0", "hugepages": False}), flush=True)
for line in sys.stdin:
    request = json.loads(line)
    if request["request"] == "counters":
        answer = {"forward": {"refused": {"no_route": 3}}, "left": {"link_up": False}, "right": {"link_up": True}}
        answer["state"] = {"entries": 17}
    elif request["request"] == "clear":
        answer = {"deleted": 17}
    else:
        answer = {"error": "request: " + request["request"] + " is not allowed"}
    print(json.dumps({**answer, "id": request["id"]}), flush=True)
"""


@pytest.fixture
def runtime(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XLATPERF_RUNTIME", str(tmp_path / "r"))
    return tmp_path / "r"


Prepare = Callable[..., ReferenceDevice]


@pytest.fixture
def stand_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, runtime: Path) -> Iterator[Prepare]:
    """Prepares a small program in place of the device."""
    program = tmp_path / "stand-in"
    program.write_text(f"#!{sys.executable}\n{STAND_IN}")
    program.chmod(0o755)
    monkeypatch.setenv("XLATPERF_REFERENCE", str(program))
    with ExitStack() as undo:
        yield lambda technology, **keys: reference(undo, technology, **keys)
    assert not runtime.exists()


def reference(undo: ExitStack, technology: Mapping[str, object], **keys: object) -> ReferenceDevice:
    device = Reference.model_validate({"driver": "reference", **keys}).prepare(plan(technology, *ROUTES), undo)
    assert isinstance(device, ReferenceDevice)
    device.wait_until_ready()
    return device


def test_ready_then_asked(stand_in: Prepare) -> None:
    device = stand_in(NATIVE, impair={"forward": {"drop": {"every": 7}}})
    attachment = device.attachment
    assert attachment.left_port.startswith("net_memif0,role=client,socket=")
    assert attachment.right_port.startswith("net_memif1,role=client,socket=")
    assert attachment.command_prefix == ()
    assert device.diagnose() == [
        "the reference device's left port isn't connected",
        "the reference device refused 3 forward packets: no route",
        'the reference device has orders for forward: {"drop": {"every": 7}}',
    ]
    facts = device.facts()
    assert facts["reference.version"] == "0.1.0"
    assert json.loads(facts["reference.configuration"])["technology"] == NATIVE
    with pytest.raises(DeviceError, match="the reference device: request: dance is not allowed"):
        device.request({"request": "dance"})


def test_refused_configuration_is_one_line(stand_in: Prepare) -> None:
    with pytest.raises(DeviceError, match=r"^device: buffers: 1 is not allowed: 8192 to 4000000$"):
        stand_in(NATIVE, buffers=1)


def test_restart(stand_in: Prepare) -> None:
    device = stand_in(NATIVE)
    before = device._daemon.pid
    device.restart()
    assert before is not None
    assert identify(before) is None
    assert device._daemon.running


def test_state(stand_in: Prepare) -> None:
    device = stand_in(NAT44, state={"entries": 1000})
    assert device.count_state() == 17
    device.clear_state()
    device.restart()
    assert device.count_state() == 17


def test_technologies_without_state(stand_in: Prepare) -> None:
    device = stand_in(NATIVE)
    device.clear_state()
    assert device.count_state() is None


def test_processor(stand_in: Prepare) -> None:
    device = stand_in(NATIVE)
    assert device.alive()
    assert 0 < device.cpu_s()["reference"] < 60
    device.set_cores(1)
    with pytest.raises(DeviceError, match=r"^device_cores: 2 is not allowed: 1, the reference device has one thread$"):
        device.set_cores(2)
    with pytest.raises(DeviceError, match=r"^hash_size: 512 is not allowed: the sizes of this device's table can't"):
        device.set_table(1000, 512)


def test_ended_process(stand_in: Prepare) -> None:
    device = stand_in(NATIVE)
    assert device.ended() is None
    assert device.pid is not None
    os.kill(device.pid, signal.SIGKILL)
    while device.alive():
        time.sleep(0.001)
    assert device.ended() == "the reference device was ended by signal 9 (Killed)"
    assert device.diagnose() == ["the reference device was ended by signal 9 (Killed)"]
    with pytest.raises(DeviceError, match="doesn't read any more"):
        device.request({"request": "counters"})


def test_program_that_is_not_there() -> None:
    with pytest.raises(DeviceError, match="XLATPERF_REFERENCE: /no/such is not a program"):
        find_program({"XLATPERF_REFERENCE": "/no/such"})


def test_nothing_odd() -> None:
    assert explain({"forward": {"refused": {}}, "left": {"link_up": True}}, {}) == []


def built() -> bool:
    try:
        find_program()
    except DeviceError:
        return False
    return True


@pytest.mark.skipif(not built(), reason="xlatperf-reference isn't built")
def test_the_real_one(runtime: Path) -> None:
    for technology in (NATIVE, SIIT):
        with ExitStack() as undo:
            device = reference(undo, technology, impair={"reverse": {"delay_us": 100}}, core=0)
            assert set(device.request({"request": "counters"})) >= {"forward", "reverse", "left", "right"}
            assert (runtime).exists()
            device.restart()
            assert device.request({"request": "counters"})["forward"]["received"] == 0
        assert not runtime.exists()
    for stateful in (NAT44, NAT64, NAT66):
        with ExitStack() as undo:
            device = reference(undo, stateful, state={"entries": 1000}, core=0)
            assert device.count_state() == 0
            device.clear_state()
            assert device.cpu_s()["reference"] > 0
            device.request({"request": "impair", "forward": {"outside_pool": {"every": 7}}})
    with ExitStack() as undo:
        with pytest.raises(DeviceError, match=r"^device\.state\.entries: 0 is not allowed"):
            reference(undo, NAT44, state={"entries": 0})
        with pytest.raises(DeviceError, match=r"^device: .*impair\.forward"):
            reference(undo, NATIVE, impair={"forward": {"dropp": {"every": 1}}})
    assert not runtime.exists()
