"""Procedures at a rate, run on a trial that has it."""

from __future__ import annotations

from xlatperf.procedures.at_rate import AtRate
from xlatperf.procedures.conditions import Conditions
from xlatperf.procedures.ipdv import Ipdv
from xlatperf.procedures.latency import Latency
from xlatperf.procedures.pdv import Pdv
from xlatperf.procedures.quantity import Measured
from xlatperf.procedures.trial import Measure
from xlatperf.procedures.trial_request import TrialRequest

LATENCY = Latency(procedure="latency", tags_from_s=1.0, histogram=False)
PDV = Pdv(procedure="pdv")
IPDV = Ipdv(procedure="ipdv")


def run(procedure: AtRate, trial: TrialRequest, measure: Measure) -> Measured:
    """One repetition."""
    return procedure.run(Conditions(trial, maximum_fps=trial.rate_fps, rate_fps=trial.rate_fps), measure)
