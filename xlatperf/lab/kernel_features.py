"""All that a lab uses of the host's own kernel: plain features, each used by many every day.

Measuring must never be able to take the user's own host down. What needs more of a kernel than this (segment routing,
tunnels of any kind, programs in the kernel) lives in a virtual machine.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Feature:
    """A feature of the kernel.

    `option`: what the kernel is built with for it, as a module too. `sign`: a file below the root that is there if the
    kernel has it, as long as the module is loaded; `what_for`: what works by it.
    """

    subject: str
    option: str
    what_for: str
    sign: str | None = None


NAMESPACES = Feature("network namespaces", "NET_NS", "every device of this host", "proc/self/ns/net")
VETH = Feature("veth", "VETH", "links between Tester and device")
VLAN = Feature("VLANs (802.1Q)", "VLAN_8021Q", "tester.left.vlan and tester.right.vlan")
TUN = Feature("tun", "TUN", "TAYGA and net_tap", "dev/net/tun")
IPV4 = Feature("IPv4 forwarding", "INET", "routers, NATs, translators", "proc/sys/net/ipv4/ip_forward")
IPV6 = Feature("IPv6 forwarding", "IPV6", "routers, NATs, translators", "proc/sys/net/ipv6/conf/all/forwarding")
NAT = Feature("NAT by nftables", "NFT_NAT", "nft-nat44, nft-nat66, tayga-nat64")
CONNTRACK = Feature("conntrack", "NF_CONNTRACK", "nft-nat44, nft-nat66, tayga-nat64", "proc/sys/net/netfilter")
INGRESS = Feature("the ingress hook of nftables", "NETFILTER_INGRESS", "frames for the Tester end at its port")
STEERING = Feature("receive packet steering (RPS)", "RPS", "device.cores")
POLICY = Feature("policy routing", "IP_MULTIPLE_TABLES", "make bench: the other generators' traffic")
AF_PACKET = Feature("AF_PACKET", "PACKET", "ports on interfaces of any kind")
AF_XDP = Feature("AF_XDP", "XDP_SOCKETS", "the same, faster")

PLAIN = (NAMESPACES, VETH, VLAN, TUN, IPV4, IPV6, NAT, CONNTRACK, INGRESS, STEERING, POLICY, AF_PACKET, AF_XDP)

LINK_KINDS = frozenset({"veth", "vlan"})
"""Interfaces that a lab makes; TAYGA makes its own tun interface."""
ROUTE_ATTRIBUTES = frozenset({"family", "dst", "oif", "gateway"})
"""What a route may have: a destination, an interface, a next hop."""
PROGRAMS = frozenset({"ip", "ethtool", "nft", "conntrack", "sysctl", "setpriv", "taskset", "tayga"})
"""That change or read the kernel."""
