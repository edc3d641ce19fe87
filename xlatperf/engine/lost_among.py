"""Who lost frames are between, beside those that came (docs/protocol.md, `LOST_AMONG`)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import model_validator

from xlatperf.engine.message import Message
from xlatperf.engine.shown import Shown


class LostAmong(Message):
    """The first frames of a class in the order of their numbers; a column has a value for each.

    `columns`: always `number` and `lost` (1 or 0), and what the technology's frames have. `example`: the first lost.
    `groups`: what the values of `domain` are called, if the bench file has no names for them.
    """

    columns: Mapping[str, tuple[int, ...]]
    example: Shown
    groups: tuple[str, ...] = ()

    @model_validator(mode="before")
    @classmethod
    def _of_one_length(cls, told: Any) -> Any:
        if isinstance(told, dict) and len({len(column) for column in told.get("columns", {}).values()}) > 1:
            raise ValueError("columns: not of one length")
        return told

    @property
    def lost(self) -> tuple[bool, ...]:
        """Of each frame."""
        return tuple(map(bool, self.columns["lost"]))
