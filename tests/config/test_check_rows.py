"""R7596-6.1: public addresses of a binding table's file are the lwB4s' alone, each fault in one line."""

from __future__ import annotations

from pathlib import Path

import pytest

from xlatperf.config.errors import BenchError
from xlatperf.config.load import load_bench

HEADER = "ipv6,ipv4,psid_offset,psid_length,psid,lwaftr\n"
RIGHT = "2001:db8::1,192.0.2.1,0,6,1,2001:db8:ffff::1\n"
KEY = "technology.softwires.table: line 3: ipv4"


def written(folder: Path, address: str, more: str = "", ipv6: str = "2001:db8::2") -> Path:
    (folder / "s.csv").write_text(f"{HEADER}{RIGHT}{ipv6},{address},0,6,1,2001:db8:ffff::1\n")
    path = folder / "b.toml"
    path.write_text(f'technology = {{ name = "lw4o6", softwires = {{ table = "s.csv" }} }}\n{more}')
    return path


@pytest.mark.parametrize(
    ("address", "allowed"),
    [
        ("224.0.2.1", "addresses of hosts: no multicast, reserved, loopback, link-local or unspecified ones"),
        ("0.0.0.0", "addresses of hosts: no multicast, reserved, loopback, link-local or unspecified ones"),
        ("192.168.19.1", "an address outside of the link of tester.right.ipv4, 192.168.19.2/30"),
        ("198.19.0.2", "an address that isn't one of traffic.right.hosts.prefix, 198.19.0.0/24"),
    ],
)
def test_lines(tmp_path: Path, address: str, allowed: str) -> None:
    path = written(tmp_path, address)
    with pytest.raises(BenchError) as failed:
        load_bench(path)
    assert str(failed.value) == f"{path}: {KEY}: {address} is not allowed: {allowed}"


@pytest.mark.parametrize(
    ("ipv6", "allowed"),
    [
        *(
            (ipv6, "addresses of hosts: no multicast, reserved, loopback, link-local or unspecified ones")
            for ipv6 in ("ff02::1", "fe80::1", "febf::1", "::1", "::")
        ),
        ("2001:2:0:7fff::1", "another address than the DUT's, tester.left.gateway_ipv6"),
        ("2001:2:0:ffff::1", "another address than the DUT's, tester.right.gateway_ipv6"),
    ],
)
def test_an_lwb4_s_own_address(tmp_path: Path, ipv6: str, allowed: str) -> None:
    """Else its frames would be the DUT's own, and missing lwB4s the DUT's fault."""
    path = written(tmp_path, "192.0.2.2", ipv6=ipv6)
    with pytest.raises(BenchError) as failed:
        load_bench(path)
    assert str(failed.value) == f"{path}: technology.softwires.table: line 3: ipv6: {ipv6} is not allowed: {allowed}"


@pytest.mark.parametrize("ipv6", ["2001:2:0:7fff::2", "2001:db8::", "fe00::1", "fec0::1", "nonsense"])
def test_lwb4s_that_are_allowed(tmp_path: Path, ipv6: str) -> None:
    """The Tester's own; all zeros behind a prefix; beside the link-local ones."""
    load_bench(written(tmp_path, "192.0.2.2", ipv6=ipv6))


@pytest.mark.parametrize("address", ["192.168.19.5", "203.0.113.1", "192.0.2.2", "nonsense", "192.0.2.999", "é.1.2.3"])
def test_allowed(tmp_path: Path, address: str) -> None:
    """Beside the link, in the same /24; what is no address is the engine's to tell."""
    load_bench(written(tmp_path, address))


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    path = written(tmp_path, "192.0.2.2")
    (tmp_path / "s.csv").unlink()
    load_bench(path)


def test_a_device_that_is_an_lwb4(tmp_path: Path) -> None:
    """Its own row has its own address."""
    path = written(tmp_path, "192.0.2.2", ipv6="2001:2:0:ffff::1")
    path.write_text(
        path.read_text().replace('"lw4o6"', '"lw4o6-b4"').replace('"s.csv" }', '"s.csv", number = 1, psid_length = 6 }')
    )
    load_bench(path)
