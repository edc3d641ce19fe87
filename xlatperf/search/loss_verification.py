"""Binary search with loss verification: a trial with loss is repeated before its value has failed.

ETSI GS NFV-TST 009 §12.3.3: loss that has nothing to do with the value under test (an interrupt, say) shall not end
the search. RFC 9004 §6.2 asks for it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class LossVerification:
    """`maximum_repeats`: max(r). `repeat_up_to`: z, a trial that loses more is not repeated; None: infinity."""

    maximum_repeats: int = 2
    repeat_up_to: int | None = None

    def verified(self, lost: Callable[[float], int | None]) -> Callable[[float], bool]:
        """The verdict on a value; `lost` runs a trial and says how many frames were lost, None: it can't be done."""

        def passes(value: float) -> bool:
            for _ in range(self.maximum_repeats + 1):
                frames = lost(value)
                if frames == 0:
                    return True
                if frames is None or (self.repeat_up_to is not None and frames > self.repeat_up_to):
                    return False
            return False

        return passes
