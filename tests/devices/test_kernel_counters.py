from __future__ import annotations

from xlatperf.devices import kernel_counters

SNMP = """Ip: Forwarding DefaultTTL InHdrErrors InAddrErrors OutNoRoutes
Ip: 1 64 3 0 7
Icmp: InMsgs InErrors
Icmp: 1 0
"""
SNMP6 = (
    "Ip6InReceives                   \t12\nIp6InNoRoutes                   \t5\nIcmp6InMsgs                     \t9\n"
)


def test_counters_in_words() -> None:
    assert kernel_counters.explain(kernel_counters.parse_snmp(SNMP)) == [
        "the DUT's kernel dropped 3 packets (IPv4 InHdrErrors): wrong headers or a hop limit that ran out",
        "the DUT's kernel dropped 7 packets (IPv4 OutNoRoutes): destinations without a route",
    ]
    assert kernel_counters.explain(kernel_counters.parse_snmp6(SNMP6)) == [
        "the DUT's kernel dropped 5 packets (IPv6 InNoRoutes): destinations without a route"
    ]


def test_nothing_to_read() -> None:
    assert kernel_counters.parse_snmp("") == {}
    assert kernel_counters.parse_snmp6("") == {}


def test_softnet_counts_in_hexadecimal() -> None:
    assert kernel_counters.parse_softnet("00000001 0000000a 00000000\n00000001 00000010 00000000\n") == 26
