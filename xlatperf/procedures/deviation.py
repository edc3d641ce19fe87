"""Where something else is done than a standard says."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from pydantic import Field


@dataclass(frozen=True)
class Deviation:
    """Where this campaign does something else than the standard says."""

    section: str
    standard: Annotated[str, Field(description="what the standard says")]
    here: Annotated[str, Field(description="what was done, and why")]
