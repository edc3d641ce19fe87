"""R7596-6.2: lwB4s that have several softwires, in a table with port sets of several sizes and several lwAFTRs."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.system.command import xlatperf
from tests.system.gateway import LW4O6
from tests.system.test_check_negative import outcomes
from tests.system.trials import RELAXED
from xlatperf.procedures.negative import FRAMES

ROWS = """ipv6,ipv4,psid_offset,psid_length,psid,lwaftr
2001:db8::1,192.0.2.1,0,6,1,2001:db8:ffff::1
2001:db8::1,192.0.2.1,0,6,0,2001:db8:ffff::1
2001:db8::2,192.0.2.2,0,0,0,2001:db8:ffff::2
2001:db8::2,192.0.2.1,0,6,4,2001:db8:ffff::1
2001:db8::2,192.0.2.1,0,6,5,2001:db8:ffff::2
2001:db8::3,192.0.2.4,6,8,52,2001:db8:ffff::1
2001:db8::3,192.0.2.5,6,8,53,2001:db8:ffff::1
"""
EACH = {"softwire", "outer_source", "source_address", "source_port", "lwaftr", "nobodys_port"}


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "softwires.csv"
    path.write_text(ROWS, encoding="utf-8")
    return path


@pytest.mark.parametrize("way", ["", "hairpinning = true\n"])
def test_all_frames_are_right_and_each_rule_is_tried(table: Path, way: str) -> None:
    technology = f'{LW4O6["lw4o6 lwaftr"]}\n{way}softwires.table = "{table.name}"'
    text = f'device.driver = "reference"\n[technology]\n{technology}\n{RELAXED}'
    (table.parent / "b.toml").write_text(text, encoding="utf-8")
    done = xlatperf("check", "b.toml", "--duration", "0.1", "--timeout", "0.2", folder=table.parent, timeout_s=60)
    assert done.code == 0, done.output
    assert "All frames came back as they must." in done.output
    tried = [line for line in done.output.splitlines() if line.startswith("frames ") and "not tried" not in line]
    assert len(tried) == len(EACH) + 1, "ports of two sizes"
    assert all("dropped." in line or "answered by ICMPv6" in line for line in tried)


@pytest.mark.parametrize(
    ("off", "let_through"),
    [
        ({"source_port"}, {"source_port", "outer_source"}),
        ({"source_address", "source_port"}, {"source_address", "source_port", "outer_source"}),
        ({"softwire"}, {"softwire"}),
        ({"lwaftr"}, {"lwaftr"}),
    ],
)
def test_what_is_sent_is_nobodys_or_anothers(table: Path, off: set[str], let_through: set[str]) -> None:
    """A device without a check lets through what that is for, so that it is no own softwire."""
    found = outcomes(f'{LW4O6["lw4o6 lwaftr"]}\nsoftwires.table = "{table}"', off)
    assert {name for name, outcome in found.items() if outcome.passed} == let_through
    some = {"outer_source", "source_address"}  # of other lwAFTRs too, which is still looked at
    assert all(found[name].passed == FRAMES for name in let_through - some)
    assert all(outcome.refused for name, outcome in found.items() if name not in let_through)
