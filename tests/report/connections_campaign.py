"""A campaign through a simulated NAT44 whose rates, table and CPU use are known, over connections and over alpha."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from tests.report.environments import ENVIRONMENT as STATELESS
from tests.simulated_campaign import campaign
from tests.simulated_connections import StatefulEngine, StatefulTester
from xlatperf.engine.mappings import Mappings
from xlatperf.engine.trial_answer import TrialAnswer
from xlatperf.procedures.trial import Trial
from xlatperf.procedures.trial_request import TrialRequest
from xlatperf.report.series import alpha_of
from xlatperf.results.frames import SideSizes
from xlatperf.results.results import Measurement, Results
from xlatperf.results.selftest_records import SelfTestEntry

_COMMON = "frame_sizes = [84]\nsettle_s = 0\nmaximum_fps = 200000\nstop_width_percent = 1\nmedia_mbps = 10000\n"
BENCH = f"""
title = "NAT44 by nftables"
technology.name = "nat44"
technology.pool = {{ first = "198.19.1.1", addresses = 2, first_port = 1024, last_port = 65535 }}
device.driver = "nft-nat44"
traffic.connections.client_ports = {{ first = 1024, last = 41023 }}
[[measure]]
procedure = "establishment"
connections = [4000, 40000, 400000]
repetitions = 3
{_COMMON}
[[measure]]
procedure = "establishment"
alpha = 0.2
connections = [40000]
repetitions = 1
{_COMMON}
[[measure]]
procedure = "establishment"
alpha = 0.8
connections = [40000]
repetitions = 1
{_COMMON}
[[measure]]
procedure = "establishment"
alpha = 1.5
connections = [40000]
repetitions = 1
{_COMMON}
[[measure]]
procedure = "teardown"
connections = [4000, 40000]
repetitions = 3
frame_sizes = [84]
settle_s = 0
[[measure]]
procedure = "capacity"
safe_connections = 10000
minimum_phase_1_s = 0.1
repetitions = 1
tolerated_error = 1000
{_COMMON}
[[measure]]
procedure = "throughput"
connections = [4000, 40000]
duration_s = 1
repetitions = 3
{_COMMON}
"""
ENVIRONMENT: dict[str, Any] = {
    **STATELESS,
    "device": {
        "nft.rules": "table ip nat { }",
        "net.netfilter.nf_conntrack_max": "65536",
        "net.netfilter.nf_conntrack_buckets": "16384",
    },
}


class Device(StatefulEngine):
    """By connections it establishes at 62, 60 and 45 thousand per second, forwards 150 and 120; holds 65,536."""

    def cleared(self, held: int) -> None:
        """In 1 ms, and 1 us for each that it held; 1 ms more or less by repetition."""
        self.sleep(0.001 + held * 1e-6 + (held > 0) * self._around(1e-3))

    def cpu(self, request: TrialRequest) -> dict[str, float]:
        """CLAT limits, unless phase 2 goes through many connections: then none does."""
        wanted = request.connections
        assert wanted is not None
        if wanted.phase != "steady":
            return {"clat": 0.98, "plat": 0.41}
        return {"clat": 0.99, "plat": 0.97} if wanted.count < 40_000 else {"clat": 0.5, "plat": 0.3}

    def mappings(self, connections: int, examples: int = 4) -> Mappings:
        """Two addresses, a quarter of the ports kept."""
        third = connections // 3
        addresses = (("198.19.1.1", connections - third), ("198.19.1.2", third))
        return super().mappings(connections).model_copy(update={"addresses": addresses, "ports_kept": connections // 4})

    def trial(self, request: TrialRequest, frame_tag: int) -> TrialAnswer:
        wanted = request.connections
        assert wanted is not None
        thousands = 62 if wanted.count < 40_000 else 60 if wanted.count < 400_000 else 45
        self.establish_fps = 1000 * (thousands + self._around(1))
        self.throughput_fps = 1000 * ((150 if wanted.count < 40_000 else 120) + self._around(1))
        return super().trial(request, frame_tag)

    def _around(self, step: float) -> float:
        return {2: -step, 3: step}.get(self.repetition, 0.0)


ALONE = SelfTestEntry(
    frame_size_named=84,
    frame_size=SideSizes(left=84, right=84),
    direction="forward",
    phase="establish",
    limit_fps=600_000.0,
    ceiling_fps=None,
    reason="sent less than intended",
    delays=(),
)


@cache
def _run() -> Results:
    tester = StatefulTester(engine=Device, client_ports=40_000, validate_fps=40_000, table=65_536 - 2)
    tester.device.own = 2
    with tempfile.TemporaryDirectory(prefix="xlatperf-test-") as path:
        return _as_if_longer(campaign(Path(path) / "campaign", tester, BENCH, alone=(ALONE,)))


def _as_if_longer(found: Results) -> Results:
    """Its rates are known, and not those of buffers, although its phases 1 are as short as tests are."""
    return found.model_copy(update={"measurements": tuple(_own_limit(one) for one in found.measurements)})


def _own_limit(item: Measurement) -> Measurement:
    repetitions = tuple(
        one.model_copy(update={"limited_by": "dut"}) if one.limited_by == "buffers" else one for one in item.repetitions
    )
    return item.model_copy(update={"repetitions": repetitions})


def results(**changes: Any) -> Results:
    """The whole campaign; `changes` replace parts of it."""
    return _run().model_copy(update=changes)


def measurements() -> tuple[Measurement, ...]:
    """All of them."""
    return _run().measurements


def measured(procedure: str, *, alpha: float | None = None) -> Measurement:
    """The first one of a procedure."""
    return next(one for one in measurements() if one.procedure == procedure and alpha_of(one) == alpha)


def experiment(number: int, *, wrong: Mapping[str, int] | None = None, **mappings: Any) -> Trial:
    """Phase 1 with 40,000 connections and this number; `mappings`: what the Responder found otherwise."""
    of_forty = next(one for one in measurements() if one.connections is not None and one.connections.count == 40_000)
    final = of_forty.repetitions[0].final_trial
    trial = next(one for one in results().trials if one.number == final)
    assert trial.experiment is not None
    assert trial.experiment.mappings is not None
    assert trial.forward is not None
    found = trial.experiment.model_copy(update={"mappings": trial.experiment.mappings.model_copy(update=mappings)})
    wrong = wrong or {}
    class_ = trial.forward.foreground
    missing = sum(wrong.values())
    foreground = class_.model_copy(update={"wrong": wrong, "expected": class_.expected - missing})
    forward = trial.forward.model_copy(update={"foreground": foreground, "loss": missing})
    return trial.model_copy(update={"number": number, "experiment": found, "forward": forward})
