"""What a trial's delays may contain that is the Tester's own, beside what it takes alone: hold-ups, and a full port."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from xlatperf.engine.message import DirectionName
from xlatperf.procedures.quantity import Quantity, Value
from xlatperf.procedures.trial import Trial

HELD_UP = Quantity(
    "longest hold-up of the Tester",
    "ns",
    "for so long its sender did nothing, nor did a receiver on the same core: what arrived meanwhile was stamped later",
    role="beside",
)
WAITED = Quantity(
    "longest wait in the Tester's port", "ns", "of a frame that had left, until the DUT took it", role="beside"
)
_MEANING = {
    HELD_UP: "the Tester itself was held up for so long that the longest delays may be its own",
    WAITED: "frames waited so long in the Tester's own port until the DUT took them that the delays show it",
}
_MUCH = 0.1
"""From this share of the longest delay, or of its variation, on."""


def own_delays(outcome: Trial, values: Sequence[Value]) -> Iterator[Value]:
    """Of each direction; 0: none. With a remark where it's much beside what was measured, which is in `values`."""
    for name, direction in outcome.directions.items():
        held_up_ns = direction.departure.longest_stall_ns
        longest_ns = _longest_ns(values, name)
        for quantity, own_ns in ((HELD_UP, held_up_ns or 0.0), (WAITED, direction.waited_ns)):
            much = own_ns > 0 and own_ns >= _MUCH * longest_ns
            yield Value(quantity, name, own_ns, _MEANING[quantity] if much else None)


def _longest_ns(values: Sequence[Value], direction: DirectionName) -> float:
    results = (one.value for one in values if one.quantity.role == "result" and one.direction == direction)
    return max((abs(value) for value in results if value is not None), default=0.0)
