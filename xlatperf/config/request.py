"""Turns a bench into the engine's requests and the driver's plan. No addresses are calculated here."""

from __future__ import annotations

import ipaddress
import math
from collections.abc import Iterable
from typing import Any

from xlatperf.config.bench import Bench
from xlatperf.config.tester import USUAL_MEMORY_MB, TesterConfig, TesterSide
from xlatperf.config.traffic import Traffic, TrafficSide
from xlatperf.devices.device import Link
from xlatperf.engine.message import DirectionName
from xlatperf.keys.port_name import parts
from xlatperf.procedures.learning import known_hops
from xlatperf.procedures.trial_request import TrialRequest

ALL_FOREGROUND = (1, 1)
"""The mix without native background."""
_QUEUE_MB, _BUFFER, _AROUND = 76, 2304, 320
"""A queue's buffers of both ports, of this many bytes each; what a buffer has around its frame."""


def technology_message(bench: Bench) -> dict[str, Any]:
    """`configure.technology`."""
    return bench.technology.message()


def _vlan(tester: TesterSide) -> dict[str, Any]:
    if tester.vlan is None:
        return {}
    return {"vlan": {"id": tester.vlan, "priority": tester.vlan_priority, "dut_priority": tester.dut_vlan_priority}}


def _side(tester: TesterSide, traffic: TrafficSide, *, hosts: bool) -> dict[str, Any]:
    return {
        "ipv4": {"address": str(ipaddress.ip_interface(tester.ipv4).ip), "gateway": tester.gateway_ipv4},
        "ipv6": {"address": str(ipaddress.ip_interface(tester.ipv6).ip), "gateway": tester.gateway_ipv6},
        "gateway_mac": tester.gateway_mac,
        **_vlan(tester),
        **({"hosts": traffic.hosts.model_dump(mode="json")} if hosts else {}),
        "background_hosts": traffic.background_hosts.model_dump(mode="json"),
    }


def _direction(traffic: Traffic, direction: DirectionName) -> dict[str, Any]:
    return {
        **traffic.of(direction).model_dump(mode="json", exclude={"hops", "background_hops"}),
        "hops": known_hops(traffic.hops_of(direction, "foreground")),
        "background_hops": known_hops(traffic.hops_of(direction, "background")),
    }


def configure_message(
    bench: Bench,
    mix: tuple[int, int],
    *,
    loopback: bool = False,
    traffic_class: int | None = None,
    part: int | None = None,
    subscribers: int | None = None,
    accept: Iterable[str] | None = None,
) -> dict[str, Any]:
    """The engine's `configure` request for one mix [take, of]; `traffic_class` and `accept` in place of the bench's.

    `part`: of the technology alone. `subscribers`: so many in place of the technology's.
    """
    traffic = bench.traffic
    connections = traffic.connections
    technology = bench.technology if part is None else bench.technology.part(part)
    if subscribers is not None:
        technology = technology.with_subscribers(subscribers)
    return {
        "request": "configure",
        "loopback": loopback,
        "technology": technology.message(),
        "left": _side(bench.tester.left, traffic.left, hosts="left" in technology.hosts),
        "right": _side(bench.tester.right, traffic.right, hosts="right" in technology.hosts),
        "traffic": {
            "seed": bench.tester.seed,
            "foreground": {"take": mix[0], "of": mix[1]},
            "hop_limit": traffic.hop_limit,
            "traffic_class": traffic.traffic_class if traffic_class is None else traffic_class,
            "dont_fragment": traffic.dont_fragment,
            "udp_checksum": traffic.udp_checksum,
            "reassemble": traffic.reassemble,
            "pseudorandom_source_macs": traffic.source_macs == "pseudorandom",
            "accept": list(traffic.accept if accept is None else accept),
            "forward": _direction(traffic, "forward"),
            "reverse": _direction(traffic, "reverse"),
            **technology.traffic_message(),
            **({"connections": connections.model_dump(mode="json")} if connections is not None else {}),
        },
    }


def open_message(bench: Bench, left_port: str, right_port: str) -> dict[str, Any]:
    """The engine's `open` request.

    Buffers hold the largest frame on either side: a translator adds 20 bytes, a tunnel 40 or more (RFC 8219 §5.1).
    """
    tester, largest_frame = bench.tester, _largest_frame(bench, left_port, right_port)
    return {
        "request": "open",
        "cores": list(tester.cores),
        "queues": tester.queues,
        "memory_mb": _memory_mb(tester, largest_frame),
        "hugepages": tester.hugepages,
        "nice": tester.nice,
        "idle": tester.idle,
        "largest_frame": largest_frame,
        "left": {"port": left_port},
        "right": {"port": right_port},
    }


def engine_memory_mb(bench: Bench) -> int:
    """For frames, in MB, as far as that is known before the ports are."""
    ports = tuple(port or "" for port in bench.tester.ports)
    return _memory_mb(bench.tester, _largest_frame(bench, *ports))


def _largest_frame(bench: Bench, left_port: str, right_port: str) -> int:
    largest = max((size for measure in bench.measure for size in measure.single_sizes), default=0)
    tags = max(bench.tester.tag_bytes)
    largest_frame = max(1522, largest + bench.technology.growth + bench.technology.most_options + tags)
    return max(largest_frame, *(_of_slots(port) for port in (left_port, right_port)))


def _of_slots(port: str) -> int:
    """Buffers must take what a slot of af_packet holds, 32 bytes less than it is long, whatever is sent; the engine's
    are 64 bytes longer than the largest frame."""
    device, arguments = parts(port)
    slot = arguments.get("framesz", "") if device.startswith("net_af_packet") else ""
    return int(slot) - 32 - 64 if slot.isdigit() else 0


def _memory_mb(tester: TesterConfig, largest_frame: int) -> int:
    """As is set; else as much as buffers of this size take, beside what is there for everything else."""
    if tester.memory_mb != USUAL_MEMORY_MB:
        return tester.memory_mb
    of_a_queue = _QUEUE_MB * max(1.0, (largest_frame + _AROUND) / _BUFFER)
    return math.ceil(tester.queues * of_a_queue) + USUAL_MEMORY_MB - _QUEUE_MB


def trial_connections(request: TrialRequest) -> dict[str, Any]:
    """`connections` of the engine's `trial` request, and `duration_s`, where it doesn't follow from them."""
    wanted = request.connections
    if wanted is None:
        return {"duration_s": request.duration_s}
    optional = {"draw": wanted.draw, "some": wanted.some, "again": wanted.again, "keep": wanted.keep}
    chosen = {name: value for name, value in optional.items() if value}
    known: dict[str, Any] = {"connections": {"count": wanted.count, "phase": wanted.phase, **chosen}}
    return known if wanted.phase != "steady" else {**known, "duration_s": request.duration_s}


def link(side: TesterSide, families: tuple[str, ...]) -> Link:
    """The link of one side as the driver sees it; `families`: those that the traffic uses there."""

    def of_dut(own: str, gateway: str) -> str:
        return f"{gateway}/{ipaddress.ip_interface(own).network.prefixlen}"

    return Link(
        tester_ipv4=side.ipv4 if "ipv4" in families else None,
        dut_ipv4=of_dut(side.ipv4, side.gateway_ipv4) if "ipv4" in families else None,
        tester_ipv6=side.ipv6 if "ipv6" in families else None,
        dut_ipv6=of_dut(side.ipv6, side.gateway_ipv6) if "ipv6" in families else None,
        vlan=side.vlan,
    )
