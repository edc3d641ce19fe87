"""What an lwAFTR and an lwB4 must refuse (RFC 7596 §5.2, §6.2): bits of right frames that are changed for it."""

from __future__ import annotations

import ipaddress
from collections.abc import Iterator, Sequence
from typing import Literal

from xlatperf.engine.message import DirectionName
from xlatperf.procedures.alteration import Change, HeaderField
from xlatperf.procedures.negative import NegativeTest
from xlatperf.technologies.own_softwires import Shape
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
    change: Change | str,
    *,
    must: bool = True,
    part: int | None = None,
    of: str = "",
    routable: bool = False,
) -> NegativeTest:
    """`change`: why there is none, where there is none."""
    changes, impossible = ((), change) if isinstance(change, str) else ((change,), "")
    return NegativeTest(
        name, _WHAT[name], basis, must, direction, changes, part, of=of, routable=routable, impossible=impossible
    )


def refused_by_lwaftr(softwires: Softwires, *, hairpins: bool) -> Sequence[NegativeTest]:
    """Upstream, outer source, inner source and port must be one softwire's; downstream, somebody's."""
    downstream: DirectionName = "forward" if hairpins else "reverse"
    return [
        _test("softwire", "forward", _LWAFTR, Change("outer_source", _unknown(softwires))),
        _test("outer_source", "forward", _LWAFTR, _another_lwb4(softwires)),
        _test("source_address", "forward", _LWAFTR, _another_source(softwires)),
        *_ports("source_port", "forward", _LWAFTR, softwires),
        _test("lwaftr", "forward", _LWAFTR, _another_lwaftr("outer_destination", softwires), must=False, routable=True),
        _nobodys_port(downstream, softwires),
    ]


def refused_by_lwb4(softwires: Softwires) -> Sequence[NegativeTest]:
    """Without NAPT44 its hosts use the softwire's own address and ports."""
    return [
        _test("source_address", "forward", _PORTS, _another_address("source", softwires), must=False),
        *_ports("source_port", "forward", _PORTS, softwires, must=False),
        *refused_downstream(softwires),
    ]


def refused_downstream(softwires: Softwires) -> Sequence[NegativeTest]:
    """What an lwB4 must not take from the IPv6 side."""
    return [
        _test("lwaftr", "reverse", _LWB4, _another_lwaftr("outer_source", softwires)),
        _test("destination_address", "reverse", _LWB4, _another_address("destination", softwires)),
        *_ports("destination_port", "reverse", _LWB4, softwires),
    ]


def _ports(
    name: PortField, direction: DirectionName, basis: str, softwires: Softwires, *, must: bool = True
) -> Iterator[NegativeTest]:
    """A bit of the PSID; of a table for each shape of its port sets."""
    shapes = softwires.shapes
    for index, shape in enumerate(shapes):
        of = _words(shape) if len(shapes) > 1 else ""
        part = None if softwires.table is None else index
        change = _another_port(name, shape, softwires)
        yield _test(name, direction, basis, change, must=must, part=part, of=of)


def _another_port(name: PortField, shape: Shape, softwires: Softwires) -> Change | str:
    offset, length = shape
    if not length:
        return "no lwB4 shares its address"
    flip = softwires.rows.own.psid_flip(shape)
    if flip is None:
        return "lwB4s with several softwires have all PSIDs of an address"
    return Change(name, flip=flip << (16 - offset - length))


def _unknown(softwires: Softwires) -> int:
    return _UNUSED_BIT if softwires.table is None else _ANY_BIT


def _another_lwb4(softwires: Softwires) -> Change | str:
    """The lowest bit of the IPv4 address, else of the PSID, in the prefix and in the interface identifier."""
    if softwires.table is not None:
        if _is_one(softwires) or softwires.rows.count == 1:
            return "there is one softwire"
        return "there is one lwB4" if softwires.rows.lwb4s == 1 else Change("outer_source", of_another=True)
    bits = softwires.bits
    if not bits.ea:
        return "there is one softwire"
    number = 128 - bits.ipv6_prefix - bits.ea
    return Change("outer_source", flip=1 << (number + bits.psid) | 1 << 16 if bits.ea > bits.psid else 1 << number | 1)


def _another_source(softwires: Softwires) -> Change | str:
    """That of another frame may be one that the same lwB4 has too, if some have several."""
    others = softwires.table is not None and softwires.rows.addresses > 1 and not _is_one(softwires)
    if others and not softwires.rows.own.senders:
        return Change("source", of_another=True)
    return _another_address("source", softwires)


def _another_address(field: Literal["source", "destination"], softwires: Softwires) -> Change | str:
    flip = softwires.rows.own.address_flip()
    return "whichever bit is changed, it is an lwB4's own address" if flip is None else Change(field, flip)


def _is_one(softwires: Softwires) -> bool:
    """Whether one of the table's rows alone sends."""
    return softwires.number is not None or softwires.count == 1


def _another_lwaftr(field: HeaderField, softwires: Softwires) -> Change:
    """Not that of other softwires, nor the subnet's anycast address (RFC 4291 §2.6.1)."""
    known = [softwires.lwaftr] if softwires.lwaftr is not None else list(softwires.rows.lwaftrs)
    addresses = [int(ipaddress.IPv6Address(one)) for one in known if _is_ipv6(one)]
    bits = (1 << bit for bit in range(1, 128))
    return Change(field, next(bit for bit in bits if not any(one ^ bit in addresses for one in addresses)))


def _is_ipv6(text: str) -> bool:
    try:
        ipaddress.IPv6Address(text)
    except ValueError:  # which the engine says
        return False
    return True


def _nobodys_port(direction: DirectionName, softwires: Softwires) -> NegativeTest:
    """Of a table for all addresses, or else for those of one shape."""
    rows, name = softwires.rows, "nobodys_port"

    def to(port: int) -> Change:
        return Change("destination_port", keep=0, flip=port)

    if softwires.table is not None:
        if rows.free_port is not None:
            return _test(name, direction, _LWAFTR, to(rows.free_port))
        for index, shape in enumerate(softwires.shapes):
            if shape in rows.free_ports:
                return _test(name, direction, _LWAFTR, to(rows.free_ports[shape]), part=index, of=_words(shape))
        return _test(name, direction, _LWAFTR, "each port is in somebody's port set")
    if softwires.nobodys_psids:
        return _test(name, direction, _LWAFTR, Change("destination_port", keep=1023))
    excluded = softwires.bits.excluded_port("destination_port")
    return _test(name, direction, _LWAFTR, "each port is somebody's" if excluded is None else excluded)


def _words(shape: Shape) -> str:
    return f"psid_offset {shape[0]}, psid_length {shape[1]}"
