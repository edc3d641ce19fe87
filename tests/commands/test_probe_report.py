from __future__ import annotations

import pytest

from xlatperf.commands.probe_report import report, without_addresses
from xlatperf.probe.observation import Observation

HOST = {
    "name": "router7.customer.example",
    "kernel": "6.1.0-13-amd64",
    "cpu": "AMD EPYC",
    "cpu_count": 4,
    "hypervisor": True,
    "memory": "8000000 kB",
    "clock_source": "tsc",
    "kernel_parameters": {
        "/proc/cmdline": "root=UUID=1234-5678 ip=192.0.2.7::192.0.2.1 isolcpus=2-3 hugepages=512 quiet",
        "/proc/sys/net/core/rmem_max": "212992",
    },
}
SOFTWARE = {"xlatperf": "0.2.0", "python": "3.11.2", "packages": {"numpy": "2.4.6", "rich": "15.0.0"}}


def test_what_an_issue_needs() -> None:
    found = [Observation("limited", "NIC 0000:01:00.0", "as eth1, which has 192.0.2.7", "advice isn't of interest")]
    assert list(report(HOST, SOFTWARE, "Debian GNU/Linux 12 (bookworm)", found)) == [
        "xlatperf 0.2.0, Python 3.11.2; numpy 2.4.6, rich 15.0.0",
        "Debian GNU/Linux 12 (bookworm), Linux 6.1.0-13-amd64",
        "4 x AMD EPYC (a virtual machine), 8000000 kB, clock tsc",
        "/proc/cmdline isolcpus=2-3 hugepages=512",
        "/proc/sys/net/core/rmem_max 212992",
        "limited  NIC 0000:01:00.0: as eth1, which has (an address)",
    ]


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("eth0 has 10.1.2.3/24, and 2001:db8::1.", "eth0 has (an address)/24, and (an address)."),
        (
            "fe80::1:2: no route; ::1 is one; 2001:db8:: too",
            "(an address): no route; (an address) is one; (an address) too",
        ),
        ("02:00:5e:10:00:00 and 02:00:5E:10:00:0A", "(a MAC address) and (a MAC address)"),
        ("version 22.11.11, at 0000:01:00.0: use it", "version 22.11.11, at 0000:01:00.0: use it"),
        ("4.0 GB at 10:30, e.g. dead:beef", "4.0 GB at 10:30, e.g. dead:beef"),
    ],
)
def test_no_addresses(text: str, kept: str) -> None:
    assert without_addresses(text) == kept
