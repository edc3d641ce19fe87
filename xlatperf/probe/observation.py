"""One finding."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

State = Literal["ok", "limited", "missing"]


@dataclass(frozen=True)
class Observation:
    """A finding about `subject`: what is there and what follows (`text`), and what to do (`advice`, may be empty)."""

    state: State
    subject: str
    text: str
    advice: str = ""
