"""`[tester]`: the Tester's process, its ports and its addresses on the links to the DUT."""

from __future__ import annotations

import ipaddress
from typing import Annotated, Literal

from pydantic import Field, model_validator

from xlatperf.keys.addresses import IPv4, IPv6, LinkIPv4, LinkIPv6, Mac, no_hosts
from xlatperf.keys.model import ConfigModel, Number, Truth, Whole, key
from xlatperf.keys.not_allowed import refuse
from xlatperf.keys.port_name import PORT_ALLOWED, fault_of_port
from xlatperf.keys.ssh_host import HOST_ALLOWED, HostName, SshSettings

USUAL_MEMORY_MB = 256
VLAN_TAG_BYTES = 4
NO_VLAN_BY_AF_XDP = "nothing with af_xdp, which doesn't see a tag that the kernel or the NIC took off: use af_packet"
_LINK_IPV4 = "an IPv4 address with prefix length such as 192.168.18.2/30"
_LINK_IPV6 = "an IPv6 address with prefix length such as 2001:2:0:7fff::2/64"
_IPV4_SOURCE = "RFC 1918: 198.18.0.0/15 with its 256 networks on each side belongs to the hosts (RFC 2544 §12)"
_IPV6_SOURCE = "RFC 5180 §5: 2001:2::/48, first half left, second half right"


class TesterSide(ConfigModel):
    """One side's port and addresses."""

    port: str | None = key(
        None,
        "DPDK port of this side, for driver = manual; other drivers bring their own",
        allowed=PORT_ALLOWED,
    )
    allow: Annotated[str, Field(min_length=1)] | None = key(
        None,
        "the name of an interface that this host uses itself (its default route, a global address) and that the port "
        "lies on all the same: what is sent there goes where the host's own packets go",
        allowed="the name of the interface that the port lies on",
    )
    gateway_mac: Mac | None = key(
        None,
        "the DUT's MAC address; without it the Tester asks by ARP and Neighbor Discovery",
        allowed="six bytes such as 02:00:00:00:00:01, the lowest bit of the first one 0, and not all of them",
    )
    vlan: Whole | None = key(
        None,
        "all frames on this link have the tag of this VLAN, whose 4 bytes count in their sizes",
        ge=1,
        le=4094,
        source="IEEE 802.1Q §9.6, RFC 2544 §9, RFC 5180 §5.1.1",
    )
    vlan_priority: Whole = key(0, "the priority code point of the frames that the Tester sends", ge=0, le=7)
    dut_vlan_priority: Whole | None = key(
        None, "the priority code point that the DUT's test frames must have; without it any", ge=0, le=7
    )
    ipv4: LinkIPv4
    gateway_ipv4: IPv4
    ipv6: LinkIPv6
    gateway_ipv6: IPv6

    @property
    def tag_bytes(self) -> int:
        """Of the VLAN tag in each frame on this link."""
        return 0 if self.vlan is None else VLAN_TAG_BYTES

    @model_validator(mode="after")
    def _priorities_of_a_tag(self) -> TesterSide:
        for name in ("vlan_priority", "dut_vlan_priority") if self.vlan is None else ():
            if (value := getattr(self, name)) != type(self).model_fields[name].default:
                refuse(name, value, "nothing without vlan, whose tag has it")
        return self

    @model_validator(mode="after")
    def _port_that_is_understood(self) -> TesterSide:
        """DPDK would leave some arguments aside silently, and say of others what nobody understands."""
        fault = None if self.port is None else fault_of_port("port", self.port)
        if fault is not None:
            raise ValueError(fault)
        return self

    @model_validator(mode="after")
    def _of_hosts(self) -> TesterSide:
        """The first address of an IPv4 network is its own, the last one everybody's; of IPv6 the first one routers'
        (RFC 4291 §2.6.1)."""
        for name in ("ipv4", "ipv6"):
            link = ipaddress.ip_interface(getattr(self, name))
            if no_hosts(link.ip):
                refuse(name, str(link), "the address of a host: no multicast, reserved, loopback or unspecified one")
            several = link.network.prefixlen < link.max_prefixlen - 1
            not_these = {link.network.network_address}
            if link.version == 4:
                not_these.add(link.network.broadcast_address)
            if several and link.ip in not_these:
                refuse(name, str(link), f"the address of a host in {link.network}")
            gateway = ipaddress.ip_address(getattr(self, f"gateway_{name}"))
            if several and link.version == 4 and gateway in not_these:
                refuse(f"gateway_{name}", str(gateway), f"the address of a host in {link.network}")
        return self

    @model_validator(mode="after")
    def _gateways_on_link(self) -> TesterSide:
        """The DUT must be on the link, else neither ARP nor Neighbor Discovery reach it."""
        for name, own, gateway in (
            ("gateway_ipv4", self.ipv4, self.gateway_ipv4),
            ("gateway_ipv6", self.ipv6, self.gateway_ipv6),
        ):
            link = ipaddress.ip_interface(own)
            if ipaddress.ip_address(gateway) not in link.network or ipaddress.ip_address(gateway) == link.ip:
                refuse(name, gateway, f"another address of {link.network} than {link.ip}")
        return self


