"""The reference device's keys in `[device]`. Most go to it as they are: it checks them, and names what it allows."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field

from xlatperf.devices.driver import Driver
from xlatperf.keys.model import ConfigModel, Truth, Whole, key
from xlatperf.lab.bed import DEFAULT_MTU

_SEE = "see `xlatperf-reference --help`"


def _of_device(description: str, allowed: str = _SEE, source: str = "") -> Any:
    """A key that the device checks."""
    return key(None, description, allowed=allowed, source=source)


class OfDevice(ConfigModel):
    """Go into its configuration."""

    impair: Any = _of_device("what to do wrong, for forward and reverse", f"a table, {_SEE}")
    hugepages: Any = _of_device("whether it uses hugepages")
    idle: Any = _of_device("what it does while nothing arrives")
    core: Any = _of_device("the core that it runs on; without, the last one that isn't in tester.cores", "a number")
    buffers: Any = _of_device("number of frames that it can keep")
    icmp_errors_per_second: Any = _of_device("how many ICMP errors it sends at most")


class OfTechnology(ConfigModel):
    """Go into its configuration's technology."""

    udp_checksum_zero: Any = _of_device(
        "IPv4 UDP without a checksum; without this key, drop", "drop or compute", "RFC 7915 §4.5"
    )
    lowest_ipv6_mtu: Any = _of_device(
        "IPv4 packets with DF 0 are fragmented above it; without this key, 1280", "a number", "RFC 7915 §4.1"
    )
    state: Any = _of_device(
        "the table of stateful technologies",
        'a table such as { entries = 65536, when_full = "refuse", collect = 100, timeout_s = 300, '
        'mapping = "endpoint_independent" }, ' + _SEE,
    )
    double_translation: Any = _of_device(
        "IPv4 headers as two translators in a row make them; without, technology.double_translation; another value "
        "than the Tester's shows what that looks like",
        "true or false",
    )
    checks: Any = _of_device(
        "of map-e, map-t, lw4o6, dslite and dslite-b4: which checks it doesn't make",
        f"a table such as {{ source_port = false }}, {_SEE}",
    )
    answers: Any = _of_device(
        "of map-t and lw4o6: ICMPv6 to a sender whose source is wrong; without this key true, of lw4o6 false",
        "true or false",
        "RFC 7599 §8.3, RFC 7596 §6.2",
    )
    hop_limit: Any = _of_device("of tunnels: the outer header's; without this key 64", "a number", "RFC 2473 §6.3")
    traffic_class: Any = _of_device(
        "of tunnels: the outer header's; without this key the packet's own is carried over", "a number", "RFC 2473 §6.4"
    )
    encapsulation_limit: Any = _of_device(
        "of tunnels: that option behind the outer header; without this key none", "0 to 255", "RFC 2473 §5.1"
    )
    entry_hops: Any = _of_device(
        "of tunnels: how often the TTL is decremented in front of the tunnel; without this key 1",
        "a number",
        "RFC 2473 §3.1",
    )
    exit_hops: Any = _of_device(
        "of tunnels: how often the TTL is decremented behind the tunnel; without this key 1",
        "a number",
        "RFC 2473 §3.3",
    )
    hairpinning: Any = _of_device(
        "of border relays and lw4o6's lwAFTR: packets of one CE or lwB4 to another go back; without this key true",
        "true or false",
        "RFC 7596 §6.2, RFC 7597 §5",
    )
    mesh: Any = _of_device(
        "of a CE of MAP: whether it knows other CEs; without, technology.mesh; another value than the "
        "Tester's shows what that looks like",
        "true or false",
        "RFC 7597 §5",
    )
    sessions: Any = _of_device(
        "of dslite: how many a B4 may have; without this key any number", "a number", "RFC 6888 REQ-4"
    )


VlanId = Annotated[Whole, Field(ge=0, le=4094)]
Priority = Annotated[Whole, Field(ge=0, le=7)]


class ReferenceKeys(Driver, OfDevice, OfTechnology):
    """What it is told to be, and to do wrong."""

    domains: tuple[Whole, ...] | None = key(
        None,
        "of map-e and map-t: which of technology.domains it knows; without this key all",
        allowed="numbers of domains, counted from 0",
    )
    mtu: Whole = key(DEFAULT_MTU, "MTU of both links", ge=1280, le=9600, source="RFC 8200 §5: at least 1280")
    static_neighbours: Truth = key(
        False, "the device is told the Tester's MAC addresses; otherwise it asks by ARP and Neighbor Discovery"
    )

    sent_vlans: tuple[VlanId, VlanId] | None = key(
        None,
        "the VLAN whose tag its frames have on the left link and on the right one, 0: they have none; without this key "
        "tester.left.vlan and tester.right.vlan",
        allowed="two numbers from 0 to 4094",
    )
    sent_priorities: tuple[Priority, Priority] = key(
        (0, 0), "the priority code points in these tags", allowed="two numbers from 0 to 7"
    )

    def passed_on(self) -> dict[str, Any]:
        """Those of its configuration, as far as they are set."""
        return self.model_dump(include=set(OfDevice.model_fields))

    def of_technology(self) -> dict[str, Any]:
        """Those of its technology, as far as they are set."""
        return self.model_dump(include=set(OfTechnology.model_fields))
