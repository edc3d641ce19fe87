"""What all models of the engine's answers, of the journal and of results.json have in common."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict

DirectionName = Literal["forward", "reverse"]
SideName = Literal["left", "right"]
Family = Literal["ipv4", "ipv6"]
TrafficClass = Literal["foreground", "background"]
"""Translated or native frames (RFC 8219 §5.3)."""

DIRECTIONS: tuple[DirectionName, ...] = ("forward", "reverse")


class Message(BaseModel):
    """Base of all: frozen. Keys that aren't known are ignored: another version may say more (docs/results.md)."""

    model_config = ConfigDict(frozen=True, extra="ignore", populate_by_name=True, allow_inf_nan=False, defer_build=True)

    def dump(self) -> dict[str, Any]:
        """What was said, as JSON has it: without what is only a default, or follows from the rest."""
        return self.model_dump(mode="json", by_alias=True, exclude_unset=True, exclude_computed_fields=True)


class Clock(Message):
    """The engine's clock."""

    source: str
    hz: float
    uncertainty_ppm: float | None = None
    invariant: bool | None = None
