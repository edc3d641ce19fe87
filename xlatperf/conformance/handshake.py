"""Segments of a TCP connection's beginning (RFC 9293 §3.5), known again by an option."""

from __future__ import annotations

from xlatperf.conformance.ends import Ends
from xlatperf.conformance.packet import TCP, Packet
from xlatperf.conformance.transport import SYN, tcp

_EXPERIMENT, _PADDING = 253, b"\1\1"
"""TCP option for experiments (RFC 4727 §7), and two of No Operation."""


def segment(ends: Ends, flags: int, numbers: tuple[int, int]) -> Packet:
    """Of TCP, with its mark as an option: a SYN has no data."""
    options = bytes([_EXPERIMENT, 2 + len(ends.mark)]) + ends.mark + _PADDING
    made = tcp(ends.source, ends.destination, ends.ports, b"", flags=flags, numbers=numbers, options=options)
    return ends.packet(TCP, made)


def syn(ends: Ends) -> Packet:
    """A connection's first segment."""
    return segment(ends, SYN, numbers=(0, 0))
