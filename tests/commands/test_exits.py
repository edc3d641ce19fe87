"""Exit codes and words where nobody listens any more, where little can be shown, and of what isn't our failure."""

from __future__ import annotations

import errno
import os
import pty
import resource
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.commands.test_campaign import BENCH
from xlatperf.commands.app import run_app
from xlatperf.commands.exits import ended
from xlatperf.commands.screen import screen
from xlatperf.engine.errors import EngineDied, EngineError
from xlatperf.failures import Exit
from xlatperf.meaning.no_answer import NoAnswer
from xlatperf.run.journal_content import JournalError
from xlatperf.run.signals import Interrupted

SLOW = BENCH.replace("settle_s = 0", "settle_s = 60")
XLATPERF = (sys.executable, "-m", "xlatperf")


def test_a_terminal_that_is_closed(tmp_path: Path, fake_engine: None) -> None:
    """As its shell is told: ended by SIGHUP, though not a word can be written."""
    (tmp_path / "b.toml").write_text(SLOW)
    ours, theirs = pty.openpty()
    command = ("setsid", "--ctty", "--wait", *XLATPERF, "run", "b.toml", "--folder", "c", "--skip-selftest")
    process = subprocess.Popen(command, cwd=tmp_path, stdin=theirs, stdout=theirs, stderr=theirs)
    try:
        os.close(theirs)
        journal = tmp_path / "c" / "journal.jsonl"
        deadline = time.monotonic() + 60
        while not (journal.is_file() and journal.read_bytes().count(b"\n") >= 2) and time.monotonic() < deadline:
            os.set_blocking(ours, False)
            try:
                os.read(ours, 65536)
            except BlockingIOError:
                time.sleep(0.02)
        os.close(ours)
        assert process.wait(30) == 128 + signal.SIGHUP
    finally:
        process.kill()
        process.wait()


def test_a_reader_that_has_gone(tmp_path: Path) -> None:
    """`xlatperf init siit | head -1`, and no words of the interpreter's own."""
    for arguments in (("init", "siit"), ("init", "--help")):
        reading, writing = os.pipe()
        os.close(reading)
        done = subprocess.run((*XLATPERF, *arguments), stdout=writing, stderr=subprocess.PIPE, timeout=60, check=False)
        os.close(writing)
        assert (done.returncode, done.stderr) == (128 + signal.SIGPIPE, b"")


def test_only_ascii(tmp_path: Path) -> None:
    (tmp_path / "µ.toml").write_text("technology = 1\n")
    done = subprocess.run(
        (*XLATPERF, "check", "µ.toml"),
        cwd=tmp_path,
        env={**os.environ, "PYTHONIOENCODING": "ascii"},
        capture_output=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 2
    assert done.stderr.startswith(b"\\xb5.toml: ")


@pytest.mark.parametrize("arguments", [("--version",), ("--help",), ("init", "siit"), ("probe",)])
def test_a_full_disk_behind_standard_output(arguments: tuple[str, ...]) -> None:
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            (*XLATPERF, *arguments), stdout=full, stderr=subprocess.PIPE, text=True, timeout=60, check=False
        )
    assert (done.returncode, done.stderr) == (2, "standard output: No space left on device\n")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("a = " + "9" * 5000, "an integer with thousands of digits"),
        ("a = 0x" + "f" * 6000, "a: an integer with thousands of digits"),
        ("a = [{ b = 0b" + "1" * 20000 + " }]", "a[0].b: an integer with thousands of digits"),
        ("a = " + "[" * 50_000, "nested too deep"),
        (".".join("a" * 20_000) + " = 1", "a key with 32 dots or more"),
        ('technology.name = "siit"\n' + "[[measure]]\n" * 1001, "measure: 1,001 tables is not allowed: at most 1,000"),
        (
            'technology.name = "siit"\ndevice = {driver = "manual", namespace = "a\\u0000b"}',
            "device.namespace: a text with",
        ),
        ('traffic.mix = [[1, "a\\u0000b"]]', "traffic.mix[0][1]: a text with a zero byte"),
        ("\x1b[2J = 1", "not TOML"),
    ],
)
def test_bench_files_that_can_not_be(
    text: str, words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "b.toml").write_text(text)
    assert run_app(["check", "b.toml"]) == Exit.USER
    said = capsys.readouterr().err
    assert said.startswith("b.toml: ")
    assert words in said
    assert said.count("\n") == 1
    assert "\x1b" not in said


