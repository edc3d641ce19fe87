"""A DUT that does not answer ARP or Neighbor Discovery, or that can't, as the Tester's own port has no link."""

from __future__ import annotations

from collections.abc import Sequence

from xlatperf.engine.direction_answer import Direction
from xlatperf.engine.messages import AddressConflict, ResolveAnswer
from xlatperf.engine.trial_answer import TrialAnswer
from xlatperf.failures import Exit, KnownFailure

_MIXED = 64
"""So many frames of a mix have some of both classes, mostly."""


class NoAnswer(KnownFailure):
    """The DUT does not answer ARP or Neighbor Discovery, or what was started for it has ended.

    `answer`: of the trial that it fell silent in; it is none, but what was counted is kept.
    """

    exit_code = Exit.MEASUREMENT_FAILED

    def __init__(self, text: str, answer: TrialAnswer | None = None) -> None:
        super().__init__(text)
        self.answer = answer


def unanswered(found: ResolveAnswer) -> list[str]:
    """A line for each gateway that did not answer, or not alone; instead, of a port without a link, that."""
    lines = [f"the Tester's {side} port has no link: {why}" for side, why in found.down.items()]
    for side, family, address in found.silent():
        if side not in found.down:
            lines.append(no_answer_text(side, family, address, found.other_tags.get(side, ())))
    return lines + [conflict_text(side, conflict) for side, of_side in found.conflicts.items() for conflict in of_side]


def no_answer(found: ResolveAnswer) -> str:
    """One line for all of them; empty: all answered."""
    return "; ".join(unanswered(found))


def may_have_died(answer: TrialAnswer) -> bool:
    """Of a class of a direction nothing came as it must, or its last frame is lost: a loss, if the DUT works at all."""
    return any(
        any(counters.expected == 0 for counters in direction.classes.values() if counters.sent)
        or (direction.last_lost is not None and direction.last_lost + _last(direction) >= direction.sent)
        for direction in answer.directions.values()
    )


def _last(direction: Direction) -> int:
    """So many frames may be the last one of some class."""
    return 1 if direction.background is None else _MIXED


def conflict_text(side: str, conflict: AddressConflict) -> str:
    """One line for an address that several stations claim."""
    by_name = "" if conflict.own else f", or name the DUT's by tester.{side}.gateway_mac"
    return f"{side}: {conflict.text}; frames may go to either: take one off the link{by_name}"


def no_answer_text(side: str, family: str, address: str, other_tags: Sequence[str] = ()) -> str:
    """One line for a gateway that did not answer; `other_tags`: that frames had there in place of the link's."""
    question = "ARP" if family == "ipv4" else "Neighbor Discovery"
    if other_tags:
        return (
            f"the DUT at {address} on the {side} side did not answer {question}, but frames came with "
            f"{' and with '.join(other_tags)}: is tester.{side}.vlan right?"
        )
    return (
        f"the DUT at {address} on the {side} side did not answer {question}: is it up, is the address right "
        f"(tester.{side}.gateway_{family}), is the cable in the right port?"
    )
