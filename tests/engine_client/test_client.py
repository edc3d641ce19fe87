"""The client against a fake engine."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

import pytest

from tests.simulated_dut import answer, capacity
from xlatperf.config.load import parse_bench
from xlatperf.config.request import configure_message, open_message
from xlatperf.engine.binary import find_engine
from xlatperf.engine.client import Engine, parse
from xlatperf.engine.errors import EngineDied, EngineError
from xlatperf.engine.trial_answer import TrialAnswer
from xlatperf.procedures.trial_request import TrialRequest

FAKE = Path(__file__).resolve().parents[1] / "fake_engine.py"
BENCH = parse_bench('technology.name = "siit"', "b")
TRIAL = {
    "request": "trial",
    "number": 3,
    "frame_size": 84,
    "frame_size_of": "ipv6",
    "rate_fps": 60000,
    "duration_s": 1,
    "timeout_s": 0,
    "directions": ["forward", "reverse"],
}


HOLD_UP_S = 9.0
"""Of client or engine, which is borne where a test looks at the clock."""


def fake(margin_s: float = 10.0) -> Engine:
    return Engine(command_prefix=(sys.executable,), binary=FAKE, margin_s=margin_s)


def alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def test_a_whole_conversation() -> None:
    with fake() as engine:
        assert engine.configure(configure_message(BENCH, (1, 1))).left.routes[0].class_ == "foreground"
        assert engine.open(open_message(BENCH, "a", "b")).left.driver == "net_ring"
        assert len(engine.show(84, "ipv6", 2)) == 4
        assert engine.resolve().silent() == []
        trial = engine.trial(TRIAL)
        assert trial.forward is not None
        assert trial.forward.foreground.lost == 10000
    assert not alive(engine.pid)


def test_a_refusal_leaves_the_engine_up() -> None:
    with fake() as engine:
        with pytest.raises(EngineError, match="request: dance is not allowed"):
            engine.ask({"request": "dance"}, 1)
        assert engine.resolve()


def test_death_tells_the_last_words(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FAKE_DIE_AT", "3")
    with (
        fake() as engine,
        pytest.raises(EngineDied, match=r"ended with status 7; it last said: EAL: something terrible"),
    ):
        engine.trial(TRIAL)
    with pytest.raises(EngineDied):
        engine.resolve()


def test_silence_has_a_limit() -> None:
    with fake(margin_s=0.2) as engine:
        began = time.monotonic()
        with pytest.raises(EngineDied, match=r"did not answer within 0\.3 s"):
            engine.ask({"request": "silence"}, 0.1)
        assert time.monotonic() - began < 0.3 + HOLD_UP_S


def test_an_answer_to_something_else() -> None:
    with fake() as engine, pytest.raises(EngineDied, match="answered 'something else' to 'nonsense'"):
        engine.ask({"request": "nonsense"}, 1)


def test_an_answer_that_is_not_as_the_protocol_says() -> None:
    document = answer(TrialRequest(84, "ipv6", 10, 1), capacity(10))
    del document["forward"]["foreground"]["lost"]
    with pytest.raises(EngineDied, match=r"forward\.foreground\.lost"):
        parse(document, TrialAnswer)


def test_close_twice_and_a_program_that_does_not_listen() -> None:
    engine = Engine(command_prefix=(sys.executable, "-c", "import time; time.sleep(60)"), binary=FAKE)
    engine._process.close(patience_s=0.2)
    engine.close()
    assert not alive(engine.pid)


def test_no_program() -> None:
    with pytest.raises(EngineDied, match="can't be started"):
        Engine(binary=Path("/nonexistent/engine"))


def test_where_the_engine_is(tmp_path: Path) -> None:
    program = tmp_path / "engine"
    program.write_text("#!/bin/sh\n")
    with pytest.raises(EngineDied, match="is not a program"):
        find_engine({"XLATPERF_ENGINE": str(program)})
    program.chmod(0o755)
    assert find_engine({"XLATPERF_ENGINE": str(program)}) == program


def test_ctrl_c_is_not_for_the_engine() -> None:
    """A process group of its own, but our session: another would be another group of the scheduler's (sched(7))."""
    with Engine(command_prefix=(sys.executable,), binary=FAKE) as engine:
        assert os.getpgid(engine.pid) == engine.pid != os.getpgid(0)
        assert os.getsid(engine.pid) == os.getsid(0)
