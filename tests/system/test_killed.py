"""R9693-4.9-2: a device that dies is noticed by its silence, restarted and measured on, whatever its driver can see."""

from __future__ import annotations

import itertools
from typing import Any

import pytest

from tests.retries import attempts
from tests.system.requirements import needs_root
from tests.system.stateful_messages import counts
from tests.system.trials import ATTEMPTS
from tests.system.veth_reference import Killable, killable_nat44
from xlatperf.engine.errors import EngineError
from xlatperf.procedures.connections import Connections
from xlatperf.procedures.trial_request import TrialRequest
from xlatperf.run.experiment import first_phase_of

pytestmark = needs_root

COUNT = 1000
RATE_FPS = 10_000.0
TRIAL = TrialRequest(64, "ipv4", 1.0, 1.0, 0.2)
VALIDATION = TRIAL.experiment(Connections(COUNT, "each_once", RATE_FPS), RATE_FPS, "search")
_tags = itertools.count(0, 100)


def test_it_asks_again_when_asked() -> None:
    """Killed while nothing is measured: `resolve` says so, and a trial does not begin."""
    with killable_nat44() as nat:
        assert nat.engine.resolve().silent() == []
        assert nat.engine.resolve().silent() == []
        nat.device.kill()
        silent = [("left", "ipv4", "192.168.18.1"), ("right", "ipv4", "192.168.19.1")]
        assert nat.engine.resolve().silent() == silent
        with pytest.raises(EngineError, match=r"left: 192\.168\.18\.1 did not answer ARP within 3 s"):
            nat.trial(first_phase_of(VALIDATION), 1)
        nat.device.restart()
        assert nat.engine.resolve(10).silent() == []


def test_killed_during_an_experiment(monkeypatch: pytest.MonkeyPatch) -> None:
    """In phase 1, in phase 2, and between them."""
    with killable_nat44() as nat:
        assert passed(nat)
        for dies_in, phases in (("establish", 1), ("each_once", 2)):
            nat.dies_in = dies_in
            killed(nat, phases)
        nat.dies_in = None
        counted = nat.device.count_state

        def count_and_kill() -> int | None:
            held = counted()
            if held:
                nat.device.kill()
            return held

        with monkeypatch.context() as patched:
            patched.setattr(nat.device, "count_state", count_and_kill)
            killed(nat, 2)
        assert passed(nat), "the restarted device is measured like any other"


def killed(nat: Killable, phases: int) -> None:
    """An experiment of so many phases during which the device dies."""
    nat.phases.clear()
    found = nat.experiments().run(VALIDATION, next(_tags)).dump()["experiment"]
    assert found["collapsed"].startswith("the DUT at 192.168.18.1 on the left side did not answer ARP")
    assert found["collapsed"].endswith("; it was restarted")
    assert nat.phases == ["establish", "each_once"][:phases]


def passed(nat: Killable) -> bool:
    """One of a few experiments: the machine may hold the device up."""
    return any(_expected(nat.experiments().run(VALIDATION, next(_tags)).dump()) for _ in attempts(ATTEMPTS))


def _expected(answer: dict[str, Any]) -> bool:
    collapsed = answer["experiment"].get("collapsed")
    assert collapsed is None
    return "reverse" in answer and counts(answer, "reverse") == {"sent": COUNT, "expected": COUNT}
