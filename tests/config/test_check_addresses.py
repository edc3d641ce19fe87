"""Bench files whose addresses contradict each other: each with its line."""

from __future__ import annotations

import re

import pytest

from xlatperf.config.errors import BenchError
from xlatperf.config.load import parse_bench

NATIVE = 'technology = { name = "native", family = "ipv4" }\n'
NATIVE6 = 'technology = { name = "native", family = "ipv6" }\n'
SIIT = 'technology.name = "siit"\n'
NAT = 'technology.name = "nat44"\n'
AFTR = 'technology.name = "dslite"\n'
NAT64 = 'technology.name = "nat64"\n'
MAP = 'technology.name = "map-e"\n'
CE = 'technology = { name = "map-t", role = "ce" }\n'
LW = 'technology.name = "lw4o6"\n'
MIXED = "traffic.mix = [[1, 2]]\n"
SIDES = ("left", "right")
HOSTS = "addresses of hosts: no multicast, reserved, loopback, link-local or unspecified ones"


@pytest.mark.parametrize(
    ("text", "place", "value", "allowed"),
    [
        (
            f'{NATIVE}traffic.right.hosts.prefix = "198.18.0.0/24"',
            "traffic.right.hosts.prefix",
            "198.18.0.0/24",
            "addresses on the right alone: those of traffic.left.hosts.prefix are on the left",
        ),
        (
            f'{SIIT}traffic.left.hosts = {{ prefix = "198.18.254.0/24", networks = 256 }}',
            "traffic.right.hosts.prefix",
            "198.19.0.0/24",
            "addresses on the right alone: those of traffic.left.hosts.prefix are on the left",
        ),
        (
            f'{NATIVE}{MIXED}traffic.right.background_hosts.prefix = "2001:2:0:1000::/64"',
            "traffic.right.background_hosts.prefix",
            "2001:2:0:1000::/64",
            "addresses on the right alone: those of traffic.left.background_hosts.prefix are on the left",
        ),
        (
            f'{MAP}traffic.right.hosts.prefix = "198.18.0.0/25"',
            "traffic.right.hosts.prefix",
            "198.18.0.0/25",
            "addresses outside of technology.domains[0].ipv4, 198.18.0.0/24, which are on the left",
        ),
        (
            f'{CE}traffic.right.hosts.prefix = "198.18.0.0/25"',
            "traffic.right.hosts.prefix",
            "198.18.0.0/25",
            "addresses outside of technology.domains[0].ipv4, 198.18.0.0/24, which are on the left",
        ),
        (
            f'{MAP}{MIXED}traffic.right.background_hosts.prefix = "2001:2:0:2000::/64"',
            "traffic.right.background_hosts.prefix",
            "2001:2:0:2000::/64",
            "addresses outside of technology.domains[0].ipv6, 2001:2:0:2000::/51, which are on the left",
        ),
        (
            f'{LW}traffic.right.hosts.prefix = "198.18.0.0/25"',
            "traffic.right.hosts.prefix",
            "198.18.0.0/25",
            "addresses outside of technology.softwires.ipv4, 198.18.0.0/24, which are on the left",
        ),
        (
            f'{NAT}traffic.connections.servers.first = "10.0.0.2"',
            "traffic.connections.servers.first",
            "10.0.0.2",
            "addresses on the right alone: those of traffic.connections.clients.first are on the left",
        ),
        (
            f'{NAT}technology.pool = {{ first = "10.0.0.1", addresses = 4 }}',
            "technology.pool.first",
            "10.0.0.1",
            "addresses on the right alone: those of traffic.connections.clients.first are on the left",
        ),
        (
            f'{NAT}technology.pool.first = "224.0.0.9"',
            "technology.pool.first",
            "224.0.0.9",
            "addresses that packets can be sent to",
        ),
        (
            f"{NATIVE}traffic.left.hosts.hosts = 255",
            "traffic.left.hosts.hosts",
            "255",
            "at most 254, as many as 198.18.0.0/24 has from number 2 on",
        ),
        (
            f'{NATIVE}traffic.right.hosts = {{ prefix = "198.19.0.0/16", networks = 1, host = 1, hosts = 65536 }}',
            "traffic.right.hosts.hosts",
            "65536",
            "at most 65535, as many as 198.19.0.0/16 has from number 1 on",
        ),
        (
            f'{NATIVE6}traffic.left.hosts = {{ prefix = "2001:2::/64", networks = 3, hosts = 30000 }}',
            "traffic.left.hosts.hosts",
            "30000",
            "at most 21845, as many as 3 networks may have, 65536 together",
        ),
        (
            f"{NATIVE6}{MIXED}traffic.left.background_hosts = {{ networks = 256, hosts = 257 }}",
            "traffic.left.background_hosts.hosts",
            "257",
            "at most 256, as many as 256 networks may have, 65536 together",
        ),
        (f'{NATIVE}traffic.left.hosts.prefix = "224.0.0.0/24"', "traffic.left.hosts.prefix", "224.0.0.0/24", HOSTS),
        (f'{NATIVE}traffic.left.hosts.prefix = "240.0.0.0/24"', "traffic.left.hosts.prefix", "240.0.0.0/24", HOSTS),
        (f'{NATIVE}traffic.right.hosts.prefix = "0.1.0.0/24"', "traffic.right.hosts.prefix", "0.1.0.0/24", HOSTS),
        (f'{NATIVE6}traffic.left.hosts.prefix = "fe80::/64"', "traffic.left.hosts.prefix", "fe80::/64", HOSTS),
        (
            f'{NAT}traffic.connections.clients.first = "127.0.0.1"',
            "traffic.connections.clients.first",
            "127.0.0.1",
            HOSTS,
        ),
        (
            f'{AFTR}traffic.connections.clients.first = "198.18.0.2"',
            "traffic.connections.clients.first",
            "198.18.0.2",
            "addresses in 10.0.0.0/8, 172.16.0.0/12, 192.168.0.0/16, 192.0.0.0/29: an AFTR drops packets from others "
            "(RFC 6333 §11)",
        ),
        (
            f'{NATIVE}tester.left.gateway_mac = "01:00:5e:00:00:01"',
            "tester.left.gateway_mac",
            '"01:00:5e:00:00:01"',
            "six bytes such as 02:00:00:00:00:01, the lowest bit of the first one 0, and not all of them",
        ),
        (
            f'{NATIVE}tester.left = {{ ipv4 = "192.0.2.0/24", gateway_ipv4 = "192.0.2.1" }}',
            "tester.left.ipv4",
            "192.0.2.0/24",
            "the address of a host in 192.0.2.0/24",
        ),
        (
            f'{NATIVE}tester.right = {{ ipv4 = "192.0.2.255/24", gateway_ipv4 = "192.0.2.1" }}',
            "tester.right.ipv4",
            "192.0.2.255/24",
            "the address of a host in 192.0.2.0/24",
        ),
        (
            f'{NATIVE}tester.left = {{ ipv4 = "192.0.2.1/24", gateway_ipv4 = "192.0.2.255" }}',
            "tester.left.gateway_ipv4",
            "192.0.2.255",
            "the address of a host in 192.0.2.0/24",
        ),
        (
            f'{NATIVE6}tester.left = {{ ipv6 = "2001:db8::/64", gateway_ipv6 = "2001:db8::1" }}',
            "tester.left.ipv6",
            "2001:db8::/64",
            "the address of a host in 2001:db8::/64",
        ),
        *(
            (
                f'{NATIVE}tester.left = {{ ipv4 = "{network}.2/30", gateway_ipv4 = "{network}.1" }}',
                "tester.left.ipv4",
                f"{network}.2/30",
                "the address of a host: no multicast, reserved, loopback or unspecified one",
            )
            for network in ("224.0.0", "127.0.0", "241.0.0", "0.0.1")
        ),
        (
            f'{NATIVE6}tester.right = {{ ipv6 = "::1/64", gateway_ipv6 = "::2" }}',
            "tester.right.ipv6",
            "::1/64",
            "the address of a host: no multicast, reserved, loopback or unspecified one",
        ),
        (
            f'{NATIVE}tester.right = {{ ipv4 = "192.168.18.6/24", gateway_ipv4 = "192.168.18.5" }}',
            "tester.right.ipv4",
            "192.168.18.6/24",
            "another network than tester.left.ipv4, 192.168.18.2/30",
        ),
        (
            f'{MAP}{MIXED}tester.right = {{ ipv6 = "2001:2:0:7fff::4/64", gateway_ipv6 = "2001:2:0:7fff::3" }}',
            "tester.right.ipv6",
            "2001:2:0:7fff::4/64",
            "another network than tester.left.ipv6, 2001:2:0:7fff::2/64",
        ),
        (
            f'{NATIVE}traffic.right.hosts.prefix = "192.168.18.0/30"',
            "traffic.right.hosts.prefix",
            "192.168.18.0/30",
            "1 network(s) from there on outside of the link 192.168.18.0/30 of tester.left",
        ),
        (
            f'{NATIVE}traffic.left.hosts = {{ prefix = "192.168.16.0/24", networks = 3 }}',
            "traffic.left.hosts.prefix",
            "192.168.16.0/24",
            "3 network(s) from there on outside of the link 192.168.18.0/30, or inside of it",
        ),
        (
            f'{NAT}traffic.connections.servers.first = "192.168.18.1"',
            "traffic.connections.servers.first",
            "192.168.18.1",
            "1 address(es) from there on outside of the link 192.168.18.0/30 of tester.left",
        ),
        (
            f'{NAT64}technology.prefix = "2001:2::/96"',
            "traffic.connections.clients.first",
            "2001:2::2",
            "addresses outside of technology.prefix, 2001:2::/96",
        ),
        *(
            (
                f'{of}technology.prefix = "2001:2:0:7fff::/96"',
                "technology.prefix",
                "2001:2:0:7fff::/96",
                "outside of the link of tester.left.ipv6, 2001:2:0:7fff::2/64",
            )
            for of in (NAT64, SIIT)
        ),
        *(
            (
                f'technology.name = "map-{of}"\ntechnology.role = "{role}"\n[[technology.domains]]\n'
                f'ipv6 = "2001:2:0:2000::/51"\nipv4 = "198.18.0.0/24"\nea_bits = 13\n{way_out} = "{value}"{more}',
                f"technology.domains[0].{way_out}",
                value,
                "outside of technology.domains[0].ipv6, 2001:2:0:2000::/51, which subscribers have",
            )
            for role, more in (("br", ""), ("ce", "\nea = 1"))
            for of, way_out, value in (("e", "br", "2001:2:0:2001::1"), ("t", "dmr", "2001:2:0:2000::/64"))
        ),
        (
            f'{LW}technology.softwires = {{ ipv6 = "2001:2:0:2000::/51", ipv4 = "192.0.2.0/24", psid_length = 5, '
            f'lwaftr = "2001:2:0:2001::1" }}',
            "technology.softwires.lwaftr",
            "2001:2:0:2001::1",
            "outside of technology.softwires.ipv6, 2001:2:0:2000::/51, which subscribers have",
        ),
        (
            f'{LW}{MIXED}traffic.left.background_hosts.prefix = "2001:2:0:2000::/64"',
            "traffic.left.background_hosts.prefix",
            "2001:2:0:2000::/64",
            "addresses outside of technology.softwires.ipv6, 2001:2:0:2000::/51, which subscribers have",
        ),
        (
            f'{AFTR}{MIXED}traffic.right.background_hosts.prefix = "2001:2:0:6000::/64"',
            "traffic.right.background_hosts.prefix",
            "2001:2:0:6000::/64",
            "addresses outside of technology.aftr, 2001:2:0:6000::1",
        ),
        (
            f'{MAP}[[technology.domains]]\nipv6 = "2001:2:0:2000::/51"\nipv4 = "192.168.19.0/24"\nea_bits = 13\n'
            'br = "2001:2:0:c000::1"',
            "technology.domains[0].ipv4",
            "192.168.19.0/24",
            "1 network(s) from there on outside of the link 192.168.19.0/30 of tester.right",
        ),
        (
            f'{LW}technology.softwires = {{ ipv6 = "2001:2:0:2000::/51", ipv4 = "192.168.19.0/24", psid_length = 5, '
            f'lwaftr = "2001:2:0:c000::1" }}',
            "technology.softwires.ipv4",
            "192.168.19.0/24",
            "1 network(s) from there on outside of the link 192.168.19.0/30 of tester.right",
        ),
        (
            f'{SIIT}tester.left = {{ ipv6 = "2001:2::9/64", gateway_ipv6 = "2001:2::2" }}',
            "traffic.left.hosts.prefix",
            "198.18.0.0/24",
            "1 network(s) from there on without 198.18.0.2, which technology.eam[0] maps to the DUT's address on the "
            "link 2001:2::/64, 2001:2::2",
        ),
        (
            f'{AFTR}technology.aftr = "2001:2:0:7fff::2"',
            "technology.aftr",
            "2001:2:0:7fff::2",
            "another address than the Tester's, tester.left.ipv6",
        ),
    ],
)
def test_lines(text: str, place: str, value: str, allowed: str) -> None:
    """R6333-11."""
    with pytest.raises(BenchError) as failed:
        parse_bench(text, "b.toml")
    assert str(failed.value) == f"b.toml: {place}: {value} is not allowed: {allowed}"


