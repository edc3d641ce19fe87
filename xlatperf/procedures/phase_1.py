"""Phase 1, which opens the connections that a measure is about (RFC 9693 §4.2)."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Phase1:
    """`given_fps`: its rate in connections per second where the bench file says it; else `share` of what was found.

    `may_lose`: the share of its frames that may be lost, as it only prepares.
    """

    given_fps: float | None
    share: float
    may_lose: float
