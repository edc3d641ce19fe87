"""Reads the histograms of delays that a campaign keeps in `histograms/`, one file per trial.

A file is `{"trial": 3, "run": "...", "forward": {"foreground": {"delay": HISTOGRAM, "delay_from_due": HISTOGRAM},
"background": ..., "together": ...}, "reverse": ...}`, the last two where there is background; docs/protocol.md says
what HISTOGRAM is.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from xlatperf.engine.message import TrafficClass
from xlatperf.files.reading import parse_json, read_text

RELATIVE_ERROR = 1 / 1024
"""A value is off by at most this share of itself: half a bucket's width over its lower edge. Below 1024 ns: exact."""


_MOST_BITS, _VALUE_BITS = 32, 62
"""Of a bucket's number within its power of two, and of a value in ns: 146 years."""


@dataclass(frozen=True)
class Delays:
    """Delays in ascending order: `value_ns` is the middle of a bucket that holds `count` of them."""

    value_ns: npt.NDArray[np.float64]
    count: npt.NDArray[np.int64]

    def percentile(self, percent: float) -> float:
        """Smallest x with F(x) >= percent / 100 (RFC 2330 §11.3). ValueError without delays."""
        total = int(self.count.sum())
        if not total:
            raise ValueError("a percentile needs at least one value")
        rank = int(np.ceil(round(percent * total / 100, 9)))
        return float(self.value_ns[np.searchsorted(np.cumsum(self.count), max(1, rank))])


def decode(histogram: Mapping[str, Any]) -> Delays:
    """A HISTOGRAM of docs/protocol.md. Raises ValueError if it is none."""
    try:
        pairs = np.array(histogram["counts"], dtype=np.int64).reshape(-1, 2)
        bits = int(histogram["sub_bucket_bits"])
    except (KeyError, TypeError, ValueError, OverflowError) as error:
        raise ValueError("not a histogram of docs/protocol.md") from error
    index, count = pairs[:, 0], pairs[:, 1]
    half = 1 << (min(max(bits, 1), _MOST_BITS) - 1)
    shift = np.maximum(index // half - 1, 0)
    if not 1 <= bits <= _MOST_BITS or (pairs < 0).any() or (shift + bits > _VALUE_BITS).any():
        raise ValueError("a histogram of values that no delay has")
    low = np.where(index < 2 * half, index, (half + index % half) << shift)
    middle = low + ((np.int64(1) << shift) - 1) / 2  # the values are whole: a bucket 2 wide holds low and low + 1
    return Delays(middle.astype(np.float64), count)


def read(
    path: Path,
    direction: Literal["forward", "reverse"],
    what: Literal["delay", "delay_from_due"] = "delay",
    traffic_class: TrafficClass | None = None,
) -> Delays | None:
    """The delays of one direction of a file, of one class or of all frames; None if the file does not have them.

    Raises OSError, ValueError.
    """
    found: Any = parse_json(read_text(path))
    found = found.get(direction) if isinstance(found, dict) else None
    together = isinstance(found, dict) and "together" in found
    for name in (traffic_class or ("together" if together else "foreground"), what, "histogram"):
        found = found.get(name) if isinstance(found, dict) else None
    return None if found is None else decode(found)
