"""Why a trial may have lost all frames, where another one that differs from it in one thing only lost none."""

from __future__ import annotations

from xlatperf.engine.direction_answer import FrameSizes
from xlatperf.engine.message import DirectionName, TrafficClass
from xlatperf.keys.does import Does

_FRAME_OF_IP = 18
"""Ethernet header and FCS."""


def other_size(lost: FrameSizes, came: FrameSizes) -> str:
    """Smaller or larger frames came."""
    packets = _pair(lost.sent - _FRAME_OF_IP, lost.received - _FRAME_OF_IP)
    size = f"frames of {_pair(came.sent, came.received)} bytes all came, so it is the size: "
    if came.sent > lost.sent:
        return (
            f"{size}the DUT, or what stands between it and the Tester, drops frames with packets as short as {packets} "
            "bytes"
        )
    return (
        f"{size}an MTU of the DUT, of its "
        f"tunnel or of the link behind it is less than the {packets} bytes that packets have in these frames, and the "
        "DUT sends no error"
    )


def _pair(sent: int, received: int) -> str:
    return f"{sent}" if sent == received else f"{sent} > {received}"


def other_direction(came: DirectionName, of: TrafficClass | None, does: Does) -> str:
    """Frames of the other direction came; `of`: of this one all but this class."""
    back = "right to left" if came == "forward" else "left to right"
    side = "left" if came == "forward" else "right"
    show = "(`xlatperf show` names them)"
    if of is None:
        return (
            f"all {came} frames came, so it is the way from {back}: does the DUT have a route to the hosts on the "
            f"{side} {show}, does it know its neighbour there, does a filter drop them?"
        )
    if of == "background":
        whose, hosts = "native IPv6", f"traffic.{side}.background_hosts {show}"
    else:
        whose, hosts = "those that aren't native IPv6", f"the hosts that these go to on the {side} {show}"
    takes = "" if does == "routes" or of == "background" else " does its transition technology take them this way too,"
    return (
        f"all {came} frames came, and from {back} all but {whose}: does the DUT have a route to {hosts},{takes} does a "
        "filter drop them?"
    )
