"""What was learnt of the DUT, in results.json, and what is said of it."""

from __future__ import annotations

from pydantic import Field

from xlatperf.engine.message import DirectionName, TrafficClass
from xlatperf.procedures.learning import SUPPOSED_HOP_LIMIT, SUPPOSED_HOPS, Learnt
from xlatperf.results.trial_records import Record

NOT_DECREMENTED = "the DUT does not decrement it, as each hop must (RFC 1812 §5.3.1, RFC 8200 §3)"


SUPPOSED = f"{SUPPOSED_HOPS} hop and outer hop limit {SUPPOSED_HOP_LIMIT} are required where the bench says nothing"


class LearntRecord(Record):
    """Of frames of one direction and class; what the bench file says is None."""

    direction: DirectionName
    traffic_class: TrafficClass
    hops: int | None = Field(description="how often the DUT decrements hop limit or TTL")
    outer_hop_limit: int | None = Field(description="what it writes into the outer header (RFC 2473 §6.3)")
    untold: str | None = Field(description="why nothing was learnt; then what is supposed was required")
    trials: tuple[int, ...] = Field(description="numbers of the trials, among `learning_trials`")


def learnt_record(found: Learnt) -> LearntRecord:
    """As results.json has it."""
    return LearntRecord.model_validate(vars(found))


def in_words(found: LearntRecord) -> str:
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
