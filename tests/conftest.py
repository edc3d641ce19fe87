"""For all tests."""

from __future__ import annotations

import pytest

from tests import retries


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """What was measured again."""
    for line in retries.in_words():
        terminalreporter.write_line(line)
