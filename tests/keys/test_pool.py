"""A pool's ports: a range, or of these a port set (RFC 7597 §5.1)."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from pydantic import ValidationError

from xlatperf.keys.pool import PoolIPv4


@given(st.integers(0, 15), st.integers(0, 16), st.integers(0, 65535), st.integers(0, 65535), st.data())
def test_its_size(offset: int, length: int, one: int, other: int, data: st.DataObject) -> None:
    """RFC 7597 §5.1: as many as have this PSID behind `offset` bits, which aren't all zero if there are any."""
    assume(offset + length <= 16 and (length or not offset))
    psid = data.draw(st.integers(0, (1 << length) - 1))
    first, last = sorted((one, other))
    own = [
        port
        for port in range(first, last + 1)
        if port >> (16 - offset - length) & ((1 << length) - 1) == psid and (not offset or port >> (16 - offset))
    ]
    keys: dict[str, Any] = {"psid_offset": offset, "psid_length": length, "psid": psid}
    if not own:
        with pytest.raises(
            ValidationError, match=f"psid: {psid} is not allowed: one with a port from {first} to {last}"
        ):
            PoolIPv4(first_port=first, last_port=last, **keys)
        return
    assert PoolIPv4(first_port=first, last_port=last, addresses=3, **keys).size == 3 * len(own)


@pytest.mark.parametrize(
    ("keys", "line"),
    [
        (
            {"psid_offset": 6, "psid_length": 11},
            "psid_length: 11 is not allowed: 0 to 10, as psid_offset has the others",
        ),
        ({"psid_length": 4, "psid": 16}, "psid: 16 is not allowed: less than 16: psid_length says so"),
        ({"psid_offset": 4}, "psid_offset: 4 is not allowed: 0 without psid_length"),
    ],
)
def test_lines(keys: dict[str, int], line: str) -> None:
    with pytest.raises(ValidationError, match=line):
        PoolIPv4(**keys)
