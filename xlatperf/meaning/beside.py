"""Why a trial may have lost all frames, where another one that differs from it in one thing only lost none."""

from __future__ import annotations

from xlatperf.engine.direction_answer import FrameSizes
from xlatperf.engine.message import DirectionName

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


def other_direction(came: DirectionName) -> str:
    """Frames of the other direction came."""
    back = "right to left" if came == "forward" else "left to right"
    side = "left" if came == "forward" else "right"
    return (
        f"all {came} frames came, so it is the way from {back}: does the DUT have a route to the hosts on the {side} "
        "(`xlatperf show` names them), does it know its neighbour there, does a filter drop them?"
    )
