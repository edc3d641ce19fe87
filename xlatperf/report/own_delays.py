"""What of the delays may be the Tester's own, said where the delays are: else it would pass for the device's."""

from __future__ import annotations

from xlatperf.procedures.own_delays import HELD_UP, WAITED
from xlatperf.report.scale import best
from xlatperf.report.values import directions, find
from xlatperf.results.results import Measurement

_SAID = {
    HELD_UP: "the Tester itself was held up for as long as {longest} ({of}): so much of the longest delays may be its "
    "own",
    WAITED: "frames waited for {longest} or more in the Tester's own port until the device took them ({of}): the "
    "delays contain that",
}


def own_delays(item: Measurement) -> list[str]:
    """In a line each; nothing where it was little beside what was measured."""
    said = []
    for quantity, text in _SAID.items():
        series = (find(item, quantity, name) for name in directions(item))
        much = [one for found in series if found is not None for one in found.values if one.remark]
        if much:
            of = f"{len({one.repetition for one in much})} of {len(item.repetitions)} trials"
            said.append(text.format(longest=best(max(one.value or 0.0 for one in much)), of=of))
    return said
