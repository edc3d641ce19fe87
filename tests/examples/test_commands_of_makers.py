"""Commands that count connections on devices that nobody here has, against what their makers' pages show as output."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from xlatperf.config.load import load_bench
from xlatperf.devices.manual import Manual

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
SHOWN = {
    "manual-openbsd-pf": (
        "State Table                          Total             Rate\n"
        "  current entries                      123               \n"
        "  searches                        73482091           62.3/s\n",
        "123",
    ),
    "manual-cisco-nat64": (
        "NAT64 Statistics\n\nTotal active translations: 3100 (1 static, 3099 dynamic; 1 extended)\n"
        "Sessions found: 518938\n",
        "3100",
    ),
    "manual-juniper-nat44": (
        "Unicast-sessions: 2\nMulticast-sessions: 0\nFailed-sessions: 0\nSessions-in-use: 9\n  Valid sessions: 7\n"
        "  Pending sessions: 0\n  Invalidated sessions: 2\nMaximum-sessions: 2097152\n",
        "7",
    ),
    "manual-huawei-dslite": (
        "<AFTR>display nat session table slot 1\r\nThis operation will take a few minutes. Press 'Ctrl+C' to break\r\n"
        "Slot: 1\r\nCurrent total sessions: 709.\r\nudp: 10.1.0.253:28195[192.0.2.0:1723]-->*:*\r\n",
        "709",
    ),
}


@pytest.mark.parametrize("name", SHOWN)
def test_what_is_counted(name: str, tmp_path: Path) -> None:
    shown, count = SHOWN[name]
    (tmp_path / "shown").write_text(shown, encoding="utf-8", newline="")
    ssh = tmp_path / "ssh"
    ssh.write_text(f"#!/bin/sh\ncat {tmp_path}/shown\n", encoding="utf-8")
    ssh.chmod(0o755)
    device = load_bench(EXAMPLES / f"{name}.toml").device
    assert isinstance(device, Manual)
    assert device.count_command is not None
    environment = {**os.environ, "PATH": f"{tmp_path}:{os.environ['PATH']}"}
    ended = subprocess.run(
        ["/bin/sh", "-c", device.count_command], env=environment, capture_output=True, text=True, check=True, timeout=10
    )
    assert ended.stdout.strip() == count


def test_each_says_that_it_is_not_tried() -> None:
    for path in (*(EXAMPLES / f"{name}.toml" for name in SHOWN), EXAMPLES / "manual-map646.toml"):
        assert "Not tried here" in path.read_text(encoding="utf-8")
