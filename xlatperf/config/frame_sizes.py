"""Which frame sizes are possible: from the smallest of the technology to what the links' MTU takes on both sides."""

from __future__ import annotations

from collections.abc import Sequence

from xlatperf.devices.driver import Driver
from xlatperf.keys.not_allowed import refuse
from xlatperf.procedures.procedure import Procedure
from xlatperf.technologies.registry import AnyTechnology

FRAME_AROUND = 18
"""Ethernet's header and FCS, in bytes."""


def named_tag(families: Sequence[int], frame_size_of: str, tags: tuple[int, int]) -> int:
    """Bytes of the VLAN tag in frames on the side that sizes are about; `tags`: on the left link and the right."""
    return tags[0] if f"ipv{families[0]}" == frame_size_of else tags[1]


def check_frame_sizes(
    technology: AnyTechnology,
    frame_size_of: str,
    device: Driver,
    measures: Sequence[Procedure],
    tags: tuple[int, int],
) -> None:
    """Raises ValueError, the message starting with the place (RFC 8219 §5.1, §5.1.1); `tags` as in `named_tag`."""
    tag = named_tag(technology.families, frame_size_of, tags)
    smallest = technology.smallest_frame(frame_size_of) + tag
    around = FRAME_AROUND + tag
    with_tag = " with VLAN tag" if tag else ""
    mtu = device.mtu
    growth = technology.growth if len(set(technology.families)) > 1 and frame_size_of == "ipv4" else 0
    options = technology.option_bytes
    growth += options
    for index, measure in enumerate(measures):
        for place, size in enumerate(measure.frame_sizes):
            where = f"measure[{index}].frame_sizes[{place}]"
            if size < smallest:
                refuse(where, size, f"{smallest} to 9216 for {frame_size_of}{with_tag} (RFC 8219 §5.1.1)")
            packet = size - around + growth
            if packet > mtu:
                as_ipv6 = (" as IPv6" if growth > options else "") + (
                    " with the encapsulation limit" if options else ""
                )
                refuse(
                    where,
                    size,
                    f"at most {mtu + around - growth}: its packet has {packet} bytes{as_ipv6}, and device.mtu is "
                    f"{mtu} (RFC 8219 §5.1)",
                )
