"""A pytest plugin: in which folders of tests the time goes (`make test TIMES=1`)."""

from __future__ import annotations

from collections import Counter, defaultdict

import pytest

_seconds: defaultdict[str, float] = defaultdict(float)
_tests: Counter[str] = Counter()


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Set-up and tear-down count for the test that needed them."""
    folder = report.nodeid.partition("::")[0].rpartition("/")[0]
    _seconds[folder] += report.duration
    _tests[folder] += report.when == "call"


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """One line for each folder, the longest first."""
    terminalreporter.section("seconds by folder")
    for folder, seconds in sorted(_seconds.items(), key=lambda item: -item[1]):
        terminalreporter.write_line(f"{seconds:8.1f}  {_tests[folder]:5} tests  {folder}")
