"""`xlatperf check` with ports that the user named."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.system.by_hand import by_hand
from tests.system.command import xlatperf
from tests.system.requirements import needs_root

SHORT = ("--duration", "0.1", "--timeout", "0.3")
JUMBO = 9000


@needs_root
def test_jumbo_frames_over_af_packet(tmp_path: Path) -> None:
    """Device.mtu is all that has to be said."""
    with by_hand(JUMBO) as router:
        bench = router.bench(f"device.mtu = {JUMBO}") + '[[measure]]\nprocedure = "throughput"\nframe_sizes = [9018]\n'
        (tmp_path / "bench.toml").write_text(bench)
        ended = xlatperf("check", "bench.toml", *SHORT, folder=tmp_path)
    assert ended.code == 0, ended.output


@needs_root
def test_jumbo_frames_over_a_tap(tmp_path: Path) -> None:
    """DPDK's driver takes no frames of more than 1522 bytes: said before anything is lost."""
    with by_hand(JUMBO) as router:
        bench = router.bench(f"device.mtu = {JUMBO}")
        for number, interface in enumerate(("t0", "t1")):
            bench = bench.replace(f"net_af_packet{number},iface={interface}", f"net_tap{number},iface=x{number}")
        (tmp_path / "bench.toml").write_text(bench)
        ended = xlatperf("check", "bench.toml", *SHORT, folder=tmp_path)
    assert ended.code == 2
    assert (
        "tester.left.port: net_tap0,iface=x0 is not allowed: a port that carries an MTU of 9000, as device.mtu says: "
        "net_tap has 1500; a veth with net_af_packet does"
    ) in ended.output


def test_a_memif_that_nobody_is_connected_to(tmp_path: Path) -> None:
    socket = f"role=server,socket={tmp_path}/m.sock,socket-abstract=no"
    ports = "".join(
        f'tester.{side}.port = "net_memif{number},{socket},id={number}"\n'
        for number, side in enumerate(("left", "right"))
    )
    (tmp_path / "bench.toml").write_text(f'technology.name = "native"\ndevice.driver = "manual"\n{ports}')
    ended = xlatperf("check", "bench.toml", *SHORT, folder=tmp_path)
    assert ended.code == 2
    assert "nobody is connected to the other end of its socket: does the device run" in ended.output
    assert "\nbench.toml: tester.left.port: net_memif0,role=server" in ended.output


@needs_root
@pytest.mark.parametrize("before", ["off", "on"])
def test_an_interface_is_promiscuous_afterwards_if_it_was_before(tmp_path: Path, before: str) -> None:
    with by_hand() as router:
        (tmp_path / "bench.toml").write_text(router.bench())
        router.testbed.tester.run(("ip", "link", "set", "t0", "promisc", before))
        ended = xlatperf("check", "bench.toml", *SHORT, folder=tmp_path)
        flags = router.testbed.tester.run(("ip", "link", "show", "t0"))
    assert ended.code == 0, ended.output
    assert ("PROMISC" in flags) == (before == "on")
