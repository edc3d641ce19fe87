"""Who has which addresses, against sets of all of them."""

from __future__ import annotations

from ipaddress import IPv4Address

from hypothesis import given
from hypothesis import strategies as st

from xlatperf.config.named_addresses import Named, each_host
from xlatperf.config.traffic import Hosts


@st.composite
def hosts(draw: st.DrawFn) -> tuple[Named, set[int]]:
    """Of one range, near to those of another one."""
    length = draw(st.integers(25, 30))
    size = 1 << (32 - length)
    first = int(IPv4Address("198.18.0.0")) + draw(st.integers(0, 8)) * size
    host = draw(st.integers(0, size - 1))
    each, networks = draw(st.integers(1, size - host)), draw(st.integers(1, 5))
    of = Hosts(prefix=f"{IPv4Address(first)}/{length}", networks=networks, host=host, hosts=each)
    addresses = {first + i * size + host + j for i in range(networks) for j in range(each)}
    assert of.count == len(addresses)
    return each_host("hosts", of), addresses


@given(one=hosts(), other=hosts(), low=st.integers(0, 300), width=st.integers(0, 40))
def test_several_hosts_in_each_network(
    one: tuple[Named, set[int]], other: tuple[Named, set[int]], low: int, width: int
) -> None:
    named, addresses = one
    assert (int(named.first), int(named.last), named.count) == (min(addresses), max(addresses), len(addresses))
    assert named.meets(other[0]) == bool(addresses & other[1])
    start = int(IPv4Address("198.18.0.0")) + low
    assert named.has_any(start, start + width) == any(start <= address <= start + width for address in addresses)
