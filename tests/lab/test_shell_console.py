"""The console's lines, with bash at the other end as in the machine, and with others that aren't."""

from __future__ import annotations

import socket
import subprocess
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from xlatperf.lab.error import LabError
from xlatperf.lab.shell_console import Ended, ShellConsole, agent, quoted

WAIT_S = 20.0


@pytest.fixture(scope="module")
def console(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ShellConsole]:
    """The machine's own agent, at a socket in place of a serial port."""
    folder = tmp_path_factory.mktemp("agent")
    here, there = socket.socketpair()
    process = subprocess.Popen(("bash", "-c", agent(f"folder={folder}\n")), stdin=there.fileno(), stdout=there.fileno())
    there.close()
    console = ShellConsole(here, "the other end")
    console.wait_for("READY", WAIT_S)
    yield console
    console.close()
    assert process.wait(WAIT_S) == 0, "it ends when its port does"


@pytest.mark.parametrize(
    ("script", "ended"),
    [
        ("echo one; echo two", Ended(0, "one\ntwo\n", "")),
        ("printf 'no newline'", Ended(0, "no newline", "")),
        ("echo wrong >&2; exit 3", Ended(3, "", "wrong\n")),
        ("false", Ended(1, "", "")),
        ('for one in a b; do\n  echo "$one"\ndone | tac', Ended(0, "b\na\n", "")),
        ("echo 'a b' \"$((1 + 1))\" \\\\ 'ü%'", Ended(0, "a b 2 \\ ü%\n", "")),
        ("cat", Ended(0, "", "")),
        ("head -c 200000 /dev/zero | tr '\\0' y", Ended(0, "y" * 200000, "")),
    ],
)
def test_what_bash_makes_of_it(console: ShellConsole, script: str, ended: Ended) -> None:
    assert console.run(script, WAIT_S) == ended


def test_one_script_changes_nothing_of_the_next(console: ShellConsole) -> None:
    console.run("cd /; set -e; one=1", WAIT_S)
    assert console.run("echo ${one:-unset}; false; echo on", WAIT_S).output == "unset\non\n"


@given(st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), max_size=200))
def test_any_text_comes_back(text: str) -> None:
    line = quoted(text)
    assert "\n" not in line
    assert line.isascii()
    done = subprocess.run(("bash", "-c", f'printf %s "$0"; printf %s {line}', text), capture_output=True, check=True)
    assert done.stdout == text.encode() * 2


def answered(*chunks: bytes) -> ShellConsole:
    """By another end that says this to whatever it gets, and closes."""
    here, there = socket.socketpair()

    def say() -> None:
        with there:
            there.recv(1000)
            for chunk in chunks:
                there.sendall(chunk)

    threading.Thread(target=say).start()
    return ShellConsole(here, "the other end")


@pytest.mark.parametrize(
    ("chunks", "said"),
    [
        ((b"no number\n",), r"answered b'no number' to a command"),
        ((b"0 1\n",), r"answered b'0 1' to a command"),
        ((b"0 5 0\nab",), "the other end has ended"),
        ((), "the other end has ended"),
    ],
)
def test_another_end(chunks: tuple[bytes, ...], said: str) -> None:
    console = answered(*chunks)
    with pytest.raises(LabError, match=said):
        console.run("true", WAIT_S)
    with pytest.raises(LabError, match=said):  # an answer that comes late would be taken for the next one's
        console.run("true", WAIT_S)
    console.close()


def test_an_answer_in_pieces() -> None:
    console = answered(b"0 4", b" 2\nw", b"ord", b"no")
    assert console.run("x", WAIT_S) == Ended(0, "word", "no")


def test_no_answer() -> None:
    here, there = socket.socketpair()
    console = ShellConsole(here, "the other end")
    with pytest.raises(LabError, match="doesn't answer"):
        console.run("sleep 100", 0.05)
    there.sendall(b"0 0 0\n")
    with pytest.raises(LabError, match="doesn't answer"):
        console.run("true", WAIT_S)
    there.close()


def test_it_ends_when_nobody_is_there_any_more(tmp_path: Path) -> None:
    """Somebody who has nothing to ask says an empty line."""
    here, there = socket.socketpair()
    lines = agent(f"folder={tmp_path} patience_s=1\n")
    process = subprocess.Popen(("bash", "-c", lines), stdin=there.fileno(), stdout=there.fileno())
    there.close()
    console = ShellConsole(here, "the other end")
    console.wait_for("READY", WAIT_S)
    started = time.monotonic()
    while time.monotonic() < started + 1.5:
        time.sleep(0.1)
        console.greet()
    assert console.run("echo on", WAIT_S).output == "on\n"
    process.wait(WAIT_S)
    with pytest.raises(LabError, match=r"the other end (has ended|takes no command)"):
        console.run("true", WAIT_S)
    console.close()
