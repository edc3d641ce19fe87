"""Signals: exceptions in our process, the end of a forked child, and patience while the DUT is removed."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from pathlib import Path

import pytest

from xlatperf.run.signals import ENDING_SIGNALS, Interrupted, signals_as_exceptions, undisturbed


def test_a_signal_becomes_an_exception() -> None:
    with pytest.raises(Interrupted) as caught, signals_as_exceptions():
        os.kill(os.getpid(), signal.SIGTERM)
        time.sleep(1)
    assert caught.value.number == signal.SIGTERM
    assert not isinstance(caught.value, Exception)


@pytest.mark.parametrize("number", ENDING_SIGNALS)
def test_a_signal_in_a_destructor_comes_again(number: int, capfd: pytest.CaptureFixture[str]) -> None:
    """Python lets no exception out of one, nor out of a hook of fork: the run would go on to its end."""

    class Destroyed:
        def __del__(self) -> None:
            os.kill(os.getpid(), number)
            for _ in range(10):
                time.sleep(0)

    hook = sys.unraisablehook
    with pytest.raises(Interrupted) as caught, signals_as_exceptions():
        Destroyed()
        time.sleep(10)
    assert caught.value.number == number
    assert sys.unraisablehook is hook
    assert capfd.readouterr().err == ""


def test_it_comes_again_before_its_thread_has_started(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """As on a busy host: its exception would be raised where Python lets none out either."""
    slow = [0.2]

    class Timer(threading.Timer):
        def start(self) -> None:
            super().start()
            time.sleep(slow.pop() if slow else 0)

    class Destroyed:
        def __del__(self) -> None:
            raise Interrupted(signal.SIGTERM)

    monkeypatch.setattr(threading, "Timer", Timer)
    with pytest.raises(Interrupted), signals_as_exceptions():
        Destroyed()
        time.sleep(10)
    assert slow == []
    assert capfd.readouterr().err == ""


@pytest.mark.parametrize("ignored", [True, False])
def test_a_terminal_that_is_closed(ignored: bool) -> None:
    """nohup(1) says that it doesn't matter."""
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN if ignored else signal.SIG_DFL)
    ended = False
    try:
        with signals_as_exceptions():
            os.kill(os.getpid(), signal.SIGHUP)
    except Interrupted:
        ended = True
    finally:
        assert signal.signal(signal.SIGHUP, before) == (signal.SIG_IGN if ignored else signal.SIG_DFL)
    assert ended != ignored


def test_too_much_processor_time() -> None:
    assert Interrupted(signal.SIGXCPU).told == [
        "ended by SIGXCPU (it has used as much processor time as it may: ulimit -t)"
    ]


def test_other_faults_of_destructors_are_shown(capfd: pytest.CaptureFixture[str]) -> None:
    class Faulty:
        def __del__(self) -> None:
            raise ValueError("a fault")

    hook, sys.unraisablehook = sys.unraisablehook, sys.__unraisablehook__
    try:
        with signals_as_exceptions():
            Faulty()
    finally:
        sys.unraisablehook = hook
    assert "ValueError: a fault" in capfd.readouterr().err


def test_signals_wait_while_the_dut_is_removed() -> None:
    removed = False
    with pytest.raises(Interrupted), signals_as_exceptions(), undisturbed():
        os.kill(os.getpid(), signal.SIGINT)
        removed = True
    assert removed


def test_a_forked_child_does_not_run_our_finally_blocks(tmp_path: Path) -> None:
    """pyroute2 forks a child and ends it by SIGTERM: the DUT must not be removed by that."""
    mark = tmp_path / "removed"
    with signals_as_exceptions():
        try:
            child = os.fork()
            if child == 0:
                time.sleep(30)
                os._exit(0)
            time.sleep(0.05)
            os.kill(child, signal.SIGTERM)
            _, status = os.waitpid(child, 0)
        finally:
            if os.getpid() != child:
                mark.touch(exist_ok=False)
    assert os.waitstatus_to_exitcode(status) == 128 + signal.SIGTERM
