"""What VPP is told for each technology: the commands that are recorded here, each as VPP's documentation has it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests import fake_vpp
from tests.devices.vpp import fake
from tests.devices.vpp.prepared import BENCHES, prepared
from xlatperf.devices.device import DeviceError
from xlatperf.lab import vpp_cli

RECORDED = Path(__file__).parent / "recorded"
REFUSED = "cli: no space left on device"


def recorded(name: str) -> str:
    file = RECORDED / f"{name}.txt"
    return file.read_text(encoding="utf-8") if file.exists() else ""


def without_folder(text: str) -> str:
    return re.sub(r"\S+/run/\d+-\d+/", "FOLDER/", text)


@pytest.mark.parametrize("name", BENCHES)
def test_each_technology(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """All of them, in order; to record them anew: delete the file, run this, and read what is in it."""
    log = fake.on_the_path(tmp_path, monkeypatch)
    with prepared(BENCHES[name], tmp_path) as device:
        device.clear_state()
        connections = device.count_state()
        told = device.facts()["vpp.commands"].splitlines()
    given = without_folder(log.read_text())
    if not recorded(name):
        (RECORDED / f"{name}.txt").write_text(given)
        pytest.fail(f"{name} is new: read it")
    assert given == recorded(name)
    assert connections == {"nat44-ed": 42, "nat44-ei": 42, "nat64": 1, "dslite": 42}.get(name)
    assert set(told) <= set(log.read_text().splitlines())
    for command in log.read_text().splitlines():
        assert any(re.fullmatch(one, command) for one in fake_vpp.GRAMMAR), command


def each_command_once() -> list[tuple[str, str]]:
    """With a technology that has it; those of `show` need an answer."""
    found: dict[str, str] = {}
    for name in BENCHES:
        for command in recorded(name).splitlines():
            if not command.startswith("show"):
                found.setdefault(command, name)
    return [(name, command) for command, name in found.items()]


@pytest.mark.parametrize(("name", "command"), each_command_once())
def test_a_command_that_is_refused(name: str, command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In one line, with what VPP says about it; nothing is left."""
    fake.on_the_path(tmp_path, monkeypatch, fail=[re.escape(command).replace("FOLDER", ".*"), f"{REFUSED}\n  ^\n"])
    with pytest.raises(DeviceError) as refused, prepared(BENCHES[name], tmp_path) as device:
        device.clear_state()
    assert without_folder(str(refused.value)) == f"VPP refuses `{command}`: {REFUSED} ^"
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize(
    ("orders", "said"),
    [
        ({"hang": "ip route .*"}, r"VPP doesn't answer at .*: 'ip route add .*' took too long"),
        ({"close": "ip route .*"}, r"VPP closed its CLI socket .* in place of an answer to 'ip route add .*'"),
        (
            {"end": "ip route .*"},
            r"VPP closed its CLI socket .* in place of an answer to 'ip route add .*'; VPP ended with exit code 1.*",
        ),
        (
            {"says": {"show version": "unknown"}},
            r"VPP's CLI socket .*: who listens there isn't VPP: 'unknown'",
        ),
        ({"says": {"show version": ""}}, r"vpp wasn't ready within 1 s: .*"),
        ({"end": "show version"}, r"vpp ended with exit code 1: .*, before it was ready"),
    ],
)
def test_a_vpp_that_does_not_answer(
    orders: dict[str, object], said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In bounded time."""
    monkeypatch.setattr(vpp_cli, "ANSWER_S", 0.3)
    monkeypatch.setattr(vpp_cli, "FIRST_S", 0.3)
    monkeypatch.setattr("xlatperf.devices.vpp.process.READY_S", 1.0)
    fake.on_the_path(tmp_path, monkeypatch, **orders)
    with pytest.raises(DeviceError) as failed, prepared(BENCHES["native"], tmp_path):
        pass
    assert re.fullmatch(said, str(failed.value)), failed.value
    assert not (tmp_path / "run").exists()


def test_a_domain_that_is_not_added(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """R7597-5: VPP writes into its log why, and says nothing."""
    fake.on_the_path(tmp_path, monkeypatch, silent="map add domain .*")
    with (
        pytest.raises(
            DeviceError, match=r"VPP has not added a domain: `map add domain ip4-pfx 198\.18\.0\.0/24 .*` was"
        ),
        prepared(BENCHES["map-e"], tmp_path),
    ):
        pass


def test_what_is_not_done_without_a_word(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An interface that stays down is seen at once, a route that isn't there where `check` looks for what is wrong."""
    fake.on_the_path(tmp_path, monkeypatch, silent="set interface state memif102/0 up|ip route add 198.18.0.0/24 .*")
    with (
        pytest.raises(DeviceError, match=r"VPP has not done `set interface state memif102/0 up`, and says nothing"),
        prepared(BENCHES["nat64"], tmp_path),
    ):
        pass
    fake.on_the_path(tmp_path, monkeypatch, silent="ip route add .*")
    with prepared(BENCHES["nat64"], tmp_path) as device:
        told = [line for line in device.diagnose() if "route" in line]
    assert told[0].startswith("VPP has no route for ")
    assert told[0].endswith(" through memif101/0 to 2001:2:0:7fff::2")
    fake.on_the_path(tmp_path, monkeypatch)
    with prepared(BENCHES["nat64"], tmp_path) as device:
        assert not [line for line in device.diagnose() if "route" in line]


def test_an_answer_of_another_kind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a version that writes otherwise: it's said, and nothing is made of it."""
    fake.on_the_path(tmp_path, monkeypatch, says={"show runtime": "{}", "show errors": "x"})
    heard: list[str] = []
    with prepared(BENCHES["native"], tmp_path, say=heard.append) as device:
        lines = [
            "VPP's answer to `show errors` isn't understood, and not used: 'x'",
            "VPP's answer to `show runtime` isn't understood, and not used: '{}'",
        ]
        assert heard == [f"  {line}" for line in lines]
        assert device.diagnose()[:2] == lines
        assert device.facts()["vpp.not_understood"].splitlines() == lines
        assert device.vectors() == {}
    fake.on_the_path(tmp_path, monkeypatch, says={"show interface": "{}"})
    with (
        pytest.raises(DeviceError, match=r"VPP's answer to `show interface` has no memif101/0, which it was"),
        prepared(BENCHES["native"], tmp_path),
    ):
        pass


@pytest.mark.parametrize(
    ("name", "command"),
    [
        ("nat44-ed", "show nat44 summary"),
        ("nat44-ei", "show nat44 ei sessions"),
        ("dslite", "show dslite sessions"),
        ("nat64", "show nat64 session table udp"),
    ],
)
def test_sessions_that_are_not_told(name: str, command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not a 0: it isn't known."""
    fake.on_the_path(tmp_path, monkeypatch, says={command: f"show: unknown input `{command[5:]}'"})
    with prepared(BENCHES[name], tmp_path) as device, pytest.raises(DeviceError, match=f"`{command}`"):
        device.count_state()


def test_a_row_of_another_kind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """RFC 7596 §6.1: one address with two sizes of port sets; VPP's domain has one."""
    fake.on_the_path(tmp_path, monkeypatch)
    table = tmp_path / "table.csv"
    table.write_text(
        "ipv6,ipv4,psid_offset,psid_length,psid,lwaftr\n"
        "2001:2:0:2000::1,198.18.0.1,0,4,1,2001:2:0:c000::1\n2001:2:0:2001::1,198.18.0.1,0,3,7,2001:2:0:c000::1\n"
    )
    allowed = "4 as in another row of 198.18.0.1: VPP has one for an address"
    with (
        pytest.raises(DeviceError, match=rf"technology\.softwires: psid_length: 3 is not allowed: {allowed}"),
        prepared(f'technology = {{ name = "lw4o6", softwires.table = "{table}" }}', tmp_path),
    ):
        pass
