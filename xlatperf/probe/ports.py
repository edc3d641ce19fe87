"""What a port can do for the schedule and for time stamps: found out by opening it beside a port that goes nowhere."""

from __future__ import annotations

from collections.abc import Sequence

from xlatperf.engine.client import Engine
from xlatperf.engine.errors import EngineDied, EngineError
from xlatperf.engine.messages import Port
from xlatperf.probe.observation import Observation

NOWHERE = "net_null9,no-rx=1"
_LINK_TIMEOUT_S = 3.0


def survey(ports: Sequence[str]) -> list[Observation]:
    """Lines of each port: a PCI address or a DPDK virtual device with its arguments, as in the bench file."""
    return [line for port in ports for line in _port(port)]


def _port(name: str) -> list[Observation]:
    try:
        with Engine() as engine:
            opened = engine.open(
                {
                    "request": "open",
                    "link_timeout_s": _LINK_TIMEOUT_S,
                    "left": {"port": name},
                    "right": {"port": NOWHERE},
                }
            )
    except (EngineError, EngineDied) as error:
        return [Observation("missing", f"port {name}", str(error))]
    return capabilities(opened.left)


def capabilities(port: Port) -> list[Observation]:
    """What the driver says of itself. NIC pacing and NIC stamps are untested on hardware (docs/protocol.md)."""
    subject = f"port {port.port}"
    speed = f"{port.speed_mbps} Mbit/s" if port.speed_mbps else "speed unknown"
    lines = [
        Observation(
            "ok" if port.link_up else "limited", subject, f"{port.driver}, link {_up(port)}, {speed}, MTU {port.mtu}"
        )
    ]
    offers = [
        (port.send_on_timestamp, "nic_pacing send_on_timestamp: the NIC sends each frame at its due time"),
        (port.rate_limit, "nic_pacing queue_rate_limit: the NIC holds a queue's rate"),
        (port.rx_timestamp, "nic_arrival_stamps: the NIC stamps arrivals"),
        (port.receive_drops_known, "frames that the port drops on reception are counted"),
    ]
    for able, what in offers:
        lines.append(Observation("ok" if able else "limited", subject, what if able else f"not: {what}"))
    lines.append(
        Observation("ok", subject, "the Tester's own schedule: single frames, and bursts as the rate needs them")
    )
    return lines


def _up(port: Port) -> str:
    return "up" if port.link_up else "down"
