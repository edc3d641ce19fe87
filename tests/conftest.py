"""For all tests."""

from __future__ import annotations

import signal
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from tests import fake_engine as fake
from tests import retries

# How long an example takes says how busy the machine is.
settings.register_profile("xlatperf", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("xlatperf")

# Tests that xlatperf ends by it would wait for ever under nohup(1).
if signal.getsignal(signal.SIGHUP) == signal.SIG_IGN:
    signal.signal(signal.SIGHUP, signal.SIG_DFL)


@pytest.fixture
def fake_engine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The engine that xlatperf starts, until the test ends; its FAKE_... variables are the test's own."""
    program = tmp_path / "engine"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" "{fake.__file__}"\n')
    program.chmod(0o755)
    monkeypatch.setenv("XLATPERF_ENGINE", str(program))


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> None:
    """The last report of a test has what was measured again, by its fixtures too."""
    if call.when == "teardown" and (attempts := retries.take()):
        item.user_properties.append((retries.PROPERTY, attempts))


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Of all workers."""
    for name, value in report.user_properties if report.when == "teardown" else []:
        if name == retries.PROPERTY and isinstance(value, int):
            retries.told(report.nodeid, value)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """What was measured again."""
    for line in retries.in_words():
        terminalreporter.write_line(line)
