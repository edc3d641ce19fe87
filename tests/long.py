"""What `make test-long` does more of: real time, dice, many examples. docs/contributing.md lists it with reasons."""

from __future__ import annotations

import os

import pytest

LONG = os.environ.get("XLATPERF_LONG") == "1"

more = pytest.mark.more
"""`make test` runs this with less, `make test-long` with more."""
only_long = pytest.mark.skipif(not LONG, reason="part of `make test-long`")
"""Together with `more`: nothing of it is in `make test`."""


def by_length(short: int, long: int) -> int:
    """How many, or how long, in `make test` and in `make test-long`."""
    return long if LONG else short
