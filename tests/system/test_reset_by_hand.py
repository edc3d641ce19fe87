"""Reset (RFC 6201) of a device that is reached by commands only, and that comes back with another MAC address."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tests.system.by_hand import ByHand, by_hand
from tests.system.command import xlatperf
from tests.system.requirements import needs_root
from xlatperf.lab.link_addresses import DUT_MACS

pytestmark = needs_root

NEW = "02:00:00:00:00:99"
OFF, ON = "sysctl -qw net.ipv4.ip_forward=0", "sysctl -qw net.ipv4.ip_forward=1"
MOVED = f"{OFF}; ip link set d0 address {NEW}; sleep 0.3; {ON}"
RESET = """
[[measure]]
procedure = "reset"
rate_fps = 500
duration_s = 3
event_at_s = 0.5
frame_sizes = [64]
timeout_s = 0.1
settle_s = 0
learning_wait_s = 0
repetitions = 2
"""


def reset(folder: Path, device: ByHand, restart: str, *lines: str) -> dict[str, Any]:
    """Results of a campaign with one reset, repeated once."""
    commands = device.device(restart_command=restart)
    (folder / "bench.toml").write_text(device.bench(*commands, *lines) + RESET)
    ended = xlatperf("run", "bench.toml", "--folder", "c", "--skip-selftest", folder=folder)
    results: dict[str, Any] = json.loads((folder / "c" / "results.json").read_text())
    assert ended.code == 0 or "no result" in ended.output, ended.output
    return results


def test_a_device_that_comes_back_with_another_mac_address(tmp_path: Path) -> None:
    """R6201-4: the Tester asks again while nothing comes back, and goes on; then it knows the new address."""
    with by_hand() as device:
        results = reset(tmp_path, device, MOVED)
    first, second = results["trials"]
    assert first["moved_gateways"] == [
        {
            "side": "left",
            "family": "ipv4",
            "gateway": "192.168.18.1",
            "sent_to": DUT_MACS["left"],
            "answers_from": NEW,
            "given": False,
        }
    ]
    assert second["moved_gateways"] == []
    for trial in results["trials"]:
        assert trial["valid"]
        for direction in ("forward", "reverse"):
            frames = trial[direction]["foreground"]
            assert 0.2 < frames["lost"] / 500 < 2.4
            assert frames["expected"] + frames["lost"] == frames["sent"]
    (measured,) = results["measurements"]
    said = json.dumps(measured)
    assert f"left: 192.168.18.1 came back with the MAC address {NEW} instead of {DUT_MACS['left']}" in said
    assert "did not forward again" not in said


def test_with_a_given_mac_address_nothing_can_be_followed(tmp_path: Path) -> None:
    with by_hand() as device:
        results = reset(tmp_path, device, MOVED, f'tester.left.gateway_mac = "{DUT_MACS["left"]}"')
    said = json.dumps(results["measurements"])
    assert f"but frames went on to {DUT_MACS['left']}, which tester.left.gateway_mac of the bench file says" in said
    assert "did not forward again" in said
    assert results["trials"][0]["moved_gateways"][0]["given"] is True