class LeftSide(TesterSide):
    """`[tester.left]`: the customer's side."""

    ipv4: LinkIPv4 = key(
        "192.168.18.2/30", "the Tester's IPv4 address on the left link", allowed=_LINK_IPV4, source=_IPV4_SOURCE
    )
    gateway_ipv4: IPv4 = key(
        "192.168.18.1",
        "the DUT's IPv4 address on the left link",
        allowed="an IPv4 address of the link",
        source=_IPV4_SOURCE,
    )
    ipv6: LinkIPv6 = key(
        "2001:2:0:7fff::2/64", "the Tester's IPv6 address on the left link", allowed=_LINK_IPV6, source=_IPV6_SOURCE
    )
    gateway_ipv6: IPv6 = key(
        "2001:2:0:7fff::1",
        "the DUT's IPv6 address on the left link",
        allowed="an IPv6 address of the link",
        source="RFC 5180 §5.2.1: the DUT is ::1",
    )


class RightSide(TesterSide):
    """`[tester.right]`: the Internet's side."""

    ipv4: LinkIPv4 = key(
        "192.168.19.2/30", "the Tester's IPv4 address on the right link", allowed=_LINK_IPV4, source=_IPV4_SOURCE
    )
    gateway_ipv4: IPv4 = key(
        "192.168.19.1",
        "the DUT's IPv4 address on the right link",
        allowed="an IPv4 address of the link",
        source=_IPV4_SOURCE,
    )
    ipv6: LinkIPv6 = key(
        "2001:2:0:ffff::2/64", "the Tester's IPv6 address on the right link", allowed=_LINK_IPV6, source=_IPV6_SOURCE
    )
    gateway_ipv6: IPv6 = key(
        "2001:2:0:ffff::1",
        "the DUT's IPv6 address on the right link",
        allowed="an IPv6 address of the link",
        source="RFC 5180 §5.2.1: the DUT is ::1",
    )


class Schedule(ConfigModel):
    """`[tester.schedule]`: how frames leave, and when a trial that left late is invalid (docs/protocol.md)."""

    burst: Whole = key(32, "at most so many frames leave in one call", ge=1, le=1024)
    catch_up: Number = key(2.0, "a sender that was held up catches up at most at so many times the rate", ge=1, le=100)
    late_us: Number = key(10000, "a frame that left so many µs after its time is late", ge=1, le=1e7)
    late_share: Number = key(0.01, "a trial with a larger share of late frames is invalid", ge=0, le=1)
    overrun: Number = key(
        0.001,
        "a trial whose sending took longer by a larger share of its duration is invalid, and by more than a burst "
        "takes at this rate, at most 200 µs",
        ge=0,
        le=1,
        source="RFC 1242 §3.4: constant load",
    )


