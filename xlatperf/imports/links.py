"""Links, hosts and ports of a Tester whose own addresses are the hosts', as in the figures of siitperf's papers."""

from __future__ import annotations

import ipaddress
from collections.abc import Sequence

from xlatperf.imports.bench_text import BenchText
from xlatperf.imports.found import Found
from xlatperf.imports.key_values import KeyValues
from xlatperf.imports.varying import MOST_NETWORKS, Address, Varying

_MOST_HOST = 2**31 - 1
LINK_LENGTHS = {4: 24, 6: 64}
"""By the IP version: none of these files has the length."""
_OUTSIDE = ("198.19.0.0/24", "198.18.0.0/24", "203.0.113.0/24", "198.51.100.0/24", "192.0.2.0/24", "10.0.0.0/24")
"""The first one is a bench file's default; then RFC 2544, RFC 5737, RFC 1918."""
_GATEWAY = "not in the file, which has MAC addresses: the link's first one, as the papers' figures have it"


def network_of(address: Address, length: int) -> ipaddress.IPv4Network | ipaddress.IPv6Network:
    """That holds it."""
    number = int(address) >> address.max_prefixlen - length << address.max_prefixlen - length
    return ipaddress.IPv4Network((number, length)) if address.version == 4 else ipaddress.IPv6Network((number, length))


def own_cores(bench: BenchText, keys: KeyValues, names: Sequence[str]) -> None:
    """`names`: of left sender and receiver, right sender and receiver. In the table `tester`. Raises ValueError."""
    found = [one for one in map(keys.get, names) if one is not None]
    if len(found) == len(names):
        bench.of_own_device("cores", [one.whole(0, 1023) for one in found], keys.origin(*names))


def begin_side(bench: BenchText, side: str, mac: Found | None, *, has_port: bool = True) -> None:
    """The table of a side, its port and the DUT's MAC address there. Raises ValueError."""
    bench.table(f"tester.{side}")
    port = "0000:01:00.0" if side == "left" else "0000:01:00.1"
    if has_port:
        bench.of_own_device("port", port, "not in the file: a PCI address; `xlatperf probe` lists them")
    if mac is not None:
        bench.of_own_device("gateway_mac", mac.mac(), f"{mac.origin}; without it the Tester asks")


def link(bench: BenchText, own: Address, others: Varying | None, origin: str) -> str:
    """The Tester's address and the DUT's, which it returns. `others`: hosts that the link must hold."""
    beside = others if own.version == 4 and others is not None and not others.shift else Varying(own)
    network = _holding(own, LINK_LENGTHS[own.version], beside)
    length = network.prefixlen
    gateway = network[1] if network[1] != own else network[2]
    bench.key(f"ipv{own.version}", f"{own}/{length}", f"{origin}; the length isn't in the file")
    bench.key(f"gateway_ipv{own.version}", str(gateway), _GATEWAY)
    return str(gateway)


def _holding(own: Address, length: int, others: Varying) -> ipaddress.IPv4Network | ipaddress.IPv6Network:
    """The smallest network with both, of at most so many bits."""
    while not all(one in network_of(own, length) for one in (others.address(0), others.last)):
        length -= 1
    return network_of(own, length)


def outside(mapped: Sequence[ipaddress.IPv4Network]) -> ipaddress.IPv4Network:
    """Hosts on the right of whom the file says nothing: outside of what it maps, if there is such a network."""
    networks = [ipaddress.IPv4Network(one) for one in _OUTSIDE]
    return next((one for one in networks if not any(one.overlaps(other) for other in mapped)), networks[0])


def hosts_outside(bench: BenchText, network: ipaddress.IPv4Network) -> None:
    """Their table, if it isn't what a bench file has without it."""
    if str(network) != _OUTSIDE[0]:
        bench.table("traffic.right.hosts")
        bench.key("prefix", str(network), f"not in the file, which maps {_OUTSIDE[0]}")


def hosts(bench: BenchText, table: str, varying: Varying, origin: str) -> None:
    """Hosts, one in each network, or all in one."""
    if varying.in_one_network:
        return _in_one_network(bench, table, varying, origin)
    first = varying.address(0)
    length = first.max_prefixlen - varying.shift if varying.bits else LINK_LENGTHS[first.version]
    network = network_of(first, length)
    if int(first) - int(network.network_address) > _MOST_HOST and not varying.bits:
        network = network_of(first, first.max_prefixlen)
    networks = min(MOST_NETWORKS, varying.count)
    if networks < varying.count:
        bench.leave_out(origin, f"of {varying.count} addresses the first {networks} are taken")
    bench.table(table)
    bench.key("prefix", str(network), origin)
    bench.key("networks", networks, origin)
    bench.key("host", int(first) - int(network.network_address), "the address within its network")
    return None


def _in_one_network(bench: BenchText, table: str, varying: Varying, origin: str) -> None:
    """The network's own address isn't one of them, nor the DUT's, nor of IPv4 its broadcast address."""
    network = _holding(varying.base, 24 if varying.base.version == 4 else 112, varying)
    of_dut = 2 if varying.base == network[1] else 1  # as `link` has it
    begin = int(network.network_address)
    first = max(int(varying.address(0)) - begin, of_dut + 1)
    last = min(int(varying.last) - begin, network.num_addresses - (2 if network.version == 4 else 1))
    taken = last - first + 1
    if taken < varying.count:
        others = f"of {varying.count} addresses {taken} are taken: the others are the network's own, or the DUT's"
        bench.leave_out(origin, others, matters=False)
    bench.table(table)
    bench.key("prefix", str(network), origin)
    bench.key("host", first, origin)
    bench.key("hosts", taken, origin)
