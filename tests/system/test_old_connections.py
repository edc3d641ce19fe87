"""A table that wasn't emptied lets old connections in, however late the device is in that direction."""

from __future__ import annotations

import pytest

from tests.system.stateful_gateway import stateful_gateway
from tests.system.stateful_messages import as_asked
from xlatperf.engine.trial_answer import TrialAnswer
from xlatperf.procedures.connections import TRIED, Connections
from xlatperf.procedures.trial_request import TrialRequest
from xlatperf.run.old_connections import OldConnections

COUNT, RATE_FPS, TIMEOUT_S = 100, 1000.0, 0.8
OPENING = TrialRequest(84, "ipv4", RATE_FPS, 0.1, TIMEOUT_S).experiment(
    Connections(COUNT, "establish"), RATE_FPS, "search"
)


@pytest.mark.parametrize(
    "late", [{"delay_us": 80_000}, {"delay_us": 300_000}, {"delays": [{"every": 2, "delay_us": 300_000}]}]
)
def test_late_in_reverse_only(late: dict[str, object]) -> None:
    """R9693-4.4-2: phase 1 comes at once, and says nothing of it."""
    with stateful_gateway("nat44") as gateway:

        def ask(request: TrialRequest, tag: int) -> TrialAnswer:
            return gateway.engine.trial(as_asked(request, tag))

        gateway.impair(reverse=late)
        old = OldConnections()
        old.remember(ask(OPENING, 1))
        assert old.let_in(ask, OPENING, 2) == (TRIED, TRIED), "nothing is known of that direction"
        old.saw(ask(OPENING.experiment(Connections(COUNT, "each_once"), RATE_FPS, "search"), 3))
        assert old.longest_s is not None
        assert old.let_in(ask, OPENING, 4) == (TRIED, TRIED)
