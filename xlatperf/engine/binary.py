"""Where the engine's program is."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from xlatperf.engine.errors import EngineDied
from xlatperf.files.own_programs import ENGINE


def find_engine(environment: Mapping[str, str] | None = None) -> Path:
    """XLATPERF_ENGINE, else what is built or installed (files/own_programs.py). EngineDied if there is none."""
    try:
        return ENGINE.find(environment)
    except ValueError as error:
        raise EngineDied(str(error)) from error
