"""`xlatperf check` of a stateful device whose pool isn't the bench file's: both are shown, the key is named."""

from __future__ import annotations

import re
from pathlib import Path

from tests.system.command import xlatperf
from tests.system.requirements import needs_nft, needs_root
from tests.system.test_stateful_kernel import Nat, kernel_nat
from xlatperf.lab.tester_side import TESTER_PORTS

SHORT = ("--duration", "0.1", "--timeout", "0.3")
FRAMES = 200


def check(folder: Path, text: str) -> str:
    (folder / "bench.toml").write_text(text)
    ended = xlatperf("check", "bench.toml", *SHORT, folder=folder)
    assert ended.code == 1, ended.output
    assert "All frames came back" not in ended.output
    return ended.output


def explained(output: str, source: str, pool: str) -> None:
    """All frames of phase 1 have such a source; phase 2 isn't tried, and nothing else is blamed."""
    reason = (
        f"forward foreground: {FRAMES} of {FRAMES} frames: outside_pool: the frame comes from an address or port that "
        "the DUT may not give to a client"
    )
    assert reason in output
    assert re.search(
        rf"for instance frame \d+: source {re.escape(source)} port \d+, expected {re.escape(pool)}, ", output
    )
    assert "one frame back" not in output
    assert "frames lost" not in output


def test_another_pool_than_the_reference_devices(tmp_path: Path) -> None:
    bench = """
        technology = { name = "nat66", pool = { first = "2001:2:0:9000::1" } }
        device = { driver = "reference", impair.forward.outside_pool.every = 1 }"""
    output = check(tmp_path, bench)
    explained(output, "2001:2:0:9000::", "2001:2:0:9000::1")
    assert 'the reference device has orders for forward: {"outside_pool": {"every": 1}}' in output


def test_a_full_table(tmp_path: Path) -> None:
    """R9693-4.9: neither neighbours nor routes are to blame where the first connections work and the later don't."""
    bench = """
        technology.name = "nat44"
        device = { driver = "reference", state = { entries = 40, mapping = "address_and_port_dependent" } }"""
    output = check(tmp_path, bench)
    assert "The DUT opened the first 40 of 200 connections and none after them: its table is full; it counts" in output
    assert "neighbours" not in output


def by_hand(nat: Nat) -> str:
    """A bench file for a device that somebody else has set up, with another address of the pool than it has."""
    return f"""
        technology = {{ name = "nat44", pool = {{ first = "198.18.0.9" }} }}
        [device]
        driver = "manual"
        namespace = "{nat.testbed.tester.name}"
        clear_command = "true"
        [tester.left]
        port = "net_af_packet0,iface={TESTER_PORTS["left"]}"
        ipv4 = "192.168.18.2/30"
        gateway_ipv4 = "192.168.18.1"
        [tester.right]
        port = "net_af_packet1,iface={TESTER_PORTS["right"]}"
        ipv4 = "192.168.19.2/30"
        gateway_ipv4 = "192.168.19.1"
        """


@needs_root
@needs_nft
def test_another_pool_than_the_kernels(tmp_path: Path) -> None:
    with kernel_nat() as nat:
        bench = by_hand(nat)
        nat.engine.close()
        explained(check(tmp_path, bench), "198.18.0.1", "198.18.0.9")
        nat.testbed.dut.run(("nft", "flush", "ruleset"))
        output = check(tmp_path, bench)
    explained(output, "10.0.0.2", "198.18.0.9")
    assert "with the client's own address as the source, the DUT routes but does not translate" in output
