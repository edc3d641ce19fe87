"""Where a campaign does something else than the standards say, read from its bench file. Each is to be declared."""

from __future__ import annotations

import ipaddress
from collections.abc import Iterator

from xlatperf.config.bench import Bench
from xlatperf.config.connections import ConnectionSpace
from xlatperf.config.named_addresses import global_addresses
from xlatperf.config.tester import Schedule
from xlatperf.engine.acceptable import REMARK_OF
from xlatperf.engine.counters import REMARKS
from xlatperf.keys.addresses import WELL_KNOWN_PREFIX
from xlatperf.procedures.connections import OWN_ENTRIES, TRIED
from xlatperf.procedures.deviation import Deviation
from xlatperf.procedures.size_mix import SizeMix

_IN_WORDS = {
    "hop_limit": "hop limit or TTL",
    "traffic_class": "traffic class or TOS",
    "dont_fragment": "DF",
    "identification": "identification",
    "flow_label": "flow label",
}
BENCHMARK_IPV4 = ipaddress.ip_network("198.18.0.0/15")


def deviations(bench: Bench) -> tuple[Deviation, ...]:
    """All deviations, those of every software Tester first; each once."""
    found: dict[tuple[str, str], Deviation] = {}
    for one in (*_always(bench), *_of_traffic(bench), *_of_links(bench), *_of_measures(bench)):
        found.setdefault((one.section, one.here), one)
    return tuple(found.values())


def _always(bench: Bench) -> Iterator[Deviation]:
    yield Deviation(
        "RFC 2544 §13, §23(a); RFC 8219 §4",
        "routes are announced by routing updates",
        "static routes; neighbours by ARP and Neighbor Discovery, or as configured",
    )
    yield Deviation(
        "RFC 2544 App. C.2.6.4",
        "UDP checksum 0",
        "a real UDP checksum: RFC 7915 §4.5 lets a translator drop IPv4 frames without one",
    )
    yield Deviation(
        "RFC 2544 App. C.2.6.4",
        "data are incrementing octets",
        "the data begin with a tag of 18 bytes that identifies the frame; incrementing octets follow",
    )
    yield Deviation(
        "RFC 8219 §7.2; RFC 1242 §3.8",
        "delays from last bit in to first bit out",
        "time stamps by software when a frame is handed to and taken from the port, whose queues and drivers are part "
        "of each delay; what the Tester alone takes stands beside it",
    )
    links = (bench.tester.left.ipv4, bench.tester.right.ipv4)
    if any(ipaddress.ip_interface(link).ip not in BENCHMARK_IPV4 for link in links):
        yield Deviation(
            "RFC 2544 App. C.2.2",
            "the links' IPv4 addresses are in 198.18.0.0/15",
            f"the links have {links[0]} and {links[1]}, so that the hosts can have all 256 networks (RFC 2544 §12)",
        )
    public = [f"{place} {value}" for place, value in global_addresses(bench.technology, bench.traffic, bench.tester)]
    if public:
        yield Deviation(
            "RFC 2544 App. C.2.2; RFC 5180 §5",
            "test addresses are in 198.18.0.0/15 and 2001:2::/48, which nobody has",
            f"addresses that may be somebody's: {', '.join(public)}",
        )
    yield from _of_schedule(bench.tester.schedule)


def _of_schedule(schedule: Schedule) -> Iterator[Deviation]:
    yield Deviation(
        "RFC 1242 §3.4",
        "constant load: a fixed interval between frames",
        f"frames leave at their time, up to {schedule.burst} in one call when they are due. One that leaves up to "
        f"{schedule.late_us:g} µs after its time isn't late, and {100 * schedule.late_share:g} % of a valid trial's "
        f"frames may be. What waited leaves at {schedule.catch_up:g} times the rate at most; a trial in which frames "
        "were lost only right after the Tester was held up (for 100 µs or more) is repeated as far as retries "
        "allow, and where that persists the loss counts as the DUT's, with a remark",
    )
    yield Deviation(
        "RFC 2285 §3.5.1, §3.5.2",
        "intended and offered load",
        "results are the offered load, of the direction that got less; bounds of a search are rates that were asked "
        f"for. A trial whose sending takes longer by more than {100 * schedule.overrun:g} %, or by more than a burst "
        "takes at that rate (at most 200 µs), isn't valid",
    )


