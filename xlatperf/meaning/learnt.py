"""What is said of what the first frames told."""

from __future__ import annotations

from xlatperf.procedures.learning import SUPPOSED_HOP_LIMIT, SUPPOSED_HOPS, Learnt

NOT_DECREMENTED = "the DUT does not decrement it, as each hop must (RFC 1812 §5.3.1, RFC 8200 §3)"
SUPPOSED = f"{SUPPOSED_HOPS} hop and outer hop limit {SUPPOSED_HOP_LIMIT} are required where the bench says nothing"


def in_words(found: Learnt) -> str:
    """One line."""
    head = f"{found.direction}, {found.traffic_class}"
    if found.untold is not None:
        return f"{head}: not learnt: {found.untold}; {SUPPOSED}"
    told = []
    if found.hops is not None:
        told.append(f"hop limit or TTL is decremented by {found.hops}")
    if found.outer_hop_limit is not None:
        told.append(f"the outer hop limit is {found.outer_hop_limit}")
    said = f"{head}: {', '.join(told)}"
    return f"{said}: {NOT_DECREMENTED}" if found.hops == 0 else said