class TesterConfig(SshSettings):
    """`[tester]`."""

    host: HostName | None = key(
        None,
        "the engine and its ports are on this host, which OpenSSH's client reaches, as root or as a user whose sudo "
        "asks for no password; for devices whose ports are named by tester.left.port and tester.right.port",
        allowed=HOST_ALLOWED,
    )
    engine: Annotated[str, Field(min_length=1)] | None = key(
        None,
        "with tester.host, the engine's program there, of the same version as xlatperf here; without it "
        "xlatperf-engine, as the shell there finds it",
        allowed="a file's name",
    )
    seed: Whole = key(
        1,
        "all randomness comes from it",
        ge=0,
        le=2**63 - 1,
        source="RFC 4814 §4.2.1: the same addresses in all trials",
    )
    cores: tuple[Whole, ...] = key(
        (1,),
        "worker cores of the engine: of one queue one core does all, two have a port each, four are the left port's "
        "sender and receiver and the right port's, in this order; a core may be there several times",
        allowed="a list of core numbers",
        min_length=1,
    )
    queues: Whole = key(
        1,
        "of each port: so many senders and receivers share a direction, on the cores in turn; what arrives is spread "
        "by the NIC (RSS), or by whoever is at the port's other end",
        ge=1,
        le=64,
    )
    memory_mb: Whole = key(
        USUAL_MEMORY_MB,
        "memory of the engine for frames in MB; a queue of both ports takes 76 with frames to 1522; 256 grows with "
        "queues and larger frames",
        ge=64,
        le=1048576,
    )
    hugepages: Literal["auto", "never", "require"] = key("auto", "whether the engine uses hugepages")
    nice: Whole = key(
        -5,
        "of the engine's workers, where this user may set it: a lower one comes before other programs on their cores",
        ge=-20,
        le=19,
    )
    idle: Literal["poll", "yield"] = key("yield", "poll never gives up the core; yield lets others run")
    port_driver: Literal["af_packet", "af_xdp", "auto"] = key(
        "af_packet",
        "how the engine opens the interfaces of a lab device; auto: af_xdp, which carries more, where it works",
    )
    selftest_runs: Whole = key(
        1,
        "the self-test searches for the Tester's limit so many times; of several, each to 1 %, come median, P1, "
        "P99 and dispersion",
        ge=1,
        le=1000,
        source="RFC 8219 §12",
    )
    one_port: Truth = key(
        False,
        "both sides are on tester.left.port, told apart by their VLANs, as the DUT's are: a router on a stick; one of "
        "the two may be without. Delays may be longer by one look at the port than with two ports",
    )
    left: LeftSide = key(None, "the customer's side", default_factory=LeftSide)
    right: RightSide = key(None, "the Internet's side", default_factory=RightSide)
    schedule: Schedule = key(None, "how frames leave", default_factory=Schedule)

    @property
    def tag_bytes(self) -> tuple[int, int]:
        """Of the VLAN tags on the left link and on the right one."""
        return self.left.tag_bytes, self.right.tag_bytes

    @model_validator(mode="after")
    def _tags_that_are_seen(self) -> TesterConfig:
        for name, side in (("left", self.left), ("right", self.right)):
            if side.vlan is not None and self.port_driver == "af_xdp":
                refuse(f"{name}.vlan", side.vlan, NO_VLAN_BY_AF_XDP)
        return self

    @property
    def ports(self) -> tuple[str | None, str | None]:
        """Names of the left port and the right one; None: not named."""
        left, right = self.left.port, self.right.port
        return left, left if self.one_port and right is None else right

    @model_validator(mode="after")
    def _sides_told_apart(self) -> TesterConfig:
        if self.one_port and self.left.vlan == self.right.vlan:
            refuse("right.vlan", self.right.vlan, "another VLAN than left.vlan with tester.one_port = true")
        if self.one_port and self.right.allow is not None:
            refuse("right.allow", self.right.allow, "nothing with tester.one_port = true: left.allow is its port's")
        return self

    @model_validator(mode="after")
    def _without_host(self) -> TesterConfig:
        for name in ("engine", "ssh_config") if self.host is None else ():
            if (value := getattr(self, name)) is not None:
                refuse(name, value, "nothing without tester.host")
        return self
