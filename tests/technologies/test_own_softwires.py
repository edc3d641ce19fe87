"""R7596-6.2: negative tests where lwB4s have several softwires: no change may lead to another one of their own."""

from __future__ import annotations

import tempfile
from ipaddress import IPv4Address, IPv6Address
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.technologies.test_softwire_rows import HEADER, changes, ports_of, refused
from xlatperf.procedures.alteration import Change
from xlatperf.technologies.softwire_rows import rows_seen

TWO = "2001:db8::1,192.0.2.1,0,4,2,2001:db8:ffff::1\n2001:DB8:0::1,192.0.2.1,0,4,3,2001:db8:ffff::1\n"
"""One lwB4, whose address is written in two ways: ports 8192 to 16383."""
OTHERS = "2001:db8::2,192.0.2.1,0,4,4,2001:db8:ffff::1\n2001:db8::3,192.0.2.2,0,4,4,2001:db8:ffff::1\n"


@pytest.mark.parametrize(
    ("rows", "keys", "source_port", "source_address"),
    [
        (TWO + OTHERS, "", 2 << 12, 1),
        (TWO + OTHERS, ", number = 0", 2 << 12, 1),
        (TWO + OTHERS, ", number = 2", 1 << 12, 1),
        (TWO + OTHERS + "2001:db8::1,192.0.2.0,0,4,2,::9\n", "", 2 << 12, 2),
        # The wider set is PSIDs 0 and 1 of 4 bits: 2 ^ 2 and 3 ^ 2 are in it.
        (TWO + OTHERS + "2001:db8::1,192.0.2.1,0,3,0,::9\n", "", 4 << 12, 1),
    ],
)
def test_a_bit_that_leads_elsewhere(
    tmp_path: Path, rows: str, keys: str, source_port: int, source_address: int
) -> None:
    found = changes(refused(tmp_path, rows, keys))
    assert next(
        change for (name, of), change in found.items() if name == "source_port" and "length 3" not in of
    ) == Change("source_port", source_port)
    assert found["source_address", ""] == Change("source", source_address)


def test_one_lwb4_has_no_other(tmp_path: Path) -> None:
    found = changes(refused(tmp_path, TWO, ""))
    assert found["outer_source", ""] == "there is one lwB4"
    assert changes(refused(tmp_path, TWO + OTHERS, ""))["outer_source", ""] == Change("outer_source", of_another=True)


def test_an_address_that_is_wholly_its_own(tmp_path: Path) -> None:
    rows = "".join(f"2001:db8::1,192.0.2.1,0,2,{psid},::9\n" for psid in range(4)) + "2001:db8::2,192.0.2.2,0,2,1,::9\n"
    assert changes(refused(tmp_path, rows, ""))["source_port", ""] == (
        "lwB4s with several softwires have all PSIDs of an address"
    )


def test_an_lwb4_as_the_device_has_its_other_softwires_too(tmp_path: Path) -> None:
    rows = TWO + OTHERS + "2001:db8::1,192.0.2.0,0,4,2,::9\n"
    found = changes(refused(tmp_path, rows, ', number = 1, psid_length = 4 }, role = "lwb4", tunnel = {'))
    assert found["source_address", ""] == Change("source", 2)
    assert found["destination_address", ""] == Change("destination", 2)
    assert found["destination_port", ""] == Change("destination_port", 2 << 12)


@st.composite
def tables(draw: st.DrawFn) -> list[tuple[int, int, tuple[int, int], int]]:
    """Rows of few lwB4s and addresses, whose port sets don't overlap."""
    rows, taken = [], dict[int, set[int]]()
    offsets = [draw(st.sampled_from([0, 6])) for _ in range(3)]
    for _ in range(draw(st.integers(1, 10))):
        lwb4, ipv4, length = draw(st.integers(0, 2)), draw(st.integers(0, 2)), draw(st.integers(0, 4))
        shape = (offsets[ipv4], length)
        psid = draw(st.integers(0, 2**length - 1))
        ports = ports_of(shape, psid)
        if not ports & taken.setdefault(ipv4, set()):
            taken[ipv4] |= ports
            rows.append((lwb4, ipv4, shape, psid))
    return rows


@given(tables())
def test_no_own_port_is_reached_and_none_is_missed(rows: list[tuple[int, int, tuple[int, int], int]]) -> None:
    with tempfile.NamedTemporaryFile("w", suffix=".csv") as file:
        file.write(HEADER)
        for lwb4, ipv4, (offset, length), psid in rows:
            file.write(f"{IPv6Address(lwb4 << 64)},{IPv4Address(ipv4)},{offset},{length},{psid},::9\n")
        file.flush()
        seen = rows_seen(Path(file.name), None)
    assert seen.lwb4s == len({lwb4 for lwb4, *_ in rows})
    several = [row for row in rows if [one[0] for one in rows].count(row[0]) > 1]
    assert len(seen.own.senders) == len(several)
    own = {
        (lwb4, ipv4): set().union(*(ports_of(*one[2:]) for one in rows if one[:2] == (lwb4, ipv4)))
        for lwb4, ipv4, *_ in several
    }
    for shape in {shape for _, _, shape, _ in rows if shape[1]}:
        offset, length = shape
        behind = 16 - offset - length
        right = [
            flip
            for flip in sorted(range(1, 1 << length), key=lambda flip: (flip.bit_count(), flip))
            if not any(
                {port ^ flip << behind for port in ports_of(shape, psid)} & own[lwb4, ipv4]
                for lwb4, ipv4, other, psid in several
                if other == shape
            )
        ]
        assert seen.own.psid_flip(shape) == (right[0] if right else None)
    flip = seen.own.address_flip()
    assert flip is not None
    assert not any((lwb4, ipv4 ^ flip) in own for lwb4, ipv4 in own)
