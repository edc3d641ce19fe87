"""A process on a device that is reached by a shell, which ends with the device at the latest."""

from __future__ import annotations

import shlex
import signal
import time
from collections.abc import Callable, Sequence

from xlatperf.lab.error import LabError
from xlatperf.lab.process import last_of
from xlatperf.lab.shell_transport import ShellTransport

_PAUSE_S = 0.1
# A shell stays behind that writes how it ended. It has no input, and nobody's output.
_START = """cd {folder}
rm -f {name}.pid {name}.status
setsid bash -c {keeper} </dev/null >/dev/null 2>&1 &
for _ in {{1..100}}; do [[ ! -s {name}.pid ]] || exit 0; sleep 0.05; done
echo it did not start >&2; exit 1"""
_KEEPER = "{command} </dev/null >{name}.log 2>&1 & echo $! >{name}.pid; wait $!; echo $? >{name}.status"
_STOP = """cd {folder}
[[ -s {name}.pid && ! -e {name}.status ]] || exit 0
kill -CONT $(<{name}.pid); kill -TERM $(<{name}.pid)
for _ in {{1..40}}; do [[ ! -e {name}.status ]] || exit 0; sleep 0.05; done
kill -KILL $(<{name}.pid); exit 0"""
_CPU = "cat /proc/$(<{folder}/{name}.pid)/task/*/schedstat"


class ShellProcess:
    """As `Daemon`, elsewhere. Everything but `pid` raises LabError."""

    def __init__(
        self, device: ShellTransport, name: str, command: Sequence[str], folder: str, cores: Sequence[int] = ()
    ) -> None:
        """`folder`: of the device's, for its log; `cores`: of the device's, none: all."""
        self.name = name
        self._device = device
        self._command = tuple(command)
        self._at = {"folder": shlex.quote(folder), "name": shlex.quote(name)}
        self._cores = tuple(cores)
        self._used_s = 0.0
        self._seen_s = 0.0
        self._started = False

    def start(self) -> None:
        """Ends the one before it."""
        self.stop()
        pinned = ("taskset", "-c", _listed(self._cores), *self._command) if self._cores else self._command
        keeper = _KEEPER.format(command=shlex.join(pinned), **self._at)
        self._device.script(_START.format(keeper=shlex.quote(keeper), **self._at))
        self._started = True

    def wait_until(self, ready: Callable[[], bool], timeout_s: float) -> None:
        """Also if the process ends before."""
        deadline = time.monotonic() + timeout_s
        while not ready():
            if how := self.how_ended():
                raise LabError(f"{self.name} {how}, before it was ready")
            if time.monotonic() > deadline:
                raise LabError(f"{self.name} wasn't ready within {timeout_s:g} s: {self.last_line()}")
            time.sleep(_PAUSE_S)

    def how_ended(self, because: str | None = None) -> str | None:
        """How it ended by itself; None while it runs, or if it was never started."""
        if not self._started:
            return None
        status = self._file("status").strip()
        if not status.isdigit():
            return None
        number = int(status) - 128  # as bash(1) says it of a signal
        if number > 0:
            return f"was ended by signal {number} ({signal.strsignal(number)})"
        return f"ended with exit code {status}: {because or self.last_line()}"

    @property
    def stopped(self) -> bool:
        """It runs, but does nothing."""
        if not self._started or self.how_ended() is not None:
            return False
        state = self._device.script("grep -s ^State: /proc/$(<{folder}/{name}.pid)/status; true".format(**self._at))
        return state.split()[1:2] in (["T"], ["t"])

    @property
    def pid(self) -> int | None:
        """Its number there; None if it isn't started."""
        written = self._file("pid").strip() if self._started else ""
        return int(written) if written.isdigit() else None

    @property
    def cpu_s(self) -> float:
        """Processor time in s of this process and of those before it."""
        if self._started:
            lines = self._device.script(f"{_CPU.format(**self._at)} 2>/dev/null; true").splitlines()
            used = sum(int(line.split()[0]) for line in lines if line.split()[:1]) / 1e9
            self._seen_s = max(used, self._seen_s)
        return self._used_s + self._seen_s

    def pin(self, cores: Sequence[int]) -> None:
        """It and its successors run there."""
        self._cores = tuple(cores)
        if self._started:
            self._device.script("taskset -acp {cores} $(<{folder}/{name}.pid)".format(cores=_listed(cores), **self._at))

    def output(self) -> str:
        """What it wrote so far."""
        return self._file("log")

    def last_line(self) -> str:
        """The last thing it wrote."""
        return last_of(self.output())

    def stop(self) -> None:
        """Ends it, by force if need be. May be called twice."""
        if self._started:
            self._used_s, self._seen_s = self.cpu_s, 0.0
            self._device.script(_STOP.format(**self._at))
            self._started = False

    def _file(self, suffix: str) -> str:
        return self._device.script("cat {folder}/{name}.{suffix} 2>/dev/null; true".format(suffix=suffix, **self._at))


def _listed(cores: Sequence[int]) -> str:
    return ",".join(map(str, cores))
