"""Commands of the user's: what they write, how they fail, and that nobody waits longer than allowed."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from xlatperf.devices import user_command
from xlatperf.devices.user_command import SHOWN_LINES, CommandFailed, UserCommand


def failed(text: str, limit_s: float = 30) -> CommandFailed:
    with pytest.raises(CommandFailed) as caught:
        UserCommand("clear_command", text, limit_s).run()
    return caught.value


def test_output_is_what_it_writes_to_standard_output() -> None:
    assert UserCommand("count_command", "echo 7; echo 8 >&2", 30).run() == "7\n"
    assert UserCommand("count_command", "printf '%s' \"$XLATPERF_CORES\"", 30).run(XLATPERF_CORES="4") == "4"


def test_failure_has_its_words() -> None:
    failure = failed("echo out; echo one >&2; echo two >&2; exit 3")
    assert str(failure).startswith("device.clear_command: `echo out;")
    assert str(failure).endswith("failed with exit code 3: two")
    assert failure.output == ["out", "one", "two"]
    assert str(failed("exit 1")) == "device.clear_command: `exit 1` failed with exit code 1, and wrote nothing"
    assert "was ended by signal 9" in str(failed("kill -9 $$"))
    assert "no-such-program" in str(failed("no-such-program"))


def test_only_the_last_lines_are_shown() -> None:
    failure = failed("seq 1 1000; exit 1")
    assert failure.output == [str(number) for number in range(1001 - SHOWN_LINES, 1001)]
    assert len(failed("head -c 100000 /dev/zero | tr '\\0' x; exit 1").output[0]) < 1000


def test_not_in_time(tmp_path: Path) -> None:
    """All of it ends, also what the shell started."""
    started = time.monotonic()
    failure = failed(f"echo begun; (sleep 3; touch {tmp_path}/late) ; echo done", limit_s=0.2)
    assert "didn't end within 0.2 s (device.clear_command_limit_s): begun" in str(failure)
    time.sleep(max(0.0, started + 3.5 - time.monotonic()))
    assert not (tmp_path / "late").exists()


def test_nobody_waits_for_the_background(tmp_path: Path) -> None:
    """A restarted gateway keeps the command's output open; it stays."""
    written = UserCommand("restart_command", f"(sleep 1; touch {tmp_path}/still) & echo up", 30).run()
    assert written == "up\n"
    assert not (tmp_path / "still").exists(), "it was waited for"
    deadline = time.monotonic() + 20
    while not (tmp_path / "still").exists() and time.monotonic() < deadline:
        time.sleep(0.05)
    assert (tmp_path / "still").exists()


def test_what_takes_long_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(user_command, "FIRST_WORD_S", 0.1)
    monkeypatch.setattr(user_command, "NEXT_WORD_S", 0.2)
    said: list[str] = []
    UserCommand("clear_command", "sleep 1", 30, said.append).run()
    assert said
    assert all(line == "  device.clear_command has been running for 0 s, at most 30 s" for line in said[:1])
    assert len(said) <= 5
