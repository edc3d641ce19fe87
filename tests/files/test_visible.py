"""What others wrote commands nothing."""

from __future__ import annotations

import pytest

from xlatperf.files.visible import visible


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("\x1b]0;x\x07", "\\x1b]0;x\\x07"),
        ("\x9b2J\x7f\r\0", "\\x9b2J\\x7f\\x0d\\x00"),
        ("ü\ta\nb", "ü\ta\nb"),
        ("", ""),
    ],
)
def test_control_characters(text: str, shown: str) -> None:
    assert visible(text) == shown
