"""What VPP was told is taken back: the last first, once, and never at the cost of waiting for a VPP that is gone."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest

from tests.devices.vpp import fake
from xlatperf.lab import leftovers, vpp_changes
from xlatperf.lab.error import LabError
from xlatperf.lab.vpp_changes import Undo, VppChanges, take_back
from xlatperf.lab.vpp_cli import VppCli

DOMAIN = (
    "ip4-pfx 192.0.2.0/24 ip6-pfx 2001:db8:ce::/48 ip6-src 2001:db8:6::1/128 ea-bits-len 16 psid-offset 6 psid-len 8"
)
OTHER = (
    "ip4-pfx 198.51.100.0/24 ip6-pfx 2001:db8:2::/48 ip6-src 2001:db8:6::1/128 ea-bits-len 8 psid-offset 0 psid-len 0"
)
OF_DOMAIN = Undo("map del domain index {0}", "show map domain", r"\[(\d+)\].* ip4-pfx 192\.0\.2\.0/24 ")


def test_the_last_one_first(tmp_path: Path) -> None:
    """Each before the change is made, so that one which wasn't made any more is in it: VPP refuses that one."""
    with fake.running(tmp_path, log=str(tmp_path / "log")) as socket:
        cli = VppCli(socket)
        changes = VppChanges(tmp_path, cli)
        for command, undo in (
            (f"map add domain {OTHER}", None),
            ("nat64 plugin enable", Undo("nat64 plugin disable")),
            (f"map add domain {DOMAIN}", OF_DOMAIN),
            ("", Undo("nat44 plugin disable")),
        ):
            if undo is not None:
                changes.will_be(undo)
            if command:
                cli.ask(command)
        assert changes.take_back() == ["nat44 plugin disable: nat44 plugin: already disabled"]
        assert changes.take_back() == [], "once"
        cli.close()
        assert fake.left(socket) == {**fake.NOTHING_LEFT, "domains": [OTHER]}, "what others told it stays"
    given = [one for one in (tmp_path / "log").read_text().splitlines() if one != "show version"]
    assert given[-4:] == ["nat44 plugin disable", "show map domain", "map del domain index 8", "nat64 plugin disable"]


def test_a_record_that_was_cut_off(tmp_path: Path) -> None:
    """By the end of the process that wrote it."""
    with fake.running(tmp_path) as socket:
        cli = VppCli(socket)
        VppChanges(tmp_path, cli).will_be(Undo("nat64 plugin disable"))
        cli.ask("nat64 plugin enable")
        record = tmp_path / vpp_changes.RECORD
        record.write_text(record.read_text() + '{"socket": "/x", "comm')
        assert take_back(tmp_path) == []
        assert fake.left(socket) == fake.NOTHING_LEFT
        cli.close()


@pytest.mark.parametrize(
    "line", ["", "[]", "3", '{"socket": 5}', '{"command": "x"}', '{"socket": "/x", "other": 1}', "\0"]
)
def test_what_is_no_record(line: str, tmp_path: Path) -> None:
    (tmp_path / vpp_changes.RECORD).write_text(line + "\n")
    assert take_back(tmp_path) == []
    assert not (tmp_path / vpp_changes.RECORD).exists()


def test_a_vpp_that_is_gone(tmp_path: Path) -> None:
    """Said once, whatever there was to take back."""
    lines = [json.dumps({"socket": "/none", "command": f"x{number}"}) for number in range(100)]
    (tmp_path / vpp_changes.RECORD).write_text("\n".join(lines))
    assert take_back(tmp_path) == ["VPP's CLI socket /none: No such file or directory"]


def test_a_vpp_that_hangs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vpp_changes, "_EACH_S", 0.2)
    with fake.running(tmp_path, hang=".*disable") as socket:
        changes = VppChanges(tmp_path, VppCli(socket))
        for _ in range(100):
            changes.will_be(Undo("nat64 plugin disable"))
        began_s = time.monotonic()
        (said,) = changes.take_back()
        assert "took too long" in said
        assert time.monotonic() - began_s < 3


def test_a_folder_that_is_gone(tmp_path: Path) -> None:
    with pytest.raises(LabError, match=r"can't note in .*/none what VPP is told: No such file or directory"):
        VppChanges(tmp_path / "none", VppCli(tmp_path / "socket")).will_be(Undo("x"))


def test_of_a_run_that_was_killed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The next one takes it back, and removes what a VPP of its own left in shared memory."""
    monkeypatch.setenv("XLATPERF_RUNTIME", str(tmp_path / "run"))
    monkeypatch.setattr(vpp_changes, "SHARED_MEMORY", tmp_path)
    folder = tmp_path / "run" / "4194303-0"  # no process has this number
    folder.mkdir(parents=True)
    (tmp_path / "xlatperf-4194303-0-global_vm").touch()
    (tmp_path / "xlatperf-4194303-01-global_vm").touch()
    with fake.running(tmp_path) as socket:
        cli = VppCli(socket)
        cli.ask("nat64 plugin enable")
        VppChanges(folder, cli).will_be(Undo("nat64 plugin disable"))
        leftovers.clean()
        assert fake.left(socket) == fake.NOTHING_LEFT
        cli.close()
    assert not folder.exists()
    assert [path.name for path in tmp_path.glob("xlatperf-*")] == ["xlatperf-4194303-01-global_vm"], "another run's"
