"""Types of addresses in the bench file. They stay strings, in their canonical form, as the engine wants them."""

from __future__ import annotations

import ipaddress
import re
from typing import Annotated

from pydantic import AfterValidator


def _link_ipv4(text: str) -> str:
    if "/" not in text:
        raise ValueError("an IPv4 address with prefix length such as 192.168.18.2/30")
    return str(ipaddress.IPv4Interface(text))


def _link_ipv6(text: str) -> str:
    if "/" not in text:
        raise ValueError("an IPv6 address with prefix length such as 2001:2:0:7fff::2/64")
    return str(ipaddress.IPv6Interface(text))


def mac_address(text: str) -> str:
    """One card's, in small letters. Raises ValueError."""
    if not re.fullmatch(r"[0-9a-fA-F]{2}(:[0-9a-fA-F]{2}){5}", text):
        raise ValueError("six bytes such as 02:00:00:00:00:01")
    if int(text[:2], 16) & 1 or not text.strip("0:"):
        raise ValueError("one card's: the lowest bit of the first byte is 0, and not all bytes are")
    return text.lower()


WELL_KNOWN_PREFIX = "64:ff9b::/96"
"""Of translators (RFC 6052 §2.1)."""


def any_between(own: tuple[int, int], step: int, first: int, last: int) -> bool:
    """Whether one of the addresses from `own[0]` to `own[1]`, `step` apart, lies between two, both included."""
    nearest = own[0] if first <= own[0] else own[0] + -(-(first - own[0]) // step) * step
    return nearest <= min(last, own[1])


_RESERVED = tuple(map(ipaddress.IPv4Network, ("0.0.0.0/8", "240.0.0.0/4")))
"""In IPv6 what is reserved may be assigned one day."""


HOSTS = "addresses of hosts: no multicast, reserved, loopback, link-local or unspecified ones"
"""What is allowed where `no_hosts` is said of one."""


def no_hosts(address: ipaddress.IPv4Address | ipaddress.IPv6Address) -> bool:
    """Whether no host can have it: multicast, loopback, unspecified, or of IPv4 reserved (RFC 1122 §3.2.1.3)."""
    never = address.is_multicast or address.is_loopback or address.is_unspecified
    return never or any(address in network for network in _RESERVED)


LinkIPv4 = Annotated[str, AfterValidator(_link_ipv4)]
"""IPv4 address with prefix length."""
LinkIPv6 = Annotated[str, AfterValidator(_link_ipv6)]
"""IPv6 address with prefix length; RFC 5180 §5.2.1: /126 or at most /64."""
IPv4 = Annotated[str, AfterValidator(lambda text: str(ipaddress.IPv4Address(text)))]
"""IPv4 address."""
IPv6 = Annotated[str, AfterValidator(lambda text: str(ipaddress.IPv6Address(text)))]
"""IPv6 address."""
NetworkIPv4 = Annotated[str, AfterValidator(lambda text: str(ipaddress.IPv4Network(text)))]
"""IPv4 network, host bits zero."""
NetworkIPv6 = Annotated[str, AfterValidator(lambda text: str(ipaddress.IPv6Network(text)))]
"""IPv6 network, host bits zero."""
Network = Annotated[str, AfterValidator(lambda text: str(ipaddress.ip_network(text)))]
"""IPv4 or IPv6 network, host bits zero."""
Address = Annotated[str, AfterValidator(lambda text: str(ipaddress.ip_address(text)))]
"""IPv4 or IPv6 address."""
Mac = Annotated[str, AfterValidator(mac_address)]
"""MAC address."""
