"""How late an empty loop is on a core: no Tester on that core can be better."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

PROGRAM = Path(__file__).parents[2] / "build" / "bench" / "accuracy-spin"


def latest_ns(core: int, rate_fps: int, frames: int) -> float | None:
    """99.9th percentile over as many due times, in ns. None: the program is missing or failed."""
    try:
        said = subprocess.run(
            [str(PROGRAM), str(core), str(rate_fps), str(frames)],
            capture_output=True,
            text=True,
            timeout=60 + frames / rate_fps,
            check=True,
        )
        return float(json.loads(said.stdout)["p999_ns"])
    except (OSError, subprocess.SubprocessError, ValueError, KeyError):
        return None
