"""What a trial's delays may contain that is the Tester's own, beside what it takes alone: hold-ups, and a full port."""

from __future__ import annotations

from collections.abc import Sequence

from xlatperf.procedures.in_words import shown
from xlatperf.procedures.quantity import Measured, Quantity, Value
from xlatperf.procedures.trial import Outcome

HELD_UP = Quantity(
    "longest hold-up of the Tester",
    "ns",
    "for so long its sender did nothing, nor did a receiver on the same core: what arrived meanwhile was stamped later",
    role="beside",
)
WAITED = Quantity(
    "longest wait in the Tester's port", "ns", "of a frame that had left, until the DUT took it", role="beside"
)


MUCH = 0.1
"""From this share of the longest delay, or of its variation, on it may explain what was measured."""


def own_delays(outcome: Outcome) -> tuple[Value, ...]:
    """Of each direction; 0: none."""
    return tuple(
        value
        for name, direction in outcome.directions.items()
        for departure in (direction.details.departure,)
        for value in (
            Value(HELD_UP, name, (departure.longest_stall_ns if departure is not None else None) or 0.0),
            Value(WAITED, name, direction.details.waited_ns),
        )
    )


def much(values: Sequence[Value], quantity: Quantity) -> float | None:
    """The longest of a repetition in ns, if it's much beside what was measured."""
    results = [abs(one.value) for one in values if one.quantity.role == "result" and one.value is not None]
    own = max((one.value or 0.0 for one in values if one.quantity is quantity), default=0.0)
    return own if own and own >= MUCH * max(results, default=0.0) else None


def measured_delays(outcome: Outcome, trials: tuple[int, ...], values: Sequence[Value], *remarks: str) -> Measured:
    """One repetition of a measure of delays."""
    own = own_delays(outcome)
    said = []
    if (held_up := much((*values, *own), HELD_UP)) is not None:
        said.append(f"the Tester was held up for {shown(held_up, 'ns')}")
    if (waited := much((*values, *own), WAITED)) is not None:
        said.append(f"frames waited for {shown(waited, 'ns')} in the Tester's own port")
    return Measured((*values, *own), trials, outcome.number, remarks, own=", ".join(said) or None)
