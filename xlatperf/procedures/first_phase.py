"""Phase 1 before phase 2: without all connections there is nothing that phase 2 could say (RFC 9693 §4.2, §4.7)."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from xlatperf.procedures.trial import Outcome
    from xlatperf.procedures.trial_request import TrialRequest


def not_established(request: TrialRequest, outcome: Outcome) -> tuple[str, ...] | None:
    """Why the connections of a phase 2 trial are not all there, then details; None: they are, or it needs none."""
    wanted = request.connections
    if wanted is None or wanted.phase != "steady":
        return None
    if outcome.collapsed is not None:
        return f"the DUT collapsed with {wanted.count:,} connections", outcome.collapsed
    first = outcome.first_phase
    if first is outcome and outcome.directions:
        return None  # phase 2 took place, and nobody speaks of phase 1
    if first.passed({}):
        return None
    phase = f"phase 1 at {wanted.establish_fps or 0:,.0f} fps"
    if not first.valid:
        return f"{phase} was not valid", *first.why_invalid
    lost = first.lost if first.directions else wanted.count
    return f"{phase} lost {lost:,} of {wanted.count:,} connections", "phase 2 can't be measured without them"
