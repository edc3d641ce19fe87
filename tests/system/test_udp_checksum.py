"""RFC 7915 §4.5: IPv4 UDP sent without a checksum, to devices that compute it, drop it, or leave it so."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.system.command import xlatperf
from tests.system.requirements import needs_nft, needs_root, needs_tayga
from tests.system.trials import RELAXED

CHECK = ("--rate", "1000", "--duration", "0.1", "--timeout", "0.3", "--hold", "0")
WITHOUT = "traffic.udp_checksum = false\n"
REFERENCE = 'device.driver = "reference"\n'
COMPUTES = 'device.udp_checksum_zero = "compute"\n'
NATIVE = 'technology = { name = "native", family = "ipv4" }\ndevice.driver = "linux"\n'
TWICE = 'technology = { name = "native", double_translation = true }\ntraffic.hops = "learn"\n'
MAY_DROP = "Verdict: the DUT drops IPv4 UDP without a checksum instead of computing it, as it may (RFC 7915 §4.5"


@pytest.mark.parametrize(
    "bench",
    [
        REFERENCE + COMPUTES + 'technology.name = "siit"\ntraffic.mix = [[1, 2]]\n',
        REFERENCE + COMPUTES + 'technology.name = "map-t"\n',
        REFERENCE + COMPUTES + 'technology.name = "nat64"\n',
        REFERENCE + COMPUTES + TWICE,
        REFERENCE + COMPUTES + 'technology = { name = "nat44", double_translation = true }\n',
        *(REFERENCE + f'technology.name = "{of}"\n' for of in ("map-e", "lw4o6", "dslite", "nat44", "dslite-b4")),
        pytest.param(NATIVE, marks=needs_root),
        pytest.param('technology.name = "nat44"\ndevice.driver = "nft-nat44"\n', marks=[needs_root, needs_nft]),
    ],
    ids=lambda bench: " ".join(bench.split('"')[1::2]),
)
def test_right(bench: str, tmp_path: Path) -> None:
    """Verified frame by frame: a checksum behind a translator, none behind all others."""
    (tmp_path / "b.toml").write_text(WITHOUT + bench + RELAXED)
    ended = xlatperf("check", "b.toml", *CHECK, folder=tmp_path)
    assert ended.code == 0, ended.output
    assert "udp_checksum" not in ended.output


@pytest.mark.parametrize(
    "bench",
    [
        REFERENCE + 'technology.name = "siit"\n',
        REFERENCE + 'technology.name = "map-t"\ntraffic.mix = [[1, 2]]\n',
        REFERENCE + TWICE,
        pytest.param(
            'technology.name = "siit"\ndevice.driver = "tayga"\ntraffic.hops = 3\n', marks=[needs_root, needs_tayga]
        ),
    ],
    ids=["siit", "map-t", "twice", "tayga"],
)
def test_dropped(bench: str, tmp_path: Path) -> None:
    """Told apart from all else that may lose frames: the same with a checksum come."""
    (tmp_path / "b.toml").write_text(WITHOUT + bench + RELAXED)
    ended = xlatperf("check", "b.toml", *CHECK, folder=tmp_path)
    assert ended.code == 1, ended.output
    assert MAY_DROP in ended.output
    assert ", with a UDP checksum" in ended.output


def test_a_stateful_translator_must_compute_it(tmp_path: Path) -> None:
    """RFC 6146 §3.4: here nothing is said to be allowed."""
    (tmp_path / "b.toml").write_text(WITHOUT + REFERENCE + 'technology.name = "nat64"\n' + RELAXED)
    ended = xlatperf("check", "b.toml", *CHECK, folder=tmp_path)
    assert ended.code == 1
    assert "RFC 6146 §3.4 has a stateful translator compute it" in ended.output
    assert MAY_DROP not in ended.output


def test_nothing_is_ipv4(tmp_path: Path) -> None:
    (tmp_path / "b.toml").write_text(WITHOUT + 'technology = { name = "native", family = "ipv6" }\n')
    ended = xlatperf("check", "b.toml", folder=tmp_path)
    line = "b.toml: traffic.udp_checksum: false is not allowed: true where all frames are IPv6 (RFC 8200 §8.1)"
    assert line in ended.output


def test_a_device_that_translates_nothing(tmp_path: Path) -> None:
    (tmp_path / "b.toml").write_text(WITHOUT + REFERENCE + COMPUTES + 'technology.name = "map-e"\n' + RELAXED)
    ended = xlatperf("check", "b.toml", *CHECK, folder=tmp_path)
    assert ended.code == 2
    assert "device.udp_checksum_zero: not with this technology" in ended.output


def test_lost_for_another_reason(tmp_path: Path) -> None:
    """Never blame the checksum for what happens with one, too."""
    drops = "device.impair.reverse.drop.every = 1\n"
    (tmp_path / "b.toml").write_text(WITHOUT + REFERENCE + COMPUTES + drops + 'technology.name = "siit"\n' + RELAXED)
    ended = xlatperf("check", "b.toml", *CHECK, folder=tmp_path)
    assert ended.code == 1, ended.output
    assert ", with a UDP checksum" in ended.output
    assert "reverse foreground: all 100 frames lost: all forward frames came" in ended.output
    assert "without a checksum" not in ended.output
