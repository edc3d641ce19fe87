"""Where the engine's program is."""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping
from pathlib import Path

from xlatperf.engine.errors import EngineDied

NAME = "xlatperf-engine"


def find_engine(environment: Mapping[str, str] | None = None) -> Path:
    """XLATPERF_ENGINE, else build/engine/xlatperf-engine beside the package, else PATH. EngineDied if there is none."""
    environment = os.environ if environment is None else environment
    named = environment.get("XLATPERF_ENGINE")
    if named:
        path = Path(named)
        if os.access(path, os.X_OK) and path.is_file():
            return path.resolve()
        raise EngineDied(f"XLATPERF_ENGINE: {named} is not a program")
    built = Path(__file__).resolve().parents[2] / "build" / "engine" / NAME
    if os.access(built, os.X_OK):
        return built
    found = shutil.which(NAME, path=environment.get("PATH"))
    if found:
        return Path(found)
    raise EngineDied(f"no {NAME}: build it (meson compile -C build), or set XLATPERF_ENGINE to its path")
