"""What is told is printed as it is: Rich knows 3,600 words, and some of them stand in IPv6 addresses."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from rich._emoji_codes import EMOJI
from rich.table import Table

import xlatperf
from xlatperf.commands.screen import lines_to, screen
from xlatperf.run.progress import PlainReporter

ADDRESSES = tuple(f"2001:db8:{word}:1" for word in EMOJI)
"""Of all words, also those that can't stand in an address."""


def test_no_word_becomes_a_picture(capsys: pytest.CaptureFixture[str]) -> None:
    assert {"2001:db8:b:1", "2001:db8:100:1", "2001:db8:abc:1"} <= set(ADDRESSES)
    console = screen()
    for address in ADDRESSES:
        lines_to(console)(address)
        PlainReporter(console).say(address)
    assert capsys.readouterr().out == "".join(f"{one}\n{one}\n" for one in ADDRESSES)


def test_nor_in_a_table(capsys: pytest.CaptureFixture[str]) -> None:
    table = Table(title="of 2001:db8:b:1")
    table.add_column("to 2001:db8:b:2", no_wrap=True)
    for address in ADDRESSES:
        table.add_row(f"[{address}]")
    screen().print(table)
    shown = capsys.readouterr().out
    for one in ("of 2001:db8:b:1", "to 2001:db8:b:2", *(f"[{address}]" for address in ADDRESSES)):
        assert one in shown


def test_there_is_no_other_console() -> None:
    root = Path(xlatperf.__file__).parent
    text = {path: path.read_text(encoding="utf-8") for path in root.rglob("*.py")}
    makes = [
        path for path, one in text.items() if re.search(r"\b(Console|_Screen)\(", one.replace("class _Screen(", ""))
    ]
    assert makes == [root / "commands" / "screen.py"]


def test_nobody_commands_the_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    """What a device's command writes, and a folder's name."""
    console = screen()
    lines_to(console)("kernel: \x1b[2J\x1b]0;owned\x07\x9b1m\r over\ttabs\nand lines")
    PlainReporter(console).say("\x00\x7f")
    assert capsys.readouterr().out == (
        "kernel: \\x1b[2J\\x1b]0;owned\\x07\\x9b1m\\x0d over\ttabs\nand lines\n\\x00\\x7f\n".expandtabs()
    )
