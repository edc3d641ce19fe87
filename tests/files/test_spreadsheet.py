"""Nothing in a table runs in a spreadsheet."""

from __future__ import annotations

import pytest

from xlatperf.files.spreadsheet import harmless


@pytest.mark.parametrize("text", ["=HYPERLINK(1)", "+1+cmd|' /C calc'!A0", "-2+3", "@SUM(1)", "\t=1", "\r=1", "\n=1"])
def test_what_would_run(text: str) -> None:
    assert harmless(text) == f"'{text}".replace("\r", "\\x0d")


def test_what_would_command_a_terminal() -> None:
    assert harmless("a\x1b[2Jb") == "a\\x1b[2Jb"


@pytest.mark.parametrize("value", ["", "a=b", "-1.5", "+3", "-1e-9", -5, 2.5, None, "throughput", "'=1"])
def test_what_stays(value: object) -> None:
    assert harmless(value) is value
