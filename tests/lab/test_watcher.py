"""What a run that was killed left behind is removed at once, by a process that waited for that."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.lab.test_leftovers import NEVER_A_PROCESS
from xlatperf.lab.process_identity import identify
from xlatperf.lab.runtime_folder import RuntimeFolder

WAIT_S = 20.0
KILLED = """
import sys, time
from xlatperf.lab.runtime_folder import RuntimeFolder
folder = RuntimeFolder()
print(folder.path, folder._watcher._process.pid, flush=True)
{then}
"""


@pytest.fixture(autouse=True)
def base(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XLATPERF_RUNTIME", str(tmp_path / "runtime"))
    return tmp_path / "runtime"


def wait_until(reached: Callable[[], bool]) -> None:
    until = time.monotonic() + WAIT_S
    while not reached():
        assert time.monotonic() < until
        time.sleep(0.01)


@pytest.fixture
def run(request: pytest.FixtureRequest) -> Iterator[tuple[subprocess.Popen[str], Path, int]]:
    """A process with a folder, and its watcher's number; as the test's parameter it ends, or sleeps."""
    program = KILLED.format(then=getattr(request, "param", "time.sleep(300)"))
    with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True, process_group=0) as one:
        assert one.stdout is not None
        path, watcher = one.stdout.readline().split()
        yield one, Path(path), int(watcher)
        one.kill()
    wait_until(lambda: identify(int(watcher)) is None)


@pytest.mark.parametrize("end", [signal.SIGKILL, signal.SIGHUP, signal.SIGSEGV])
def test_it_is_killed(run: tuple[subprocess.Popen[str], Path, int], base: Path, end: signal.Signals) -> None:
    """With all of its group, as a shell or a terminal does it."""
    process, path, _ = run
    assert path.is_dir()
    os.killpg(process.pid, end)
    wait_until(lambda: not base.exists())


@pytest.mark.parametrize("run", ["import os; os._exit(3)", "sys.exit()"], indirect=True)
def test_it_ends_and_forgets_its_folder(run: tuple[subprocess.Popen[str], Path, int], base: Path) -> None:
    wait_until(lambda: not base.exists())


def test_the_watcher_is_killed_too(run: tuple[subprocess.Popen[str], Path, int], base: Path) -> None:
    """The next run's watcher, or its start, removes it."""
    process, path, watcher = run
    os.kill(watcher, signal.SIGKILL)
    process.kill()
    process.wait(WAIT_S)
    assert path.is_dir()
    with subprocess.Popen([sys.executable, "-c", KILLED.format(then="")], stdout=subprocess.DEVNULL):
        pass
    wait_until(lambda: not base.exists())


def test_the_watcher_was_killed_and_the_run_goes_on(base: Path) -> None:
    folder = RuntimeFolder()
    folder._watcher._process.kill()
    folder._watcher._process.wait(WAIT_S)
    folder.remove()
    assert not base.exists()


def test_an_ordinary_end_starts_nothing(base: Path) -> None:
    """A folder of somebody who has ended stays: who removes its own has nothing else to do."""
    folder = RuntimeFolder()
    dead = base / f"{NEVER_A_PROCESS}-0"
    dead.mkdir()
    folder.remove()
    assert folder._watcher._process.returncode == 0
    folder.remove()
    assert dead.is_dir()
