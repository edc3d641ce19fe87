"""Devices that poll: neither their processor time nor what they leave of their cores says anything about their load."""

from __future__ import annotations

from collections.abc import Sequence

from xlatperf.devices.device import POLLS
from xlatperf.report.evidence import Evidence


def pollers(evidence: Evidence, parts: Sequence[str]) -> list[str]:
    """Of the parts of a device those that do; of two devices in a row the parts of that one."""
    facts = evidence.part("device")
    if POLLS in facts:
        return list(parts)
    return [part for part in parts if f"{part.partition(' ')[0]}.{POLLS}" in facts]
