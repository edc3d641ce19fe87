"""Repeats refused trials, a stated number of times for each row, and counts why they were refused."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

from bench.accuracy.order import Order
from bench.accuracy.row import REFUSED
from bench.accuracy.taken import Taken

Take = Callable[[Order], Taken]
Refuse = Callable[[Taken], Sequence[str]]


def nothing_more(_: Taken) -> Sequence[str]:
    """No further reason to refuse a trial."""
    return ()


class Attempts:
    """The trials of one row."""

    def __init__(self, take: Take, most: int, say: Callable[[str], None] = lambda _: None) -> None:
        """After `most` refused trials the row gives up."""
        self._take = take
        self._most = most
        self._say = say
        self.trials = 0
        self._refusals: Counter[str] = Counter()

    def once(self, order: Order, refuse: Refuse = nothing_more) -> Taken | None:
        """One attempt; None if it is refused. `refuse`: what the row itself has against it."""
        self.trials += 1
        taken = self._take(order)
        reasons = [*taken.refusals(order.calm), *refuse(taken)]
        if not reasons:
            return taken
        self._refusals.update([REFUSED, *dict.fromkeys(reasons)])
        self._say(f"    refused ({', '.join(dict.fromkeys(reasons))})")
        return None

    def accepted(self, order: Order, refuse: Refuse = nothing_more) -> Taken | None:
        """The first that isn't refused; None if too many were."""
        while self._refusals[REFUSED] < self._most:
            taken = self.once(order, refuse)
            if taken is not None:
                return taken
        return None

    @property
    def refusals(self) -> dict[str, int]:
        """How many were refused, and why."""
        return dict(self._refusals)
