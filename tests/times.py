"""A pytest plugin: in which folders of tests the time goes, and what waited for what (`make test TIMES=1`)."""

from __future__ import annotations

import functools
import subprocess
import time
from collections import Counter, defaultdict
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from tests.engine_system.engine_process import EngineProcess
from tests.system.prepared import Prepared
from xlatperf.engine.client import Engine
from xlatperf.lab.daemon import Daemon

SPENT = "waited for"
"""What a parallel worker tells at its end: seconds and calls, by what was waited for."""
_seconds: defaultdict[str, float] = defaultdict(float)
_tests: Counter[str] = Counter()
_spent: defaultdict[str, float] = defaultdict(float)
_calls: Counter[str] = Counter()
_inside: list[str] = []


def _counted(what: str | Callable[..., str], function: Callable[..., Any]) -> Callable[..., Any]:
    """What is called by something that is counted itself counts there."""

    @functools.wraps(function)
    def counting(*arguments: Any, **named: Any) -> Any:
        if _inside:
            return function(*arguments, **named)
        name = what if isinstance(what, str) else what(*arguments)
        _inside.append(name)
        started = time.perf_counter()
        try:
            return function(*arguments, **named)
        finally:
            _inside.pop()
            _spent[name] += time.perf_counter() - started
            _calls[name] += 1

    return counting


def _kind(request: str) -> str:
    kinds = {"trial": "the engine's trials", "open": "engines that start"}
    return kinds.get(request, "other requests to the engine")


def _request(_: Engine, message: dict[str, Any], *__: Any) -> str:
    return _kind(message["request"])


def _bare_request(_: EngineProcess, request: str) -> str:
    return _kind(request)


def _command(process: subprocess.Popen[str], *_: Any) -> str:
    """`xlatperf check` and others, or the program's name."""
    words = [str(one) for one in process.args] if isinstance(process.args, list | tuple) else [str(process.args)]
    if ("-m", "xlatperf") in pairwise(words):
        return f"xlatperf {words[words.index('xlatperf') + 1]}"
    return f"other commands: {Path(words[0]).name}"


def pytest_configure() -> None:
    """From now on; what runs in processes of its own (a command, a campaign) is one number."""
    for owner, method, what in (
        (Engine, "ask", _request),
        (Engine, "close", "engines that end"),
        (EngineProcess, "ask", _bare_request),
        (EngineProcess, "receive", "other requests to the engine"),
        (EngineProcess, "wait", "engines that end"),
        (Daemon, "start", "devices that start"),
        (Daemon, "wait_until", "devices that start or answer"),
        (Daemon, "stop", "devices that end"),
        (subprocess.Popen, "communicate", _command),
        (Prepared, "communicate", lambda process, *_: f"xlatperf {process.arguments[0]}"),
        (time, "sleep", "waits"),
    ):
        setattr(owner, method, _counted(what, getattr(owner, method)))


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Set-up and tear-down count for the test that needed them."""
    folder = report.nodeid.partition("::")[0].rpartition("/")[0]
    _seconds[folder] += report.duration
    _tests[folder] += report.when == "call"


def pytest_sessionfinish(session: pytest.Session) -> None:
    """A parallel worker (pytest-xdist) hands over what it has."""
    told = getattr(session.config, "workeroutput", None)
    if told is not None:
        told[SPENT] = {name: [seconds, _calls[name]] for name, seconds in _spent.items()}


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    """A worker has ended; one that was killed has told nothing."""
    for name, (seconds, calls) in getattr(node, "workeroutput", {}).get(SPENT, {}).items():
        _spent[name] += seconds
        _calls[name] += calls


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """One line for each folder, and for each kind of waiting, the longest first."""
    terminalreporter.section("seconds by folder")
    for folder, seconds in sorted(_seconds.items(), key=lambda item: -item[1]):
        terminalreporter.write_line(f"{seconds:8.1f}  {_tests[folder]:5} tests  {folder}")
    terminalreporter.section("seconds by what was waited for")
    for name, seconds in sorted(_spent.items(), key=lambda item: -item[1]):
        terminalreporter.write_line(f"{seconds:8.1f}  {_calls[name]:5} times  {name}")
    rest = sum(_seconds.values()) - sum(_spent.values())
    terminalreporter.write_line(f"{rest:8.1f}               the tests' own work")
