"""Which frame sizes are possible: from the smallest of the technology to what the links' MTU takes on both sides."""

from __future__ import annotations

from collections.abc import Sequence

from xlatperf.devices.driver import Driver
from xlatperf.keys.not_allowed import refuse
from xlatperf.procedures.procedure import Procedure
from xlatperf.technologies.registry import AnyTechnology

FRAME_AROUND = 18
"""Ethernet's header and FCS, in bytes."""


def check_frame_sizes(
    technology: AnyTechnology, frame_size_of: str, device: Driver, measures: Sequence[Procedure]
) -> None:
    """Raises ValueError, the message starting with the place (RFC 8219 §5.1, §5.1.1)."""
    smallest = technology.smallest_frame(frame_size_of)
    mtu = device.mtu
    growth = technology.growth if len(set(technology.families)) > 1 and frame_size_of == "ipv4" else 0
    for index, measure in enumerate(measures):
        for place, size in enumerate(measure.frame_sizes):
            where = f"measure[{index}].frame_sizes[{place}]"
            if size < smallest:
                refuse(where, size, f"{smallest} to 9216 for {frame_size_of} (RFC 8219 §5.1.1)")
            packet = size - FRAME_AROUND + growth
            if packet > mtu:
                as_ipv6 = " as IPv6" if growth else ""
                refuse(
                    where,
                    size,
                    f"at most {mtu + FRAME_AROUND - growth}: its packet has {packet} bytes{as_ipv6}, and device.mtu is "
                    f"{mtu} (RFC 8219 §5.1)",
                )
