"""Each procedure has its part of the report."""

from __future__ import annotations

from xlatperf.procedures.registry import PROCEDURES
from xlatperf.report.sections.of_procedures import OF_PROCEDURES


def test_all_in_their_order() -> None:
    assert tuple(one.procedure for one in OF_PROCEDURES) == PROCEDURES
