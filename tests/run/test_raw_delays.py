"""The engine's pairs of numbers become Parquet files."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow.parquet as parquet

from xlatperf.run import raw_delays


def test_pairs_become_parquet(tmp_path: Path) -> None:
    """Nothing is lost or rounded on the way, and the engine's own file is gone."""
    written = raw_delays.unfinished(tmp_path, 7).with_name("unfinished-7-forward-background.bin")
    np.array([(0, 1500), (2, 2**63), (1, 3)], dtype=raw_delays.PAIR).tofile(written)
    kept = raw_delays.keep([str(written)], trial=12)
    assert kept == ("raw/12-forward-background.parquet",)
    assert not written.exists()
    table = parquet.read_table(tmp_path / kept[0])
    assert table.column("number").to_pylist() == [0, 2, 1]
    assert table.column("delay_ns").to_pylist() == [1500, 2**63, 3]
