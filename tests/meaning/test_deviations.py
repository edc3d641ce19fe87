"""Deviations that a bench file has, and none that it hasn't."""

from __future__ import annotations

from xlatperf.config.load import parse_bench
from xlatperf.meaning.deviations import deviations


def here(text: str) -> str:
    return "\n".join(one.here for one in deviations(parse_bench(text, "b.toml")))


def test_each_column_has_its_own_ports_and_networks() -> None:
    """R4814-4.5: what a column has in place of the traffic's own is said, and each once."""
    column = "{{ connections = {}, client_ports = {{ last = {} }} }}"
    said = here(
        'technology.name = "nat44"\n[[measure]]\nprocedure = "establishment"\nframe_sizes = [64, 128]\n'
        f"columns = [{column.format(100, 2023)}, {column.format(200, 3023)}]"
    )
    assert "sources 1024 to 2023, and" in said
    assert "sources 1024 to 3023, and" in said
    assert "sources 1024 to 65535, and" not in said
    measure = '[[measure]]\nprocedure = "throughput"\ncolumns = [{ networks = 1 }, { networks = 256 }]'
    said = here(f'technology.name = "siit"\n{measure}')
    assert "1 network(s) left, 1 right" in said
    assert "256 network(s)" not in said


def test_addresses_that_may_be_somebodys() -> None:
    """R2544-C.2.2, R8219-5.2-1: each with its key; those for benchmarks, documentation and private networks are
    nobody's.
    """
    own = 'technology.name = "siit"\ntraffic.left.hosts.prefix = "192.0.2.0/24"\ntester.left.ipv6 = "fd00::2/64"\n'
    assert "somebody's" not in here(f'{own}tester.left.gateway_ipv6 = "fd00::1"')
    named = here(
        'technology.name = "dslite"\ntechnology.pool.first = "192.88.99.1"\n'
        'traffic.connections.servers.first = "192.88.99.9"'
    )
    both = "traffic.connections.servers.first 192.88.99.9, technology.pool.first 192.88.99.1"
    assert f"addresses that may be somebody's: {both}" in named
    rule = 'ipv6 = "2a00:1:2000::/51"\nipv4 = "192.88.99.0/24"\nea_bits = 13\nbr = "2001:db8::1"'
    named = here(f'technology.name = "map-e"\n[[technology.domains]]\n{rule}')
    assert "technology.domains[0].ipv4 192.88.99.0/24, technology.domains[0].ipv6 2a00:1:2000::/51" in named
    link = 'tester.right = { ipv6 = "2a00:1::2/64", gateway_ipv6 = "2a00:1::1" }\n'
    family = 'technology = { name = "native", family = "ipv4" }\n'
    assert "somebody's" not in here(link + family), "no frame has it"
    assert "tester.right.ipv6 2a00:1::2/64" in here(f"{link}{family}traffic.mix = [[1, 2]]")


def test_those_of_every_software_tester() -> None:
    """R8219-4-2, R2544-C.2.2."""
    siit = 'technology.name = "siit"\n'
    declared = {(one.section, one.standard) for one in deviations(parse_bench(siit, "b.toml"))}
    assert ("RFC 2544 §13, §23(a); RFC 8219 §4", "routes are announced by routing updates") in declared
    links = "the links have 192.168.18.2/30 and 192.168.19.2/30"
    assert links in here(siit)
    for side, octet in (("left", 18), ("right", 19)):
        siit += f'tester.{side} = {{ ipv4 = "198.{octet}.255.2/30", gateway_ipv4 = "198.{octet}.255.1" }}\n'
    assert "the links have" not in here(siit)


def test_the_well_known_prefix() -> None:
    """RFC 6052 §3.1: told only where another one is used."""
    hosts = 'traffic = { left.hosts.prefix = "192.88.98.0/24", right.hosts.prefix = "192.88.99.0/24" }\n'
    siit = f'technology.name = "siit"\n{hosts}'
    assert "the network-specific prefix 2001:2:0:6464::/96" in here(siit)
    assert "network-specific" not in here(f'{siit}technology.prefix = "64:ff9b::/96"')
