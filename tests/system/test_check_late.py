"""`xlatperf check` of devices that are late, or change the order: slower, and nothing is wrong with them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.system.command import xlatperf
from tests.system.trials import RELAXED

LATE = "{ delay_us = 300000 }"
OVERTAKEN = "{ reorder = { every = 10, by = 3 } }"
NAT44 = 'name = "nat44"\npool = { first = "198.19.0.1" }'


@pytest.mark.parametrize(
    ("technology", "direction", "impairment", "remarks"),
    [
        ('name = "siit"', "forward", LATE, False),
        (NAT44, "reverse", LATE, False),
        (NAT44, "reverse", OVERTAKEN, True),
    ],
)
def test_nothing_is_wrong(tmp_path: Path, technology: str, direction: str, impairment: str, remarks: bool) -> None:
    """R2544-23: no frame of one trial comes in the next, as each waits for its own."""
    device = f'[device]\ndriver = "reference"\nimpair.{direction} = {impairment}\n{RELAXED}'
    (tmp_path / "bench.toml").write_text(f"[technology]\n{technology}\n{device}")
    ended = xlatperf("check", "bench.toml", "--duration", "0.1", "--timeout", "1", folder=tmp_path)
    assert ended.code == 0, ended.output
    assert "ll frames came back as they must" in ended.output
    assert "stale" not in ended.output
    assert ("overtaken" in ended.output) is remarks
    assert "reordered" not in ended.output, "each frame is of a flow of its own"
