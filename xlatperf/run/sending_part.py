"""A part of a technology sends alone: a MAP domain, softwires with as many ports (negative tests)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from xlatperf.engine.errors import EngineError
from xlatperf.procedures.trial import MeasurementFailed


def configure(ask: Callable[[dict[str, Any]], object], message: dict[str, Any], part: int | None) -> None:
    """Raises MeasurementFailed for a part that can't: the engine alone knows who of it is simulated. EngineError."""
    try:
        ask(message)
    except EngineError as error:
        if part is None:
            raise
        raise MeasurementFailed(f"they can't be sent alone: {str(error).removeprefix('configure.')}") from error
