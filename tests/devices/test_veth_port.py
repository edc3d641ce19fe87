from __future__ import annotations

import pytest

from xlatperf.devices import veth_port
from xlatperf.devices.device import DeviceError


@pytest.mark.parametrize(
    ("mtu", "slot", "block"),
    [
        (1280, 1472, 94208),
        (1500, 1600, 102400),
        (1900, 1984, 126976),
        (1901, 2048, 4096),
        (1964, 2048, 4096),
        (1965, 2064, 528384),
        (9000, 9088, 290816),
    ],
)
def test_af_packet_has_room_for_the_largest_frame(mtu: int, slot: int, block: int) -> None:
    name = veth_port.name("af_packet", 1, "t1", mtu)
    assert name == f"net_af_packet1,iface=t1,blocksz={block},framesz={slot},framecnt=4096,qdisc_bypass=1"
    assert 4096 % (block // slot) == 0


def test_several_queues() -> None:
    assert veth_port.name("af_packet", 0, "t0", 1500, 2).endswith(",qdisc_bypass=1,qpairs=2")
    with pytest.raises(DeviceError, match="af_xdp has one queue here, not 2"):
        veth_port.name("af_xdp", 0, "t0", 1500, 2)


def test_af_xdp() -> None:
    assert veth_port.name("af_xdp", 0, "t0", 1500) == "net_af_xdp0,iface=t0,busy_budget=0"
    with pytest.raises(DeviceError, match="an MTU of at most 3400, not 9000"):
        veth_port.name("af_xdp", 0, "t0", 9000)


def test_unknown_driver() -> None:
    with pytest.raises(DeviceError, match=r"tester\.port_driver: pcap is not allowed: af_packet, af_xdp"):
        veth_port.name("pcap", 0, "t0", 1500)