@pytest.mark.parametrize(
    "text",
    [
        f'{NATIVE}traffic.right.background_hosts.prefix = "2001:2:0:1000::/64"',  # which nobody sends
        f'{NATIVE}tester.left = {{ ipv4 = "192.0.2.0/31", gateway_ipv4 = "192.0.2.1" }}',  # RFC 3021
        f'{NATIVE6}tester.left = {{ ipv6 = "2001:db8::/127", gateway_ipv6 = "2001:db8::1" }}',  # RFC 6164
        f'{NATIVE6}tester.left = {{ ipv6 = "2001:db8::2/64", gateway_ipv6 = "2001:db8::" }}',  # RFC 4291 §2.6.1
        f'{AFTR}traffic.connections.clients.first = "192.0.0.2"',
        f'{AFTR}technology.aftr = "2001:2:0:7fff::1"',  # the DUT's own on that link
        "\n".join(
            (NATIVE6, *(f'tester.{side} = {{ ipv6 = "fe80::2/64", gateway_ipv6 = "fe80::1" }}' for side in SIDES))
        ),
        f'{SIIT}tester.left.ipv4 = "192.168.19.2/30"\ntester.left.gateway_ipv4 = "192.168.19.1"',  # which it hasn't
        f'{NAT}traffic.connections = {{ clients = {{ first = "10.0.0.2", addresses = 9, step = 2 }}, '
        f'servers = {{ first = "10.0.0.3", addresses = 9, step = 2 }} }}',
    ],
)
def test_allowed(text: str) -> None:
    parse_bench(text, "b.toml")


