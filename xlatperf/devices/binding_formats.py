"""Rows of a binding table (RFC 7596 §6.1) as devices want them. The engine has made them: nothing is calculated."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import NamedTuple


class Row(NamedTuple):
    """A softwire: columns of the engine's file, as they stand in it (docs/protocol.md, `softwires`)."""

    ipv6: str
    ipv4: str
    psid_offset: str
    psid_length: str
    psid: str
    lwaftr: str


def rows_of(lines: Iterable[str]) -> Iterator[Row]:
    """The rows of such a file, whose first line is their names. They are in the order of addresses."""
    for number, line in enumerate(lines):
        if number:
            yield Row(*line.rstrip("\n").split(","))


def csv(rows: Iterator[Row]) -> Iterator[str]:
    """As `technology.softwires.table` of a bench file takes it."""
    yield ",".join(Row._fields)
    for row in rows:
        yield ",".join(row)


def snabb(rows: Iterator[Row]) -> Iterator[str]:
    """Snabb's lwAFTR: `binding-table` of its configuration (snabb-softwire-v2, snabb-softwire-v3)."""
    yield "softwire-config {"
    yield "  binding-table {"
    for row in rows:
        yield (
            f"    softwire {{ ipv4 {row.ipv4}; psid {row.psid}; b4-ipv6 {row.ipv6}; br-address {row.lwaftr}; "
            f"port-set {{ psid-length {row.psid_length}; reserved-ports-bit-count {row.psid_offset}; }} }}"
        )
    yield "  }"
    yield "}"


def vpp(rows: Iterator[Row]) -> Iterator[str]:
    """VPP's MAP: a domain for each IPv4 address, numbered in the order of making, and a rule for each PSID."""
    for index, (address, of_address) in enumerate(groupby(rows, key=lambda row: row.ipv4)):
        softwires = list(of_address)
        first = softwires[0]
        yield (
            f"map add domain ip4-pfx {address}/32 ip6-pfx {first.ipv6}/128 ip6-src {first.lwaftr}/128 ea-bits-len 0 "
            f"psid-offset {first.psid_offset} psid-len {first.psid_length}"
        )
        if first.psid_length != "0":
            for row in softwires:
                yield f"map add rule index {index} psid {row.psid} ip6-dst {row.ipv6}"
