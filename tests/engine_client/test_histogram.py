"""Delays of a histogram by their rank, as the report's own reader has them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from xlatperf.engine.delays import Histogram
from xlatperf.report.histogram import decode


@given(counts=st.dictionaries(st.integers(0, 20000), st.integers(1, 5), min_size=1), share=st.floats(0.01, 1))
def test_at_rank(counts: dict[int, int], share: float) -> None:
    histogram = Histogram(sub_bucket_bits=10, counts=tuple(counts.items()))
    ordered = decode({"sub_bucket_bits": 10, "counts": sorted(counts.items())})
    total = sum(counts.values())
    rank = max(1, round(share * total))
    assert histogram.at_rank(rank) == ordered.percentile(100 * rank / total)
    with pytest.raises(ValueError, match=f"it has {total} delays"):
        histogram.at_rank(total + 1)
