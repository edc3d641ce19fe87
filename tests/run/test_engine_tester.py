"""What the Tester asks of the engine: tags, rates one after the other, loopback, and events during a trial."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.simulated_device import SimulatedDevice
from xlatperf.config.load import parse_bench
from xlatperf.config.request import configure_message, open_message
from xlatperf.devices.device import DeviceError
from xlatperf.engine.client import Engine
from xlatperf.meaning.no_answer import NoAnswer
from xlatperf.procedures.trial_request import LEARNING, RateFor, Tags, TrialRequest
from xlatperf.run.runs import Run, cells
from xlatperf.run.tester import EngineTester

BENCH = parse_bench(
    'technology.name = "siit"\n[[measure]]\nprocedure = "latency"\nrate_fps = 100\nlearning_wait_s = 0\nsettle_s = 0',
    "b",
)
RUN = Run(cells(BENCH)[0], 1)
REQUEST = TrialRequest(84, "ipv6", 100.0, 0.5)


@pytest.fixture
def log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fake_engine: None) -> Path:
    monkeypatch.setenv("FAKE_LOG", str(tmp_path / "log"))
    return tmp_path / "log"


@pytest.fixture
def engine(log: Path) -> Iterator[Engine]:
    with Engine() as started:
        started.configure(configure_message(BENCH, (1, 1)))
        started.open(open_message(BENCH, "net_ring0", "net_ring1"))
        yield started


def asked(log: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in log.read_text().splitlines()]


def test_learning_frames_and_a_wait_come_first(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    """R2544-23: (b) learning frames, then a wait, (c) the trial."""
    did: list[object] = []
    resolve, trial = engine.resolve, engine.trial

    def learning(*of: Any) -> Any:
        did.append("learning")
        return resolve(*of)

    def stream(*of: Any) -> Any:
        did.append("trial")
        return trial(*of)

    monkeypatch.setattr(engine, "resolve", learning)
    monkeypatch.setattr(engine, "trial", stream)
    bench = parse_bench(
        'technology.name = "siit"\n[[measure]]\nprocedure = "latency"\nrate_fps = 100\nlearning_wait_s = 0.7', "b"
    )
    EngineTester(engine, bench, sleep=did.append).trial(Run(cells(bench)[0], 1), REQUEST, 3)
    assert did.index("learning") < did.index(0.7) < did.index("trial")


def test_the_message(engine: Engine, log: Path) -> None:
    request = replace(
        REQUEST,
        then=(RateFor(50.0, 1.0),),
        tags=Tags(500, 0.25),
        delay_variation=True,
        due_delays=True,
        histograms=True,
    )
    EngineTester(engine, BENCH).trial(RUN, request, 3)
    (message,) = asked(log)
    assert message["then"] == [{"rate_fps": 50.0, "duration_s": 1.0}]
    assert message["tags"] == {"count": 500, "from_s": 0.25}
    assert (message["delay_variation"], message["due_delays"], message["histograms"]) == (True, True, True)
    EngineTester(engine, BENCH).trial(RUN, REQUEST, 4)
    assert "tags" not in asked(log)[1]


def test_a_trial_that_brings_nothing_and_a_dut_that_no_longer_answers(
    log: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It's no loss, and nothing for the journal; a DUT that still answers has lost all."""
    monkeypatch.setenv("FAKE_CAPACITY_FPS", "0")
    monkeypatch.setenv("FAKE_SILENT", "3")
    said: list[str] = []
    with Engine() as engine:
        engine.configure(configure_message(BENCH, (1, 1)))
        engine.open(open_message(BENCH, "net_ring0", "net_ring1"))
        tester = EngineTester(engine, BENCH, say=said.append)
        lost_all = tester.trial(RUN, REQUEST, 1)
        assert lost_all.forward is not None
        assert lost_all.forward.foreground.expected == 0
        with pytest.raises(NoAnswer, match="on the left side did not answer Neighbor Discovery"):
            tester.trial(RUN, REQUEST, 2)
    assert said == ["  the DUT no longer answers; waiting up to 30 s for it"]


