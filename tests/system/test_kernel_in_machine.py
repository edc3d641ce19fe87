"""The host's own devices in a virtual machine, by one key more: its kernel, its NAT, TAYGA."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.lab.machine.requirements import needs_machine
from tests.long import more, only_long
from tests.system.command import REPOSITORY, xlatperf
from tests.system.requirements import needs_root
from tests.system.test_linux import CHECK

pytestmark = [needs_root, needs_machine]

SHORT = "tayga-nat64"
"""TAYGA and a NAT."""
OTHERS = ("linux-ipv4", "linux-ipv6", "nft-nat44", "nft-nat66", "tayga-siit")


@pytest.mark.parametrize("name", [SHORT, *(pytest.param(name, marks=[more, only_long]) for name in OTHERS)])
def test_check(name: str, tmp_path: Path) -> None:
    text = (REPOSITORY / "examples" / f"{name}.toml").read_text(encoding="utf-8")
    assert text.count("[device]\n") == 1
    (tmp_path / "b.toml").write_text(text.replace("[device]\n", "[device]\nmachine = true\n"), encoding="utf-8")
    ended = xlatperf("check", tmp_path / "b.toml", *CHECK, "--hold", "0.3", folder=tmp_path)
    assert ended.code == 0, ended.output
    assert "ll frames came back as they must" in ended.output
