"""Connections through a device in a virtual machine, whose pace is that of software emulation."""

from __future__ import annotations

from tests.system.command import REPOSITORY
from xlatperf.commands.check_trials import CheckTrials
from xlatperf.config.bench import Bench
from xlatperf.config.request import ALL_FOREGROUND, configure_message
from xlatperf.procedures.connections import Connections
from xlatperf.procedures.trial import Trial
from xlatperf.procedures.trial_request import TrialRequest
from xlatperf.run.session import Session

COUNT = 300


def example(name: str) -> str:
    return (REPOSITORY / "examples" / f"{name}.toml").read_text(encoding="utf-8")


def validated(bench: Bench, running: Session, frame_size: int) -> Trial:
    """Each connection opened, and one frame back on it."""
    trials = CheckTrials(bench, running, 0)
    trials.configure(configure_message(bench, ALL_FOREGROUND))
    request = TrialRequest(frame_size, "ipv6", 1000, 0.2, 1.0)
    return trials.undisturbed(request.experiment(Connections(COUNT, "each_once", 1000, 0.1), 1000, "check"))


def all_came(trial: Trial) -> None:
    forward, reverse = trial.first_phase.forward, trial.reverse
    assert forward is not None
    assert reverse is not None
    for counts in (forward.foreground, reverse.foreground):
        assert (counts.expected, counts.wrong, counts.sent) == (COUNT, {}, COUNT)
