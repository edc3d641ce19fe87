"""How long a trial takes, with its waits (RFC 2544 §23, RFC 9693 §4.4).

Without what a device takes by itself: to empty its table, to restart, to answer.
"""

from __future__ import annotations

from xlatperf.procedures.procedure import Procedure
from xlatperf.procedures.trial_request import WITHOUT_LOAD, TrialRequest


def trial_s(measure: Procedure, request: TrialRequest) -> float:
    """In s: learning frames and the wait behind them, its phases, the wait for the last frames, the device's rest."""
    wanted = request.connections
    if wanted is not None and not wanted.count:
        return 0.0
    if request.purpose in WITHOUT_LOAD:
        return request.sending_s
    waits = 0.0 if request.tester_alone else measure.learning_wait_s + measure.settle_s
    return waits + _first_phase_s(request) + request.sending_s + request.timeout_s


def _first_phase_s(request: TrialRequest) -> float:
    """Of phase 1 where another phase follows, with the wait for its last frames and the one between both."""
    wanted = request.connections
    if wanted is None or wanted.phase == "establish" or not wanted.establish_fps:
        return 0.0
    return wanted.count / wanted.establish_fps + request.timeout_s + wanted.wait_s