def failed(error: BaseException, capsys: pytest.CaptureFixture[str]) -> tuple[int, str]:
    return ended(error, screen(stderr=True)), capsys.readouterr().err


def test_what_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    full = OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), "c/results.json")
    assert failed(full, capsys) == (Exit.USER, "c/results.json: No space left on device\n")
    assert failed(EngineDied("it ended"), capsys) == (Exit.TESTER, "the Tester failed: it ended\n")
    assert failed(MemoryError(), capsys)[0] == Exit.TESTER
    assert failed(KeyError("x"), capsys)[0] == Exit.TESTER
    assert "xlatperf failed: KeyError" in failed(KeyError("x"), capsys)[1]
    assert failed(OSError(errno.EIO, "Input/output error"), capsys) == (129, "ended by SIGHUP\n")


def test_limits_of_files(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """`ulimit -n` and `-f`: the shell's, not the disk's."""
    many, large = OSError(errno.EMFILE, os.strerror(errno.EMFILE), "ip"), JournalError("c/j: File too large; all")
    limits = {resource.RLIMIT_NOFILE: 16, resource.RLIMIT_FSIZE: resource.RLIM_INFINITY}
    monkeypatch.setattr(resource, "getrlimit", lambda which: (limits.get(which, resource.RLIM_INFINITY), 0))
    assert failed(many, capsys)[1] == (
        "ip: Too many open files\n`ulimit -n` allows each process 16 open files: is that enough?\n"
    )
    assert "ulimit" not in failed(large, capsys)[1]
    limits[resource.RLIMIT_FSIZE] = 4096
    assert "`ulimit -f` allows" in failed(EngineDied("the engine was ended by signal 25"), capsys)[1]
    assert failed(large, capsys)[1].endswith(
        "\n`ulimit -f` allows each process files of 4,096 bytes: is that enough?\n"
    )


@pytest.mark.parametrize("words", [("check", ""), ("run", "b.toml", "-f", ""), ("compare", "", ""), ("report", "")])
def test_a_path_that_is_empty(words: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    """To `pathlib` it's the present folder."""
    assert run_app(list(words)) == Exit.USER
    assert capsys.readouterr().err == ('a path on the command line: "" is not allowed: the name of a file or folder\n')


def test_the_limit_of_memory(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Where there is one that may be why."""
    no_memory = EngineError("DPDK does not start: EAL: Cannot allocate memory")
    of_other_kinds = (NoAnswer("silent"), EngineError("no such port"), Interrupted(signal.SIGTERM))
    of_memory = (MemoryError(), no_memory, EngineDied("it ended"), ImportError("failed to map segment"))
    for error in (*of_other_kinds, *of_memory):
        assert "ulimit" not in failed(error, capsys)[1]
    monkeypatch.setattr("resource.getrlimit", lambda _: (300_000_000, 300_000_000))
    for error in of_other_kinds:
        assert "ulimit" not in failed(error, capsys)[1]
    for error in of_memory:
        said = failed(error, capsys)[1]
        assert "`ulimit -v` allows 300 MB of addresses to each of its processes: is that enough?" in said


def test_what_could_not_be_said(capsys: pytest.CaptureFixture[str]) -> None:
    """Why we end counts, not that it couldn't be told."""
    for why, code in ((Interrupted(signal.SIGTERM), 143), (EngineDied("it ended"), Exit.TESTER)):
        for telling in (OSError(errno.EIO, "Input/output error"), BrokenPipeError(errno.EPIPE, "Broken pipe")):
            telling.__context__ = why
            assert failed(telling, capsys)[0] == code
