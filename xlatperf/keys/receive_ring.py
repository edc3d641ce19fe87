"""How many frames a port's receive ring should hold, so that a Tester that is held up for a moment loses none."""

from __future__ import annotations

import math

HOLD_UP_S = 0.010
"""A host takes a core away for so long now and then, also from a program that has it for itself."""


def ring_for(asked_fps: float, least: int, most: int) -> int:
    """A power of two, from `least` to `most`, that lasts HOLD_UP_S at this rate if there is such a one.

    0 frames/s: nobody knows the rate.
    """
    if math.isinf(asked_fps):
        return most
    wanted = max(asked_fps * HOLD_UP_S, 1)
    return min(max(least, 1 << math.ceil(math.log2(wanted))), most)
