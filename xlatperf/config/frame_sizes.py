"""Which frame sizes are possible: from the smallest of the technology to what the links' MTU takes on both sides."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from xlatperf.devices.driver import Driver
from xlatperf.engine.message import DirectionName
from xlatperf.keys.not_allowed import refuse
from xlatperf.procedures.procedure import Procedure
from xlatperf.procedures.size_mix import SizeMix
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
        for named in _named(technology, frame_size_of, measure.directions, tags):
            for place, size in enumerate(measure.frame_sizes):
                for one in (size,) if isinstance(size, int) else size.shares:
                    _check(technology, named, device.mtu, one, f"measure[{index}].frame_sizes[{place}]")
    _check_names(measures)


def _check_names(measures: Sequence[Procedure]) -> None:
    """Of several sizes as one traffic: results are told apart by them."""
    named: dict[str, SizeMix] = {}
    names: dict[SizeMix, str] = {}
    for index, measure in enumerate(measures):
        for place, size in enumerate(measure.frame_sizes):
            if not isinstance(size, SizeMix):
                continue
            here, name = f"measure[{index}].frame_sizes[{place}]", str(size)
            if named.setdefault(name, size) != size:
                refuse(f"{here}.name", size.name, "a name that no other sizes have")
            if names.setdefault(size, name) != name:
                refuse(here, name, f"one name for the same sizes, and {names[size]} is theirs")


class _Named(NamedTuple):
    """The family whose frames have a size; bytes of the tag in it, and of an option beside it, on either side."""

    of: str
    tag: int
    options: int


def _named(
    technology: AnyTechnology, frame_size_of: str, directions: Sequence[DirectionName], tags: tuple[int, int]
) -> Iterator[_Named]:
    options = technology.option_bytes
    if frame_size_of != "sender":
        yield _Named(frame_size_of, named_tag(technology.families, frame_size_of, tags), options)
        return
    for direction in directions:
        side = 0 if direction == "forward" else 1
        family = technology.families[side]
        yield _Named(f"ipv{family}", tags[side], options if family == 6 else 0)


def _check(technology: AnyTechnology, named: _Named, mtu: int, size: int, where: str) -> None:
    of, tag, options = named
    smallest = technology.smallest_frame(of) + tag
    around = FRAME_AROUND + tag
    as_ipv6 = len(set(technology.families)) > 1 and of == "ipv4"
    growth = (technology.growth if as_ipv6 else 0) + options
    if size < smallest:
        with_tag = " with VLAN tag" if tag else ""
        refuse(where, size, f"{smallest} to 9216 for {of}{with_tag} (RFC 8219 §5.1.1)")
    packet = size - around + growth
    if packet > mtu:
        what = (" as IPv6" if as_ipv6 else "") + (" with the encapsulation limit" if options else "")
        refuse(
            where,
            size,
            f"at most {mtu + around - growth}: its packet has {packet} bytes{what}, and device.mtu is {mtu} "
            "(RFC 8219 §5.1)",
        )
