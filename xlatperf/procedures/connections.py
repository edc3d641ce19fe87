"""What a trial has to do with connections of a stateful DUT (RFC 9693 §3.1, §4.4)."""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields
from typing import Any, Literal

OWN_ENTRIES = 16
"""A kernel's table has some entries of its own traffic; they are reported (`held_before`)."""
TRIED = 10
"""So many frames on old connections are no load, and take no room: a DUT may make entries of them."""

ACCIDENT_SHARE = 0.05
"""What lost a larger share of its connections lost it by no accident."""

Phase = Literal["establish", "each_once", "steady"]


@dataclass(frozen=True)
class Connections:
    """Connections that a trial opens or uses; with them, the trial is one experiment of RFC 9693 §4.4.

    An experiment begins with an empty connection tracking table. `establish` is phase 1 alone: one frame opens each of
    `count` connections at the trial's rate. The other phases come after such a phase 1 at `establish_fps`: `each_once`
    is the validation (§4.6), one frame back on each connection; `steady` is phase 2 (§4.7), for the trial's duration.
    `clear`: then measure how long deleting the whole table takes (§4.8); with a count of 0, of an empty table.

    `draw` chooses the four tuples, so that experiments don't share them; `some`: of `each_once`, only so many of the
    connections, whatever phase 1 has learnt. Procedures leave them to the experiment.

    `again`: of `establish`, behind all of them a frame on each of the first so many once more.
    `may_lose`: the share of phase 1's frames that may be lost before another phase: the connections of these are then
    opened by a frame more (`keep`: of `establish`, on those of the phase 1 before, left to the experiment).
    `reuse`: those of the experiment before, if they are so many and have not been deleted: no table is emptied, and
    there is no phase 1. For trials that measure nothing.
    """

    count: int
    phase: Phase
    establish_fps: float | None = None
    wait_s: float = 0.0
    clear: bool = False
    draw: int = 0
    some: int | None = None
    again: int = 0
    reuse: bool = False
    may_lose: float = 0.0
    keep: bool = False

    def record(self) -> dict[str, Any]:
        """As written to the journal: what most don't have is absent."""
        known = asdict(self)
        return {item.name: known[item.name] for item in fields(self) if known[item.name] != item.default}

    def duration_s(self, rate_fps: float) -> float | None:
        """How long one frame for each connection takes; None with `steady`, whose duration is free."""
        return None if self.phase == "steady" else self.frames / rate_fps

    @property
    def frames(self) -> int:
        """One for each connection, where that is so."""
        return (self.some or self.count) + self.again