def _of_traffic(bench: Bench) -> Iterator[Deviation]:
    traffic, technology = bench.traffic, bench.technology
    speaks_ipv4 = 4 in technology.families
    if traffic.dont_fragment and speaks_ipv4:
        yield Deviation(
            "RFC 2544 App. C.2.6.4",
            "DF is 0 in IPv4",
            "DF is 1, so that a translator does not fragment what exceeds 1280 bytes as IPv6 (RFC 7915 §4.1)",
        )
    if traffic.reassemble:
        yield Deviation(
            "RFC 2544 §26.1",
            "frames that are sent and frames that come back are counted",
            "a frame that comes back in fragments, right as a whole, counts as one, when its last fragment has come. "
            "Rates, bits and their theoretical maximum are those of whole frames: the link carries more",
        )
    if not traffic.udp_checksum:
        yield Deviation(
            "RFC 2544 App. C.2.6.4",
            "UDP has a checksum",
            "IPv4 frames are sent with none (RFC 768), also those in a tunnel. A translator to IPv6 must compute it or "
            "drops the frame (RFC 7915 §4.5)",
        )
    if traffic.frame_size_of == "sender":
        yield Deviation(
            "RFC 8219 §5.1",
            "frames of one measurement have one size on each side",
            f"each frame leaves the Tester in the size that is named, whichever side that is, and arrives "
            f"{technology.growth} bytes longer as IPv6, or shorter as IPv4: the rates' maximum is that of the longest",
        )
    if technology.option_bytes:
        yield Deviation(
            "RFC 8219 §5.1",
            "frame sizes differ by the headers of the technology",
            f"frames that enter the DUT's tunnels have a tunnel encapsulation limit (RFC 2473 §4.1.1): "
            f"{technology.option_bytes} bytes that count in no frame size, but in the rates' theoretical maximum",
        )
    if technology.remakes_ipv4:
        yield Deviation(
            "RFC 7915 §5.1",
            "identification and DF of IPv4 packets are made anew: DF is 1 above 1260 bytes only",
            "both are the DUT's choice; a DF that differs from the rule is counted as a remark",
        )
    if technology.translation_prefix not in (None, WELL_KNOWN_PREFIX):
        yield Deviation(
            "RFC 6052 §3.1, §3.3",
            "64:ff9b::/96 is the Well-Known Prefix",
            f"the network-specific prefix {technology.translation_prefix}: the Well-Known Prefix must not stand for "
            "addresses that aren't global, such as those of 198.18.0.0/15",
        )
    if traffic.hop_limit != 10:
        yield Deviation("RFC 2544 App. C.2.6.4", "TTL is 10", f"hop limit and TTL are {traffic.hop_limit}")
    if traffic.traffic_class:
        yield Deviation("RFC 2544 App. C.2.6.4", "TOS is 0", f"traffic class and TOS are 0x{traffic.traffic_class:02x}")
    if traffic.source_macs == "port":
        yield Deviation(
            "RFC 4814 §4.2",
            "pseudorandom MAC addresses",
            "frames come from the MAC address of the Tester's port, as from a router behind which the hosts are "
            "(traffic.source_macs)",
        )
    for field in traffic.accept:
        yield Deviation(
            REMARKS[REMARK_OF[field]].section,
            f"frames that arrive have the {_IN_WORDS[field]} that is told there",
            f"frames with another {_IN_WORDS[field]} count as right, and are told (traffic.accept)",
        )
    places = list(dict.fromkeys(one for measure in bench.measure for one in measure.series()))
    in_columns = [traffic.at(one) for one in places] or [traffic]
    if traffic.connections is not None:
        for at in in_columns:
            if at.connections is not None:
                yield from _of_space(at.connections)
        return
    for name, direction in (("forward", traffic.forward), ("reverse", traffic.reverse)):
        source, destination = direction.source_ports, direction.destination_ports
        if (source.order, source.first, source.last) != ("pseudorandom", 1024, 65535) or (
            destination.order,
            destination.first,
            destination.last,
        ) != ("pseudorandom", 1, 49151):
            yield Deviation(
                "RFC 4814 §4.5",
                "ports pseudorandom, sources 1024 to 65535, destinations 1 to 49151",
                f"{name}: sources {source.order} {source.first} to {source.last}, destinations {destination.order} "
                f"{destination.first} to {destination.last}",
            )
        if direction.flows is not None:
            yield Deviation(
                "RFC 4814 §4.5",
                "each frame has ports of its own",
                f"{name}: {direction.flows} flows, each frame belongs to one of them (RFC 8219 §10.2.1); of background "
                "frames as many, or all that there can be",
            )
    for at in in_columns:
        hosts = {side: getattr(at, side).hosts for side in technology.hosts}
        if all(one.networks == 256 for one in hosts.values()):
            continue
        yield Deviation(
            "RFC 2544 §12",
            "first one address pair, then random destinations over 256 networks",
            ", ".join(
                f"{one.networks}{'' if index else ' network(s)'} {side}"
                + (f", of {one.hosts} hosts each" if one.hosts > 1 else "")
                for index, (side, one) in enumerate(hosts.items())
            ),
        )


