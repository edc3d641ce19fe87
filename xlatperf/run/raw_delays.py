"""Each frame's delay as a Parquet file, for those who want to look at more than a histogram.

The engine writes pairs of 64-bit numbers (docs/protocol.md, `raw_delays`); pandas and DuckDB read the Parquet file.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from xlatperf.files.writing import own_folder

FOLDER = "raw"
PAIR = [("number", "<u8"), ("delay_ns", "<u8")]


class NoParquet(Exception):
    """The package that writes Parquet is missing; the message is one line for the user."""


def check() -> None:
    """Raises NoParquet before anything is measured."""
    try:
        import pyarrow.parquet  # noqa: F401
    except ImportError as error:
        raise NoParquet(
            "raw_delays = true needs the package pyarrow, which is not installed: pip install 'xlatperf[raw]'"
        ) from error


def unfinished(folder: Path, frame_tag: int) -> Path:
    """Where the engine writes; made if absent."""
    return own_folder(folder.resolve() / FOLDER) / f"unfinished-{frame_tag}"


def keep(files: Sequence[str], trial: int) -> tuple[str, ...]:
    """Turns the engine's files into `raw/TRIAL-DIRECTION-CLASS.parquet`, with the columns number and delay_ns.

    Rows are in the order of arrival; numbers are of the frames of both classes together, so that neighbours in time
    can be told. Returns the files' names in the campaign's folder.
    """
    import numpy as np
    import pyarrow as arrow
    import pyarrow.parquet as parquet

    kept = []
    for name in files:
        source = Path(name)
        direction, of = source.stem.rsplit("-", 2)[1:]
        pairs = np.fromfile(source, dtype=PAIR)
        target = source.with_name(f"{trial}-{direction}-{of}.parquet")
        table = arrow.table({"number": pairs["number"], "delay_ns": pairs["delay_ns"]})
        parquet.write_table(table, target.with_suffix(".new"))
        target.with_suffix(".new").replace(target)
        source.unlink()
        kept.append(f"{FOLDER}/{target.name}")
    return tuple(kept)
