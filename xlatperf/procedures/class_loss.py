"""What the classes of a mix lost, where it isn't alike: native IPv6 (RFC 8219 §5.3) takes another way through the DUT.

Loss of all frames together hides which of them are lost.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import sqrt
from typing import Protocol

from xlatperf.engine.message import DirectionName, TrafficClass

DEVIATIONS = 4.0
"""Losses differ if they are so many standard deviations apart, as they would be by chance once in 15,000 trials."""

ClassLoss = Mapping[TrafficClass, float]
"""Percent of the frames of each class."""


class Counted(Protocol):
    """Counters of one class."""

    @property
    def sent(self) -> int:
        """Frames."""

    @property
    def expected(self) -> int:
        """Those that came back as they must."""


def class_loss_percent(classes: Iterable[tuple[TrafficClass, Counted]]) -> dict[TrafficClass, float]:
    """Loss of each class (RFC 2544 §26.3: what isn't as expected) in percent, where they differ; empty otherwise."""
    frames = dict(classes)
    if len(frames) != 2 or not all(one.sent for one in frames.values()):
        return {}
    one, other = frames.values()
    shares = [(each.sent - each.expected) / each.sent for each in (one, other)]
    together = sum(each.sent - each.expected for each in (one, other)) / (one.sent + other.sent)
    by_chance = sqrt(together * (1 - together) * (1 / one.sent + 1 / other.sent))
    if abs(shares[0] - shares[1]) <= DEVIATIONS * by_chance:
        return {}
    return {name: 100 * share for name, share in zip(frames, shares, strict=True)}


def shown(losses: ClassLoss) -> str:
    """`foreground 1.6 %, background 76 %`."""
    return ", ".join(f"{name} {percent:.3g} %" for name, percent in losses.items())


def limiting(losses: Mapping[DirectionName, ClassLoss]) -> str | None:
    """Of which class more is lost, and how much, in words; None where the classes don't differ."""
    if not any(losses.values()):
        return None
    most = list(dict.fromkeys(max(each, key=lambda name: each[name]) for each in losses.values() if each))
    each = "; ".join(f"{direction} {shown(one)}" for direction, one in losses.items() if one)
    return f"{' and '.join(most)} first ({each} lost)"
