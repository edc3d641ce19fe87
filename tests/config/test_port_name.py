"""Arguments that DPDK would leave aside silently, and queues that nobody would read, are refused; others are not."""

from __future__ import annotations

import pytest

from xlatperf.config.errors import BenchError
from xlatperf.config.load import parse_bench

BENCH = 'technology.name = "siit"\ndevice.driver = "manual"\ntester.right.port = "net_memif1"\n'
KNOWN = "role, socket, socket-abstract, id, rsize, bsize, mac, secret, zero-copy, owner-uid, owner-gid"


@pytest.mark.parametrize(
    "port",
    [
        "net_memif0,role=server,socket=/run/dut.sock,socket-abstract=no,id=0,rsize=11,bsize=2048,mac=02:00:00:00:00:01",
        "net_memif0",
        "net_memif0,zero-copy=yes,secret=abc,role=master",
        "net_af_packet0,iface=eth1,qdisc_bypass=1,qpairs=1",
        "net_mine0,rolle=x",
        "0000:01:00.0",
    ],
)
def test_right(port: str) -> None:
    assert parse_bench(f'{BENCH}tester.left.port = "{port}"', "b.toml").tester.left.port == port


@pytest.mark.parametrize(
    ("port", "line"),
    [
        ("net_memif0,rolle=client", f"rolle of net_memif0 is not allowed: the nearest is role of {KNOWN}"),
        ("net_memif0,queues=2", f"queues of net_memif0 is not allowed: {KNOWN}"),
        ("net_memif0,role=clint", "role of net_memif0: clint is not allowed: client or server"),
        ("net_memif0,role", "role of net_memif0: nothing is not allowed: client or server"),
        ("net_memif0,role=client,socket-abstract=0", "socket-abstract of net_memif0: 0 is not allowed: yes or no"),
        ("net_af_packet0,iface=t0,qpairs=2", "qpairs of net_af_packet0: 2 is not allowed: 1, the Tester's queue"),
        ("net_af_xdp1,iface=t0,queue_count=4", "queue_count of net_af_xdp1: 4 is not allowed: 1, the Tester's queue"),
    ],
)
def test_wrong(port: str, line: str) -> None:
    with pytest.raises(BenchError) as caught:
        parse_bench(f'{BENCH}tester.left.port = "{port}"', "b.toml")
    assert str(caught.value) == f"b.toml: tester.left.port: {line}"
