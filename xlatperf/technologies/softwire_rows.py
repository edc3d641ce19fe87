"""What the rows of a binding table's file tell for negative tests. Whether they are right is the engine's to say."""

from __future__ import annotations

import functools
import io
import ipaddress
import socket
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from xlatperf.files.reading import open_regular
from xlatperf.keys.addresses import no_hosts
from xlatperf.technologies.own_softwires import OwnSoftwire, OwnSoftwires, Shape

_IPV6_BYTES = 16
_IPV6 = f"S{_IPV6_BYTES}"  # without the zero bytes at its end


class _Row(NamedTuple):
    ipv6: bytes
    ipv4: str
    shape: Shape
    psid: int
    lwaftr: str


@dataclass(frozen=True)
class RowsSeen:
    """`count`: of rows. `lwb4s`: of their IPv6 addresses. `own`: the softwires of those that have several. `addresses`:
    of IPv4 addresses, and `networks` the first three octets of each. `shapes`: of the port sets, sorted. `lwaftrs`: all
    of them.

    `free_port`: the lowest that is in no port set; `free_ports`: of the shapes whose addresses have no other one, the
    lowest that is in no port set of that shape. `ipv6`: the lwB4s' addresses, each once.
    """

    count: int = 0
    lwb4s: int = 0
    own: OwnSoftwires = field(default_factory=OwnSoftwires)
    addresses: int = 0
    shapes: tuple[Shape, ...] = ()
    lwaftrs: tuple[str, ...] = ()
    free_port: int | None = None
    free_ports: Mapping[Shape, int] = field(default_factory=dict)
    networks: frozenset[str] = frozenset()
    ipv6: np.ndarray[Any, Any] = field(default_factory=lambda: np.array([], _IPV6), compare=False)

    def nobodys_lwb4(self) -> bool:
        """Some lwB4 has an address that no host can have."""
        begins = self.ipv6.astype("S1")
        suspects = self.ipv6[np.isin(begins, [b"", b"\xfe", b"\xff"])]  # few, if any
        found = (ipaddress.IPv6Address(one.ljust(_IPV6_BYTES, b"\0")) for one in suspects.tolist())
        return any(address.is_link_local or no_hosts(address) for address in found)

    def has_lwb4(self, address: str) -> bool:
        """Some lwB4 has that IPv6 address."""
        return bool(np.any(self.ipv6 == np.array(_address(address), _IPV6)))


def rows_seen(path: Path, number: int | None) -> RowsSeen:
    """Of the file; `number`: of one row alone. A file that isn't there has none."""
    try:
        return _seen(path, path.stat().st_mtime_ns, number)
    except OSError:  # which the engine says
        return RowsSeen()


@functools.lru_cache(maxsize=4)
def _seen(path: Path, changed_ns: int, number: int | None) -> RowsSeen:  # noqa: ARG001 - who has changed is read again
    psids: dict[Shape, set[int]] = defaultdict(set)
    lwaftrs: dict[str, None] = {}
    shape_of: dict[str, Shape] = {}
    mixed: set[Shape] = set()
    only: _Row | None = None
    lwb4s = bytearray()
    index = -1
    for index, (_, row) in enumerate(_rows(path)):
        lwb4s += row.ipv6
        psids[row.shape].add(row.psid)
        lwaftrs[row.lwaftr] = None
        before = shape_of.setdefault(row.ipv4, row.shape)
        mixed |= {before, row.shape} if before != row.shape else set()
        if index == number:
            only = row
    shapes = sorted(psids) if only is None else [only.shape]
    known, times = np.unique(np.frombuffer(lwb4s, dtype=_IPV6), return_counts=True)
    return RowsSeen(
        index + 1,
        len(known),
        _own_softwires(path, known[times > 1], (length for _, length in psids), only),
        len(shape_of),
        tuple(shapes),
        tuple(lwaftrs),
        _free_port(psids),
        {
            shape: port
            for shape in shapes
            if shape not in mixed and (port := _free_port({shape: psids[shape]})) is not None
        },
        frozenset(one for one in {address.rpartition(".")[0] for address in shape_of} if _is_ipv4(f"{one}.0")),
        known,
    )


def lines_of(path: Path) -> Iterator[tuple[int, str]]:
    """Line and IPv4 address of each row that has one."""
    yield from ((line, row.ipv4) for line, row in _rows(path) if _is_ipv4(row.ipv4))


def lwb4s_of(path: Path) -> Iterator[tuple[int, ipaddress.IPv6Address]]:
    """Line and IPv6 address of each row."""
    yield from ((line, ipaddress.IPv6Address(row.ipv6)) for line, row in _rows(path))


def _is_ipv4(text: str) -> bool:
    try:
        ipaddress.IPv4Address(text)
    except ValueError:
        return False
    return True


def _rows(path: Path) -> Iterator[tuple[int, _Row]]:
    """With their lines; what is no row is left out."""
    with io.TextIOWrapper(open_regular(path), encoding="utf-8-sig", errors="replace") as file:
        for number, line in enumerate(file, 1):
            if (row := _row(line)) is not None:
                yield number, row


def _row(line: str) -> _Row | None:
    values = [value.strip() for value in line.split(",")]
    if len(values) != 6 or not all(value.isdecimal() for value in values[2:5]):
        return None
    offset, length, psid = (int(value) for value in values[2:5])
    return _Row(_address(values[0]), values[1], (offset, length), psid, values[5]) if offset + length <= 16 else None


def _address(text: str) -> bytes:
    """The same for all texts of an address."""
    try:
        return socket.inet_pton(socket.AF_INET6, text)
    except (OSError, ValueError):  # which the engine says
        return text.encode()[:_IPV6_BYTES].ljust(_IPV6_BYTES)


def _own_softwires(path: Path, of: np.ndarray, lengths: Iterable[int], only: _Row | None) -> OwnSoftwires:
    """Those `of` lwB4s that have several, which most tables don't have."""
    if not of.size:
        return OwnSoftwires()
    wanted = set(of.tolist())
    rows = (row for _, row in _rows(path) if row.ipv6.rstrip(b"\0") in wanted)  # as NumPy has them
    return OwnSoftwires.of(map(_own, rows), lengths, None if only is None else _own(only))


def _own(row: _Row) -> OwnSoftwire:
    ipv4 = int(ipaddress.IPv4Address(row.ipv4)) if _is_ipv4(row.ipv4) else 0
    return OwnSoftwire(row.ipv6, ipv4, row.shape, row.psid)


def _free_port(psids: Mapping[Shape, set[int]]) -> int | None:
    return next((port for port in range(1, 65536) if not any(_has(shape, psids[shape], port) for shape in psids)), None)


def _has(shape: Shape, psids: set[int], port: int) -> bool:
    """RFC 7597 §5.1: A, PSID, M; A = 0 is nobody's where there is an offset."""
    offset, length = shape
    if offset and port >> (16 - offset) == 0:
        return False
    return port >> (16 - offset - length) & ((1 << length) - 1) in psids
