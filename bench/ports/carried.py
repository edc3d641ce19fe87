"""What somebody sent over the ports and got back."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Carried:
    """`fps`: frames per second, both directions together, as they were sent. `arrived`: of those `sent`, as they must
    be."""

    fps: float
    sent: int
    arrived: int
