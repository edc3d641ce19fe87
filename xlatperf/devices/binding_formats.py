"""Rows of a binding table (RFC 7596 §6.1) as devices want them. The engine has made them: nothing is calculated."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import NamedTuple

from xlatperf.devices.device import DeviceError
from xlatperf.keys.not_allowed import not_allowed


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


class MapDomain(NamedTuple):
    """A domain of VPP's MAP: `rules` are PSIDs with their tunnels' ends, of a domain without EA bits."""

    ip4: str
    ip6: str
    source: str
    ea_bits: int
    psid_offset: int
    psid_bits: int
    rules: tuple[tuple[str, str], ...] = ()

    @property
    def text(self) -> str:
        """What stands behind `map add domain`."""
        return (
            f"ip4-pfx {self.ip4} ip6-pfx {self.ip6} ip6-src {self.source} ea-bits-len {self.ea_bits} "
            f"psid-offset {self.psid_offset} psid-len {self.psid_bits}"
        )


def map_domains_of(rows: Iterator[Row]) -> Iterator[MapDomain]:
    """One for each IPv4 address. Raises DeviceError for an address whose rows aren't of one kind: VPP can't have it."""
    for address, of_address in groupby(rows, key=lambda row: row.ipv4):
        softwires = list(of_address)
        first = softwires[0]
        for row in softwires:
            _one_kind(row, first)
        yield MapDomain(
            f"{address}/32",
            f"{first.ipv6}/128",
            f"{first.lwaftr}/128",
            0,
            int(first.psid_offset),
            int(first.psid_length),
            tuple((row.psid, row.ipv6) for row in softwires) if first.psid_length != "0" else (),
        )


def _one_kind(row: Row, first: Row) -> None:
    """A domain has one source, one size of port sets and one offset."""
    for name in ("psid_length", "psid_offset", "lwaftr"):
        if getattr(row, name) != getattr(first, name):
            allowed = f"{getattr(first, name)} as in another row of {row.ipv4}: VPP has one for an address"
            raise DeviceError(not_allowed(f"technology.softwires: {name}", getattr(row, name), allowed))


def vpp(rows: Iterator[Row]) -> Iterator[str]:
    """VPP's MAP: a domain for each IPv4 address, numbered in the order of making, and a rule for each PSID."""
    for index, domain in enumerate(map_domains_of(rows)):
        yield f"map add domain {domain.text}"
        for psid, end in domain.rules:
            yield f"map add rule index {index} psid {psid} ip6-dst {end}"
