from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.lab.root import needs_root
from tests.lab.test_leftovers import NEVER_A_PROCESS
from xlatperf.lab import host_parameters, leftovers
from xlatperf.lab.error import LabError
from xlatperf.lab.host_parameters import RECORD, HostParameters
from xlatperf.lab.runtime_folder import RuntimeFolder

NAME = "net.netfilter.size"


@pytest.fixture
def parameter(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A file in place of the kernel's parameter."""
    monkeypatch.setenv("XLATPERF_RUNTIME", str(tmp_path / "runtime"))
    monkeypatch.setattr(host_parameters, "SYSCTL_FOLDER", tmp_path / "sys")
    file = tmp_path / "sys/net/netfilter/size"
    file.parent.mkdir(parents=True)
    file.write_text("100\n")
    return file


def test_put_back(parameter: Path) -> None:
    folder = RuntimeFolder()
    mine = HostParameters(folder.path)
    mine.set(NAME, 200)
    mine.set(NAME, 300)
    assert parameter.read_text() == "300\n"
    mine.restore()
    assert parameter.read_text() == "100\n"
    parameter.write_text("7\n")
    mine.restore()
    assert parameter.read_text() == "7\n"


def test_two_runs_can_not_both_have_their_way(parameter: Path) -> None:
    first, second = HostParameters(RuntimeFolder().path), HostParameters(RuntimeFolder().path)
    first.set(NAME, 200)
    with pytest.raises(LabError, match=rf"another run \(process {os.getpid()}\) has changed net\.netfilter\.size"):
        second.set(NAME, 300)
    first.restore()
    second.set(NAME, 300)
    assert parameter.read_text() == "300\n"
    second.restore()
    assert parameter.read_text() == "100\n"


def test_put_back_for_a_run_that_was_killed(parameter: Path) -> None:
    dead = parameter.parents[3] / "runtime" / f"{NEVER_A_PROCESS}-0"
    dead.mkdir(parents=True)
    (dead / RECORD).write_text(f"{NAME} 50\nhalf")
    leftovers.clean()
    assert parameter.read_text() == "50\n"
    assert not dead.exists()


def test_no_such_parameter(parameter: Path) -> None:
    mine = HostParameters(RuntimeFolder().path)
    with pytest.raises(LabError, match=r"can't set net\.no=1: No such file or directory$"):
        mine.set("net.no", 1)
    mine.restore()


KILLED_RUN = """
import sys, time
from xlatperf.lab.testbed import Testbed
bed = Testbed()
bed.make()
bed.set_host_parameter("net.netfilter.nf_conntrack_max", int(sys.argv[1]))
print("set", flush=True)
time.sleep(300)
"""


@needs_root
@pytest.mark.alone
@pytest.mark.skipif(not Path("/proc/sys/net/netfilter/nf_conntrack_max").exists(), reason="no connection tracking")
def test_after_sigkill() -> None:
    limit = Path("/proc/sys/net/netfilter/nf_conntrack_max")
    before = int(limit.read_text())
    command = [sys.executable, "-c", KILLED_RUN, str(before + 1)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as run:
        assert run.stdout is not None
        assert run.stdout.readline() == "set\n"
        assert int(limit.read_text()) == before + 1
        os.kill(run.pid, signal.SIGKILL)
    until = time.monotonic() + 20
    while int(limit.read_text()) != before:  # its watcher puts it back
        assert time.monotonic() < until
        time.sleep(0.01)
