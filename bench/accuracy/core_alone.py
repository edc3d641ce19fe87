"""How late an empty loop is on a core: no Tester on that core can be better."""

from __future__ import annotations

import json
import subprocess
from dataclasses import dataclass
from pathlib import Path

PROGRAM = Path(__file__).parents[2] / "build" / "bench" / "accuracy-spin"


@dataclass(frozen=True)
class Late:
    """Percentiles of how late it was, in ns (RFC 2330 §11.3)."""

    p50_ns: float
    p99_ns: float
    p999_ns: float


def late(core: int, rate_fps: int, frames: int) -> Late | None:
    """Over so many due times. None: the program is missing or failed."""
    try:
        said = subprocess.run(
            [str(PROGRAM), str(core), str(rate_fps), str(frames)],
            capture_output=True,
            text=True,
            timeout=60 + frames / rate_fps,
            check=True,
        )
        found = json.loads(said.stdout)
        return Late(*(float(found[key]) for key in ("p50_ns", "p99_ns", "p999_ns")))
    except (OSError, subprocess.SubprocessError, ValueError, KeyError):
        return None
