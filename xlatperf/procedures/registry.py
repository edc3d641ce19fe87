"""All procedures: one line each, in the order of reports."""

from __future__ import annotations

from collections.abc import Mapping
from functools import reduce
from operator import or_
from typing import TYPE_CHECKING, Annotated

from pydantic import Field

from xlatperf.keys.in_words import either
from xlatperf.procedures.back_to_back import BackToBack
from xlatperf.procedures.capacity import Capacity
from xlatperf.procedures.establishment import Establishment
from xlatperf.procedures.frame_loss import FrameLoss
from xlatperf.procedures.ipdv import Ipdv
from xlatperf.procedures.latency import Latency
from xlatperf.procedures.pdv import Pdv
from xlatperf.procedures.procedure import Procedure
from xlatperf.procedures.reset import Reset
from xlatperf.procedures.soak import Soak
from xlatperf.procedures.system_recovery import SystemRecovery
from xlatperf.procedures.teardown import Teardown
from xlatperf.procedures.throughput import Throughput

PROCEDURES: tuple[type[Procedure], ...] = (
    Establishment,
    Teardown,
    Capacity,
    Throughput,
    FrameLoss,
    Latency,
    Pdv,
    Ipdv,
    BackToBack,
    SystemRecovery,
    Reset,
    Soak,
)
BY_NAME: Mapping[str, type[Procedure]] = {model.named(): model for model in PROCEDURES}

if TYPE_CHECKING:
    AnyProcedure = Procedure
else:
    AnyProcedure = Annotated[reduce(or_, PROCEDURES), Field(discriminator="procedure")]
"""`[[measure]]`, told apart by `procedure`."""

NAMES = either(list(BY_NAME))
"""In words."""


def order(procedure: Procedure) -> int:
    """RFC 9693 §4.2: the establishment rate first; RFC 8219 §7.2: then the throughput; others need both."""
    early = procedure.facts.of_connections or procedure.facts.finds is not None
    return PROCEDURES.index(type(procedure)) if early else len(PROCEDURES)
