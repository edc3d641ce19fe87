"""What the report says of all procedures: one line each, in the order of the report."""

from __future__ import annotations

from xlatperf.report.of_procedure import OfProcedure
from xlatperf.report.sections import (
    back_to_back,
    capacity,
    establishment,
    frame_loss,
    ipdv,
    latency,
    pdv,
    reset,
    soak,
    system_recovery,
    teardown,
    throughput,
)

OF_PROCEDURES: tuple[OfProcedure, ...] = (
    establishment.REPORT,
    teardown.REPORT,
    capacity.REPORT,
    throughput.REPORT,
    frame_loss.REPORT,
    latency.REPORT,
    pdv.REPORT,
    ipdv.REPORT,
    back_to_back.REPORT,
    system_recovery.REPORT,
    reset.REPORT,
    soak.REPORT,
)