MAP_RULE = 'ipv6 = "2001:db8::/40", ipv4 = "192.0.2.0/24", ea_bits = 16, br = "2001:db8:ffff::1"'
SOFTWIRES = 'ipv6 = "2001:db8::/51", ipv4 = "192.0.2.0/24", psid_length = 5, lwaftr = "2001:db8:ffff::1"'


@pytest.mark.parametrize(
    ("text", "place", "value"),
    [
        (f'name = "map-e"\ndomains = [{{ {MAP_RULE} }}]', "domains.ipv6", ("2001:db8::/40", "ff00::/40")),
        (f'name = "map-e"\ndomains = [{{ {MAP_RULE} }}]', "domains.br", ("2001:db8:ffff::1", "ff02::1")),
        ('name = "dslite"\naftr = "ff02::1"', "aftr", ("", "ff02::1")),
        ('name = "dslite"\nb4s = { first = "fe80::1" }', "b4s.first", ("", "fe80::1")),
        (f'name = "lw4o6"\nsoftwires = {{ {SOFTWIRES} }}', "softwires.ipv6", ("2001:db8::/51", "fe80::/51")),
        (f'name = "lw4o6"\nsoftwires = {{ {SOFTWIRES} }}', "softwires.lwaftr", ("2001:db8:ffff::1", "::1")),
        ('name = "siit"\neam = [{ ipv4 = "198.18.0.0/24", ipv6 = "ff02::/120" }]', "eam[0].ipv6", ("", "ff02::/120")),
        ('name = "siit"\nprefix = "ff02::/96"', "prefix", ("", "ff02::/96")),
    ],
)
def test_nobody_s_ipv6_addresses(text: str, place: str, value: tuple[str, str]) -> None:
    """Of a technology's table as of hosts: no router forwards a packet to one of them."""
    text = text.replace(*value) if value[0] else text
    with pytest.raises(BenchError) as failed:
        parse_bench(f"[technology]\n{text}", "b.toml")
    line = re.sub(r"domains\[0\]", "domains", str(failed.value))
    allowed = "addresses of hosts: no multicast, reserved, loopback, link-local or unspecified ones"
    assert line == f"b.toml: technology.{place}: {value[1]} is not allowed: {allowed}"
