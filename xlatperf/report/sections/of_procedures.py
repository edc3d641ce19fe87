"""What the report says of all procedures, in their order: by itself, or as a file here says."""

from __future__ import annotations

from xlatperf.procedures.registry import PROCEDURES
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

_SAID = {
    one.procedure: one
    for one in (
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
}
OF_PROCEDURES = tuple(_SAID.get(one, OfProcedure(procedure=one)) for one in PROCEDURES)