def test_a_dut_that_was_silent_when_the_trial_had_ended(log: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was lost until the end isn't its loss at this rate, also if it answers again: the trial is none."""
    monkeypatch.setenv("FAKE_CAPACITY_FPS", "60")
    monkeypatch.setenv("FAKE_SILENT", "3:1")
    with Engine() as engine:
        engine.configure(configure_message(BENCH, (1, 1)))
        engine.open(open_message(BENCH, "net_ring0", "net_ring1"))
        tester = EngineTester(engine, BENCH)
        lost = tester.trial(RUN, REQUEST, 1)
        assert lost.valid, "it answered: the loss is its own"
        silent = tester.trial(RUN, REQUEST, 2)
        assert not silent.valid
        assert [reason.code for reason in silent.reasons] == ["fell_silent"]
        assert "did not answer" in silent.reasons[0].text
        assert tester.trial(RUN, REQUEST, 3).valid
        reset = replace(REQUEST, event="manual", event_at_s=0.0)
        monkeypatch.setenv("FAKE_SILENT", "1:1")
        assert tester.trial(RUN, reset, 4).valid, "a reset is what is measured"


def test_a_restart_happens_in_this_thread_during_the_trial(engine: Engine) -> None:
    """PR_SET_PDEATHSIG: a process of the lab ends with the thread that started it."""
    seen: list[object] = []
    waits: list[float] = []

    def restart() -> None:
        seen.append(threading.current_thread())

    tester = EngineTester(engine, BENCH, waits.append, device=SimulatedDevice(restarts=restart))
    answer = tester.trial(RUN, replace(REQUEST, event="restart", event_at_s=0.2), 1)
    assert seen == [threading.current_thread()]
    assert 0.2 in waits
    assert answer.event is not None
    assert (answer.event.kind, answer.event.error) == ("restart", None)
    assert 0 <= answer.event.started_s <= answer.event.ended_s
    assert tester.trial(RUN, REQUEST, 2).event is None


def test_a_failed_restart_still_reads_the_answer(engine: Engine) -> None:
    def restart() -> None:
        raise DeviceError("no such process")

    tester = EngineTester(engine, BENCH, lambda _: None, device=SimulatedDevice(restarts=restart))
    request = replace(REQUEST, event="restart", event_at_s=0.0)
    failed = tester.trial(RUN, request, 1).event
    assert failed is not None
    assert failed.error == "no such process"
    assert tester.trial(RUN, request, 2).frame_tag == 2
    without = EngineTester(engine, BENCH, lambda _: None).trial(RUN, request, 3).event
    assert without is not None
    assert "no driver" in str(without.error)


def test_a_person_is_asked(engine: Engine) -> None:
    said: list[str] = []
    tester = EngineTester(engine, BENCH, lambda _: None, say=said.append)
    answer = tester.trial(RUN, replace(REQUEST, event="manual", event_at_s=0.0), 1)
    assert said == ["  reset the DUT now"]
    assert answer.event is not None
    assert answer.event.kind == "manual"


def test_the_tester_alone_has_an_engine_of_its_own(engine: Engine, monkeypatch: pytest.MonkeyPatch, log: Path) -> None:
    """In loopback the fake's DUT of 50,000 fps is not there."""
    monkeypatch.setenv("FAKE_CAPACITY_FPS", "1")
    request = replace(REQUEST, rate_fps=10_000.0, tester_alone=True)
    answer = EngineTester(engine, BENCH).trial(Run(RUN.cell, 0), request, 1)
    assert answer.forward is not None
    assert answer.forward.foreground.expected == 5000


@pytest.mark.parametrize(("settle_s", "counted_s"), [(0.0, 0.0), (0.4, 0.4), (50.0, 1.0)])
def test_the_rest_begins_with_a_look_at_what_comes_late(
    engine: Engine, log: Path, settle_s: float, counted_s: float
) -> None:
    """R2544-23 (d), (e): both are within the rest that the DUT has anyway; trials without load have none."""
    bench = parse_bench(
        'technology.name = "siit"\n[[measure]]\nprocedure = "latency"\nrate_fps = 100\nlearning_wait_s = 0\n'
        f"settle_s = {settle_s}",
        "b",
    )
    waits: list[float] = []
    tester, run = EngineTester(engine, bench, waits.append), Run(cells(bench)[0], 1)
    tester.trial(run, REQUEST, 1)
    tester.trial(run, REQUEST.without_load(1, 100.0, LEARNING), 2)
    tester.trial(run, REQUEST, 3)
    assert [message.get("settle_s", 0) for message in asked(log)] == [counted_s, 0, counted_s]
    rest_s = max(waits)
    assert settle_s - counted_s - 10 < rest_s <= max(0.0, settle_s - counted_s), "10 s have gone by otherwise, at most"
