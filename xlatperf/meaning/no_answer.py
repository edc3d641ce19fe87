"""A DUT that does not answer ARP or Neighbor Discovery."""

from __future__ import annotations

from collections.abc import Sequence

from xlatperf.engine.direction_answer import Direction
from xlatperf.engine.trial_answer import TrialAnswer
from xlatperf.failures import Exit, KnownFailure

_MIXED = 64
"""So many frames of a mix have some of both classes, mostly."""
Silent = Sequence[tuple[str, str, str]]
"""Side, family and address of those that did not answer."""


class NoAnswer(KnownFailure):
    """The DUT does not answer ARP or Neighbor Discovery.

    `answer`: of the trial that it fell silent in; it is none, but what was counted is kept.
    """

    exit_code = Exit.MEASUREMENT_FAILED

    def __init__(self, text: str, answer: TrialAnswer | None = None) -> None:
        super().__init__(text)
        self.answer = answer


def no_answer(silent: Silent) -> str:
    """One line for all of them."""
    return "; ".join(no_answer_text(*one) for one in silent)


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


def no_answer_text(side: str, family: str, address: str) -> str:
    """One line for a gateway that did not answer."""
    question = "ARP" if family == "ipv4" else "Neighbor Discovery"
    return (
        f"the DUT at {address} on the {side} side did not answer {question}: is it up, is the address right "
        f"(tester.{side}.gateway_{family}), is the cable in the right port?"
    )