def _of_links(bench: Bench) -> Iterator[Deviation]:
    """The sizes of RFC 2544 §9 are those of frames without tag."""
    vlans = {"left": bench.tester.left.vlan, "right": bench.tester.right.vlan}
    tagged = {side: vlan for side, vlan in vlans.items() if vlan is not None}
    if tagged:
        links = " and ".join(f"of VLAN {vlan} on the {side} link" for side, vlan in tagged.items())
        yield Deviation(
            "RFC 2544 §9",
            "frames of 64 to 1518 bytes",
            f"frames have a tag {links}: its 4 bytes count in all frame sizes, also in those that the rates' maximum "
            "follows from (RFC 5180 §5.1.1: 1522 with a tag)",
        )


def _of_measures(bench: Bench) -> Iterator[Deviation]:
    for measure in bench.measure:
        yield from measure.deviations()
        for mixed in (size for size in measure.frame_sizes if isinstance(size, SizeMix)):
            called = "" if mixed.name is None else f"{mixed.name} is "
            yield Deviation(
                "RFC 8219 §5.1.1",
                "all frames of a trial have one size",
                f"{measure.label}: frames have several sizes in turn (RFC 6985): {called}{mixed.what}, the foreground "
                "and the background each for itself. Rates are of frames; bits and the theoretical maximum are those "
                "of the mean size",
            )
        if bench.smallest_frame in measure.single_sizes and bench.traffic.frame_size_of != "ipv4":
            yield Deviation(
                "RFC 8219 §5.1.1",
                "64-byte frames",
                f"{measure.label}: {bench.smallest_frame}-byte IPv6 frames in their place, as RFC 8219 itself says: 64 "
                "bytes can't hold IPv6 and UDP",
            )


def _of_space(space: ConnectionSpace) -> Iterator[Deviation]:
    """RFC 9693 §4.1 itself restricts the ports of RFC 4814."""
    yield Deviation(
        "RFC 4814 §4.5",
        "ports pseudorandom, sources 1024 to 65535, destinations 1 to 49151",
        f"sources {space.client_ports.first} to {space.client_ports.last}, and of the destinations from "
        f"{space.server_ports.first} on as many as the connections need: RFC 9693 §4.1 restricts them",
    )
    if space.enumeration == "pseudorandom":
        yield Deviation(
            "RFC 9693 §4.4", "four tuples are enumerated pseudorandomly, by a shuffle", "by a keyed permutation"
        )
    else:
        yield Deviation("RFC 9693 §4.4", "four tuples are enumerated pseudorandomly", f"in {space.enumeration} order")
    yield Deviation(
        "RFC 9693 §4.4",
        "the DUT's table is empty before each experiment",
        f"the driver empties it and counts; up to {OWN_ENTRIES} entries that the DUT holds for itself are reported, "
        f"more make the experiment invalid. {TRIED} frames from the Responder on connections of the experiment before "
        "must not come in",
    )
    if space.read_order != "pseudorandom":
        yield Deviation("RFC 9693 §4.10", "the state table is read pseudorandomly (recommended)", "round robin")
    if space.write_order != "round_robin":
        yield Deviation("RFC 9693 §4.10", "the state table is written round robin (recommended)", "pseudorandomly")
