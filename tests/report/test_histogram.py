"""Decoding of the engine's histograms (docs/protocol.md)."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from xlatperf.report.histogram import RELATIVE_ERROR, decode, read
from xlatperf.results.statistics import percentile


def bucket(value: int) -> int:
    """The engine's bucket of a value, written from docs/protocol.md a second time."""
    if value < 1024:
        return value
    shift = value.bit_length() - 10
    return (shift + 1) * 512 + (value >> shift) - 512


def encode(values: list[int]) -> dict[str, object]:
    counts: dict[int, int] = {}
    for value in values:
        counts[bucket(value)] = counts.get(bucket(value), 0) + 1
    return {"sub_bucket_bits": 10, "counts": [[index, counts[index]] for index in sorted(counts)]}


@given(st.integers(0, 2**40))
def test_error_bound(value: int) -> None:
    (found,) = decode(encode([value])).value_ns
    assert abs(found - value) <= RELATIVE_ERROR * value
    if value < 1024:
        assert found == value


@given(st.lists(st.integers(0, 10**9), min_size=1), st.sampled_from([1.0, 50.0, 99.0, 99.9, 100.0]))
def test_percentiles(values: list[int], percent: float) -> None:
    """R8219-12-1 of the histogram is that of the values, within the error bound."""
    exact = percentile([float(value) for value in values], percent)
    assert abs(decode(encode(values)).percentile(percent) - exact) <= RELATIVE_ERROR * exact


def test_values_and_counts() -> None:
    delays = decode(encode([1, 2, 2, 3]))
    assert delays.value_ns.tolist() == [1, 2, 3]
    assert delays.count.tolist() == [1, 2, 1]
    assert [delays.percentile(percent) for percent in (25, 26, 75, 76)] == [1, 2, 2, 3]


def test_edges() -> None:
    """The first bucket that is 2 wide holds 1024 and 1025."""
    assert decode(
        {"sub_bucket_bits": 10, "counts": [[1023, 1], [1024, 1], [1535, 1], [1536, 1]]}
    ).value_ns.tolist() == [
        1023,
        1024.5,
        2046.5,
        2049.5,
    ]
    empty = decode({"sub_bucket_bits": 10, "counts": []})
    assert empty.value_ns.tolist() == []
    with pytest.raises(ValueError, match="at least one"):
        empty.percentile(50)
    with pytest.raises(ValueError, match="not a histogram"):
        decode({"counts": 3})


@pytest.mark.parametrize(
    ("bits", "counts"),
    [(2**63, []), (10**5, []), (0, []), (-3, []), (10, [[-1, 1]]), (10, [[1, -1]]), (10, [[2**40, 1]])],
)
def test_values_that_no_delay_has(bits: int, counts: list[list[int]]) -> None:
    """A file that was handed round."""
    with pytest.raises(ValueError, match="no delay has"):
        decode({"sub_bucket_bits": bits, "counts": counts})


def test_file(tmp_path: Path) -> None:
    path = tmp_path / "3.json"
    path.write_text(json.dumps({"trial": 3, "forward": {"foreground": {"delay": {"histogram": encode([5])}}}}))
    delays = read(path, "forward")
    assert delays is not None
    assert delays.value_ns.tolist() == [5]
    assert read(path, "reverse") is None
    assert read(path, "forward", "delay_from_due") is None
