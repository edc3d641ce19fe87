"""What an lwAFTR and an lwB4 must refuse (RFC 7596 §5.2, §6.2): bits of right frames that are changed for it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal

from xlatperf.engine.message import DirectionName
from xlatperf.procedures.alteration import Change
from xlatperf.procedures.negative import NegativeTest
from xlatperf.technologies.softwires import Softwires

PortField = Literal["source_port", "destination_port"]
_LWAFTR, _LWB4, _PORTS = "RFC 7596 §6.2", "RFC 7596 §5.2", "RFC 7596 §5.1"
_WHAT = {
    "softwire": "from an IPv6 address that no lwB4 has",
    "outer_source": "from the IPv6 address of another lwB4",
    "source_address": "from the IPv4 address of another lwB4",
    "source_port": "from a port of another lwB4",
    "lwaftr": "with another IPv6 address than the lwAFTR's",
    "destination_address": "to the IPv4 address of another lwB4",
    "destination_port": "to a port of another lwB4",
    "nobodys_port": "to a port that no lwB4 has",
}
_UNUSED_BIT = 1 << 48
"""The last of the 16 zero bits before the IPv4 address in an lwB4's address (RFC 7596 §5.1, figure 3)."""
_ANY_BIT = 1 << 127
"""Of addresses that a table may have at will: none is in the other half of the address space (RFC 4291 §2.4)."""


def _test(
    name: str,
    direction: DirectionName,
    basis: str,
    change: Change | None,
    *,
    must: bool = True,
    part: int | None = None,
) -> Iterator[NegativeTest]:
    if change is not None:
        yield NegativeTest(name, _WHAT[name], basis, must, direction, (change,), part)


def refused_by_lwaftr(softwires: Softwires, *, hairpins: bool) -> Sequence[NegativeTest]:
    """Upstream, outer source, inner source and port must be one softwire's; downstream, somebody's."""
    downstream: DirectionName = "forward" if hairpins else "reverse"
    return [
        *_test("softwire", "forward", _LWAFTR, Change("outer_source", _unknown(softwires))),
        *_test("outer_source", "forward", _LWAFTR, _another_lwb4(softwires)),
        *_test("source_address", "forward", _LWAFTR, Change("source", 1)),
        *_ports("source_port", "forward", _LWAFTR, softwires),
        *_test("lwaftr", "forward", _LWAFTR, Change("outer_destination", 2), must=False),
        *_test("nobodys_port", downstream, _LWAFTR, _nobodys_port(softwires)),
    ]


def refused_by_lwb4(softwires: Softwires) -> Sequence[NegativeTest]:
    """Without NAPT44 its hosts use the softwire's own address and ports."""
    return [
        *_test("source_address", "forward", _PORTS, Change("source", 1), must=False),
        *_ports("source_port", "forward", _PORTS, softwires, must=False),
        *refused_downstream(softwires),
    ]


def refused_downstream(softwires: Softwires) -> Sequence[NegativeTest]:
    """What an lwB4 must not take from the IPv6 side."""
    return [
        *_test("lwaftr", "reverse", _LWB4, Change("outer_source", 2)),
        *_test("destination_address", "reverse", _LWB4, Change("destination", 1)),
        *_ports("destination_port", "reverse", _LWB4, softwires),
    ]


def _ports(
    name: PortField, direction: DirectionName, basis: str, softwires: Softwires, *, must: bool = True
) -> Iterator[NegativeTest]:
    """The PSID's lowest bit; of a table for each shape of its port sets."""
    for index in range(len(softwires.shapes)):
        change = softwires.of_shape(index).bits.another_port(name)
        yield from _test(name, direction, basis, change, must=must, part=None if softwires.table is None else index)


def _unknown(softwires: Softwires) -> int:
    return _UNUSED_BIT if softwires.table is None else _ANY_BIT


def _another_lwb4(softwires: Softwires) -> Change | None:
    """The lowest bit of the IPv4 address, else of the PSID, in the prefix and in the interface identifier."""
    if softwires.table is not None:
        return None
    bits = softwires.bits
    if not bits.ea:
        return None
    number = 128 - bits.ipv6_prefix - bits.ea
    return Change("outer_source", flip=1 << (number + bits.psid) | 1 << 16 if bits.ea > bits.psid else 1 << number | 1)


def _nobodys_port(softwires: Softwires) -> Change | None:
    return Change("destination_port", keep=1023) if softwires.nobodys_psids else None
