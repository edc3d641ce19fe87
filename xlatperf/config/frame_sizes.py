"""Which frame sizes are possible: from the smallest of the technology to what the links' MTU takes on both sides."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from xlatperf.devices.driver import Driver
from xlatperf.engine.message import DirectionName
from xlatperf.keys.not_allowed import refuse
from xlatperf.procedures.procedure import Procedure
from xlatperf.technologies.registry import AnyTechnology

FRAME_AROUND = 18
"""Ethernet's header and FCS, in bytes."""


def named_tag(families: Sequence[int], frame_size_of: str, tags: tuple[int, int]) -> int:
    """Bytes of the VLAN tag in frames that sizes are about; `tags`: on the left link and the right.

    Of those that both sides send, the longer one.
    """
    if frame_size_of == "sender":
        return max(tags)
    return tags[0] if f"ipv{families[0]}" == frame_size_of else tags[1]


def check_frame_sizes(
    technology: AnyTechnology,
    frame_size_of: str,
    device: Driver,
    measures: Sequence[Procedure],
    tags: tuple[int, int],
) -> None:
    """Raises ValueError, the message starting with the place (RFC 8219 §5.1, §5.1.1); `tags` as in `named_tag`."""
    for index, measure in enumerate(measures):
        for of, tag in _named(technology, frame_size_of, measure.directions, tags):
            for place, size in enumerate(measure.frame_sizes):
                _check(technology, of, tag, device.mtu, size, f"measure[{index}].frame_sizes[{place}]")


def _named(
    technology: AnyTechnology, frame_size_of: str, directions: Sequence[DirectionName], tags: tuple[int, int]
) -> Iterator[tuple[str, int]]:
    """The families whose frames have the sizes, each with the bytes of a tag in them."""
    if frame_size_of != "sender":
        yield frame_size_of, named_tag(technology.families, frame_size_of, tags)
        return
    for direction in directions:
        side = 0 if direction == "forward" else 1
        yield f"ipv{technology.families[side]}", tags[side]


def _check(technology: AnyTechnology, of: str, tag: int, mtu: int, size: int, where: str) -> None:
    smallest = technology.smallest_frame(of) + tag
    around = FRAME_AROUND + tag
    growth = technology.growth if len(set(technology.families)) > 1 and of == "ipv4" else 0
    options = technology.option_bytes
    growth += options
    if size < smallest:
        with_tag = " with VLAN tag" if tag else ""
        refuse(where, size, f"{smallest} to 9216 for {of}{with_tag} (RFC 8219 §5.1.1)")
    packet = size - around + growth
    if packet > mtu:
        as_ipv6 = (" as IPv6" if growth > options else "") + (" with the encapsulation limit" if options else "")
        refuse(
            where,
            size,
            f"at most {mtu + around - growth}: its packet has {packet} bytes{as_ipv6}, and device.mtu is {mtu} "
            "(RFC 8219 §5.1)",
        )
