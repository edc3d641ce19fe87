"""`tester.port_driver = "auto"`: af_xdp, which carries most, where frames cross it on this host; else af_packet."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from xlatperf.config.bench import Bench
from xlatperf.config.request import ALL_FOREGROUND, configure_message, open_message
from xlatperf.devices import af_xdp_kernel
from xlatperf.devices.device import DeviceError, Plan
from xlatperf.engine.client import Engine
from xlatperf.engine.errors import EngineDied, EngineError

PortDriver = Literal["af_packet", "af_xdp"]
_TRIED = {"number": 0, "rate_fps": 1000.0, "duration_s": 0.05, "timeout_s": 0.2, "directions": ["forward", "reverse"]}


@dataclass(frozen=True)
class PortChoice:
    """`why_not`: what is in the way of af_xdp, in one line; None if nothing is, or if nobody asked."""

    driver: PortDriver
    why_not: str | None = None


_found: dict[tuple[object, ...], PortChoice] = {}
"""By all that it depends on, on this host."""


def port_choice(bench: Bench, plan: Plan) -> PortChoice:
    """The bench's port driver, or for `auto` what was found out; `plan` has af_xdp. Tried once per process."""
    wanted = bench.tester.port_driver
    if wanted != "auto":
        return PortChoice(wanted)
    if any(bench.tester.tag_bytes):
        return PortChoice("af_packet", "with VLAN tags af_packet is used, as af_xdp may not see them")
    ports = (bench.device.driver, bench.tester.cores, bench.tester.queues, bench.device.mtu)
    if ports not in _found:
        why_not = _in_the_way(bench, plan)
        _found[ports] = PortChoice("af_xdp") if why_not is None else PortChoice("af_packet", why_not)
    return _found[ports]


def _in_the_way(bench: Bench, plan: Plan) -> str | None:
    """Sends a few frames through the joined ports."""
    cable = bench.device.cable(plan)
    if cable is None:
        return None  # the ports aren't ours
    danger = af_xdp_kernel.why_not()
    if danger is not None:
        return danger
    try:
        with cable as at, Engine(command_prefix=at.command_prefix) as engine:
            engine.configure(configure_message(bench, ALL_FOREGROUND, loopback=True))
            engine.open(open_message(bench, at.left_port, at.right_port))
            size = {"frame_size": 128, "frame_size_of": bench.traffic.frame_size_of}
            answer = engine.trial({"request": "trial", **_TRIED, **size})
    except (DeviceError, EngineError, EngineDied) as error:
        return str(error).splitlines()[0]
    came = sum(counters.expected for direction in answer.directions.values() for counters in direction.classes.values())
    return None if came else "frames don't cross it"
