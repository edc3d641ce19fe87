"""What the classes of a mix lost, where it isn't alike: native IPv6 (RFC 8219 §5.3) takes another way through the DUT.

Loss of all frames together hides which of them are lost.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import sqrt

from xlatperf.engine.direction_answer import ClassCounters
from xlatperf.engine.message import DirectionName, TrafficClass
from xlatperf.keys.in_words import significant

DEVIATIONS = 4.0
"""Losses differ if they are so many standard deviations apart, as they would be by chance once in 15,000 trials."""

ClassLoss = Mapping[TrafficClass, float]
"""Percent of the frames of each class."""


def class_loss_percent(frames: Mapping[TrafficClass, ClassCounters]) -> dict[TrafficClass, float]:
    """Loss of each class in percent, where they differ; empty otherwise."""
    if len(frames) != 2 or not all(one.sent for one in frames.values()):
        return {}
    one, other = frames.values()
    together = sum(each.sent - each.expected for each in (one, other)) / (one.sent + other.sent)
    by_chance = sqrt(together * (1 - together) * (1 / one.sent + 1 / other.sent))
    if abs(one.loss_ratio - other.loss_ratio) <= DEVIATIONS * by_chance:
        return {}
    return {name: 100 * each.loss_ratio for name, each in frames.items()}


def shown(losses: ClassLoss) -> str:
    """`foreground 1.6 %, background 76 %`."""
    return ", ".join(f"{name} {significant(percent)} %" for name, percent in losses.items())


def limiting(losses: Mapping[DirectionName, ClassLoss]) -> str | None:
    """Of which class more is lost, and how much, in words; None where the classes don't differ."""
    if not any(losses.values()):
        return None
    most = list(dict.fromkeys(max(each, key=lambda name: each[name]) for each in losses.values() if each))
    each = "; ".join(f"{direction} {shown(one)}" for direction, one in losses.items() if one)
    return f"{' and '.join(most)} first ({each} lost)"
