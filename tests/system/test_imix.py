"""Several frame sizes as one traffic (RFC 6985) by the reference device and TAYGA: each is right in its size."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.system.campaigns import campaign
from tests.system.command import xlatperf
from tests.system.requirements import needs_root, needs_tayga
from tests.system.trials import RELAXED

SHORT = ("--rate", "3000", "--duration", "0.2", "--timeout", "0.3")
IMIX = "{ sizes = [112, 594, 1400], weights = [7, 4, 1] }"
MEASURE = f'[[measure]]\nprocedure = "throughput"\nframe_sizes = [{IMIX}]\n'
QUICK = "repetitions = 1\ntimeout_s = 0.2\nsettle_s = 0\nlearning_wait_s = 0\nretries = 5\n"
REFERENCE = f'device.driver = "reference"\ntraffic.mix = [[1, 1], [1, 2]]\n{RELAXED}'


@pytest.mark.parametrize(
    "bench",
    [
        *(f'technology.name = "{of}"\n{REFERENCE}{MEASURE}' for of in ("siit", "map-e", "map-t", "lw4o6", "dslite-b4")),
        *(
            f'technology.name = "{of}"\n{REFERENCE}{MEASURE}connections = [100]\nestablish_fps = 1000\n'
            for of in ("nat44", "nat64", "dslite", "map-e-ce", "lw4o6-b4")
        ),
        f'technology.name = "siit"\ntraffic.frame_size_of = "sender"\ntester.right.vlan = 7\n{REFERENCE}{MEASURE}',
        pytest.param(
            'technology.name = "siit"\ndevice.driver = "tayga"\ntraffic.hops = 3\n' + RELAXED + MEASURE,
            marks=[needs_root, needs_tayga],
        ),
    ],
    ids=lambda bench: bench.split('"')[1] + (" of the sender" if "sender" in bench else ""),
)
def test_all_come_back(bench: str, tmp_path: Path) -> None:
    (tmp_path / "b.toml").write_text(bench)
    ended = xlatperf("check", "b.toml", *SHORT, folder=tmp_path)
    assert ended.code == 0, ended.output
    assert "7x112+4x594+1x1400 bytes in turn, " in ended.output


def test_what_a_device_does_to_one_of_them_is_seen(tmp_path: Path) -> None:
    """Every 100th frame forward is damaged, every 50th back lost, whatever their size."""
    bench = f"""
technology.name = "siit"
[device]
driver = "reference"
[device.impair]
forward.corrupt = [{{ what = "payload", every = 100 }}]
reverse.drop.every = 50
{RELAXED}
[[measure]]
procedure = "frame_loss"
frame_sizes = [{IMIX}]
rates_fps = [3000]
duration_s = 1
{QUICK}"""
    results = campaign(tmp_path, bench, wrong=True).results
    (sweep,) = results["measurements"]
    assert (sweep["frame_size"]["left"], sweep["frame_size"]["right"]) == (380, 360)
    assert sweep["frame_size"]["mixed"] == {
        "text": "7x112+4x594+1x1400",
        "shares": [
            {"left": size, "right": size - 20, "frames": frames} for size, frames in ((112, 7), (594, 4), (1400, 1))
        ],
    }
    mean = (7 * 112 + 4 * 594 + 1400) / 12
    assert sweep["theoretical_maximum_fps"] == pytest.approx(10e9 / (8 * (mean + 20)))
    (trial,) = (one for one in results["trials"] if one["valid"])
    assert trial["forward"]["foreground"]["wrong"]["payload"] == 30
    assert trial["reverse"]["foreground"]["lost"] >= 60


def test_connections_have_them_too(tmp_path: Path) -> None:
    """RFC 9693: phase 1 and phase 2 of a stateful DUT; frames back go to whom it translated the clients."""
    bench = f"""
technology.name = "nat44"
device.driver = "reference"
traffic.connections.client_ports = {{ first = 1024, last = 1123 }}
traffic.connections.server_ports = {{ first = 1, last = 10 }}
{RELAXED}
[[measure]]
procedure = "frame_loss"
connections = [1000]
establish_fps = 3000
frame_sizes = [{IMIX}]
rates_fps = [4000]
duration_s = 1
{QUICK}"""
    results = campaign(tmp_path, bench).results
    trial = next(one for one in reversed(results["trials"]) if one["valid"] and one["request"]["purpose"] != "check")
    for direction in ("forward", "reverse"):
        of = trial[direction]["foreground"]
        assert of["sent"] == 4000
        assert of["expected"] + of["lost"] == 4000
