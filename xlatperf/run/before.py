"""What a campaign sees before anything is measured."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from xlatperf.procedures.first_look import FirstLook
from xlatperf.procedures.learning import Learnt
from xlatperf.procedures.negative import NegativeOutcome


@dataclass
class Before:
    """As far as it has come."""

    learnt: Sequence[Learnt] = ()
    looked: FirstLook = field(default_factory=lambda: FirstLook(untried="it has not come to it"))
    negative: Sequence[NegativeOutcome] = ()
