"""Arguments that DPDK would leave aside silently, and queues that nobody would read, are refused; others are not."""

from __future__ import annotations

import pytest

from xlatperf.config.errors import BenchError
from xlatperf.config.load import parse_bench
from xlatperf.keys.port_name import PORT_ALLOWED

BENCH = 'technology.name = "siit"\ndevice.driver = "manual"\ntester.right.port = "net_memif1"\n'
OF_AF_PACKET = "iface, qpairs, blocksz, framesz, framecnt, qdisc_bypass, fanout_mode"
KNOWN = "role, socket, socket-abstract, id, rsize, bsize, mac, secret, zero-copy, owner-uid, owner-gid"


@pytest.mark.parametrize(
    "port",
    [
        "net_memif0,role=server,socket=/run/dut.sock,socket-abstract=no,id=0,rsize=11,bsize=2048,mac=02:00:00:00:00:01",
        "net_memif0",
        "net_memif0,zero-copy=yes,secret=abc,role=master",
        "net_af_packet0,iface=eth1,qdisc_bypass=1,qpairs=1",
        "net_mine0,rolle=x",
        "net_tap0,iface=t9",
        "net_tap0,mac=02:00:00:00:00:01,persist",
        "net_af_packet0,iface=t0,framesz=2048,blocksz=131072",
        "net_af_packet0,iface=t0,blocksz=8192",
        "0000:01:00.0",
        "0000:01:00.0,mprq_en=1",
        "auxiliary:mlx5_core.sf.4",
        "dpni.1",
    ],
)
def test_right(port: str) -> None:
    assert parse_bench(f'{BENCH}tester.left.port = "{port}"', "b.toml").tester.left.port == port


@pytest.mark.parametrize(
    ("port", "line"),
    [
        ("net_memif0,rolle=client", f"net_memif0: rolle is not allowed: the nearest is role of {KNOWN}"),
        ("net_memif0,queues=2", f"net_memif0: queues is not allowed: {KNOWN}"),
        ("net_memif0,role=clint", "role of net_memif0: clint is not allowed: client or server"),
        ("net_memif0,role", "role of net_memif0: nothing is not allowed: client or server"),
        ("net_memif0,role=client,socket-abstract=0", "socket-abstract of net_memif0: 0 is not allowed: yes or no"),
        (
            "net_af_packet0,iface=t0,framsz=2048",
            f"net_af_packet0: framsz is not allowed: the nearest is framesz of {OF_AF_PACKET}",
        ),
        (
            "net_af_packet0, iface=t0",
            f'net_af_packet0: " iface" is not allowed: the nearest is iface of {OF_AF_PACKET}',
        ),
        ("net_af_packet0", "net_af_packet0: missing: iface=INTERFACE"),
        ("net_af_xdp0,busy_budget=0", "net_af_xdp0: missing: iface=INTERFACE"),
        ("net_af_packet0,iface=", "iface of net_af_packet0: nothing is not allowed: an interface"),
        ("net_af_packet0,iface=t0,framecnt=abc", "framecnt of net_af_packet0: abc is not allowed: a whole number"),
        ("net_af_xdp0,iface=t0,force_copy=yes", "force_copy of net_af_xdp0: yes is not allowed: 0 or 1"),
        ("net_af_paket0,iface=t0", "driver: net_af_paket is not allowed: the nearest is net_af_packet"),
        (
            "net_tap0,iface=a-name-of-16-chr",
            "iface of net_tap0: a-name-of-16-chr is not allowed: a name of at most 15 characters",
        ),
        ("net_tap0,mac=zz", "mac of net_tap0: zz is not allowed: fixed, or the port's MAC address"),
        ("net_tap0,name=t0", "net_tap0: name is not allowed: iface, remote, mac, persist"),
        (
            "net_af_packet0,iface=t0,blocksz=5000",
            "blocksz of net_af_packet0: 5000 is not allowed: a multiple of framesz, 2048, and of 4096",
        ),
        (
            "net_af_packet0,iface=t0,framesz=2000",
            "framesz of net_af_packet0: 2000 is not allowed: a divisor of blocksz, which is 4096 where it isn't given",
        ),
        (
            "net_af_packet0,iface=t0,framesz=0",
            "framesz of net_af_packet0: 0 is not allowed: a divisor of blocksz, which is 4096 where it isn't given",
        ),
        ("t0", f"t0 is not allowed: {PORT_ALLOWED}; of an interface t0: net_af_packet0,iface=t0"),
        (
            "ens1f0np0",
            f"ens1f0np0 is not allowed: {PORT_ALLOWED}; of an interface ens1f0np0: net_af_packet0,iface=ens1f0np0",
        ),
        ("", f'"" is not allowed: {PORT_ALLOWED}'),
        (" 0000:01:00.0", f'" 0000:01:00.0" is not allowed: {PORT_ALLOWED}'),
        ("net_af_packet0,iface=t0,qpairs=2", "qpairs of net_af_packet0: 2 is not allowed: 1, as tester.queues says"),
        (
            "net_af_xdp1,iface=t0,queue_count=4",
            "queue_count of net_af_xdp1: 4 is not allowed: 1, as tester.queues says",
        ),
    ],
)
def test_wrong(port: str, line: str) -> None:
    with pytest.raises(BenchError) as caught:
        parse_bench(f'{BENCH}tester.left.port = "{port}"', "b.toml")
    assert str(caught.value) == f"b.toml: tester.left.port: {line}"


def test_as_many_queues_as_the_tester() -> None:
    ports = ["net_af_packet0,iface=t0,qpairs=3", "net_af_xdp0,iface=t0,queue_count=3", "0000:01:00.0", "net_memif0"]
    for port in ports:
        text = f'{BENCH}tester.left.port = "{port}"\ntester.queues = 3'
        assert parse_bench(text, "b.toml").tester.queues == 3
    with pytest.raises(BenchError) as caught:
        parse_bench(f'{BENCH}tester.left.port = "net_af_packet0,iface=t0"\ntester.queues = 3', "b.toml")
    wrong = "qpairs of net_af_packet0: 1 is not allowed: 3, as tester.queues says"
    assert str(caught.value) == f"b.toml: tester.left.port: {wrong}"
    with pytest.raises(BenchError) as caught:
        parse_bench(f'{BENCH}tester.queues = 3\ndevice.left_port = "net_af_packet0,iface=t0"', "b.toml")
    assert str(caught.value) == f"b.toml: device.left_port: {wrong}"


def test_where_ports_have_one_queue_only() -> None:
    with pytest.raises(BenchError) as caught:
        parse_bench('technology.name = "siit"\ndevice.driver = "reference"\ntester.queues = 2', "b.toml")
    assert str(caught.value) == (
        "b.toml: tester.queues: 2 is not allowed: 1 with driver = reference: the reference device's ports have no more"
    )
