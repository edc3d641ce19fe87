"""What is said of what the first frames told."""

from __future__ import annotations

from xlatperf.keys.in_words import plural
from xlatperf.procedures.learning import Learnt

NOT_DECREMENTED = "the DUT does not decrement it, as each hop must (RFC 1812 §5.3.1, RFC 8200 §3)"


def untold(found: Learnt) -> str:
    """Why it wasn't learnt, and what is required then."""
    supposed = [plural(found.hops, "hop")] if found.hops is not None else []
    supposed += [f"outer hop limit {found.outer_hop_limit}"] if found.outer_hop_limit is not None else []
    verb = "is" if len(supposed) == 1 and found.hops in (None, 1) else "are"
    return f"{found.untold}; {' and '.join(supposed)} {verb} required, as the bench says nothing"


def in_words(found: Learnt) -> str:
    """One line."""
    head = f"{found.direction}, {found.traffic_class}"
    if found.untold is not None:
        return f"{head}: not learnt: {untold(found)}"
    told = []
    if found.hops is not None:
        told.append(f"hop limit or TTL is decremented by {found.hops}")
    if found.outer_hop_limit is not None:
        told.append(f"the outer hop limit is {found.outer_hop_limit}")
    said = f"{head}: {', '.join(told)}"
    return f"{said}: {NOT_DECREMENTED}" if found.hops == 0 else said
