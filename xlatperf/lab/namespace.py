"""Network namespaces (ip-netns(8)): make, look into, run something in, remove with all that runs in it."""

from __future__ import annotations

import contextlib
import ctypes
import os
import platform
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TypeVar

from xlatperf.lab.error import LabError
from xlatperf.lab.host_parameters import sysctl_path
from xlatperf.lab.network import Network
from xlatperf.lab.transport import COMMAND_S, NetworkThere, Transport

NETNS_FOLDER = Path("/run/netns")
_CLONE_NEWNET = 0x40000000  # sched.h
_KILL_S = 5.0

Result = TypeVar("Result")


def namespaces() -> list[str]:
    """Names of all that have one."""
    return sorted(path.name for path in NETNS_FOLDER.glob("*"))


class Namespace(Transport):
    """A named network namespace."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.path = NETNS_FOLDER / name

    @property
    def prefix(self) -> tuple[str, ...]:
        """Put before a command, it runs in the namespace. `ip` execs the command: no process stands between."""
        return ("ip", "netns", "exec", self.name)

    @property
    def exists(self) -> bool:
        """True if a namespace has this name now."""
        return self.path.exists()

    def create(self) -> None:
        """Makes the namespace. Raises LabError, also if it exists."""
        run_command(("ip", "netns", "add", self.name))

    @property
    def where(self) -> str:
        """In words."""
        return f"in namespace {self.name}"

    @property
    def whose_kernel(self) -> str:
        """In words."""
        return "this host's kernel"

    def run(self, command: Sequence[str], timeout_s: float = COMMAND_S, *, text: str | None = None) -> str:
        """Runs a command in the namespace and returns its standard output. Raises LabError with what it wrote."""
        return run_command((*self.prefix, *command), timeout_s, text=text)

    def inside(self, function: Callable[[], Result]) -> Result:
        """Calls `function` in the namespace: in a thread of its own, as setns(2) is about one thread."""
        results: list[Result] = []
        errors: list[BaseException] = []

        def enter_and_call() -> None:
            try:
                _enter(self.path)
                results.append(function())
            except BaseException as error:  # noqa: BLE001 - handed to the caller below
                errors.append(error)

        thread = threading.Thread(target=enter_and_call, name=f"in {self.name}")
        thread.start()
        thread.join()
        if errors:
            raise errors[0]
        return results[0]

    def set_sysctl(self, name: str, value: int | str) -> None:
        """`name` with dots, as in sysctl(8). Not every kernel has every parameter: then it's a LabError."""
        try:
            self.inside(lambda: sysctl_path(name).write_text(f"{value}\n", encoding="ascii"))
        except OSError as error:
            raise LabError(f"can't set {name}={value} in namespace {self.name}: {error.strerror}") from error

    def sysctl(self, name: str) -> str | None:
        """The value of a kernel parameter in the namespace; None where there is no such parameter."""
        try:
            return self.inside(lambda: sysctl_path(name).read_text(encoding="ascii").strip())
        except OSError:
            return None

    def host_sysctl(self, name: str) -> str | None:
        """Of those that all namespaces share most are to be seen outside of them only."""
        try:
            return sysctl_path(name).read_text(encoding="ascii").strip()
        except OSError:
            return None

    def proc_net(self, name: str) -> str:
        """A file of the namespace's /proc/net."""
        # /proc/net is /proc/self/net, which is the main thread's namespace
        path = Path("/proc/thread-self/net", name)
        try:
            return self.inside(lambda: path.read_text(encoding="ascii"))
        except OSError as error:
            raise LabError(f"can't read {name} of namespace {self.name}: {error.strerror}") from error

    def network(self) -> AbstractContextManager[NetworkThere]:
        """By netlink."""
        return Network(self)

    def why_gone(self) -> str:
        """It was removed."""
        return "" if self.exists else f"the DUT's network namespace {self.name} is gone"

    def kernel(self) -> str:
        """This host's."""
        return f"{platform.system()} {platform.release()} {platform.version()}"

    def processes(self) -> list[int]:
        """Numbers of the processes that are in the namespace now, this one left out."""
        try:
            wanted = self.path.stat()
        except OSError:
            return []
        found = []
        for folder in Path("/proc").iterdir():
            if not folder.name.isdigit() or int(folder.name) == os.getpid():
                continue
            try:
                seen = (folder / "ns/net").stat()
            except OSError:
                continue  # it ended meanwhile
            if (seen.st_dev, seen.st_ino) == (wanted.st_dev, wanted.st_ino):
                found.append(int(folder.name))
        return found

    def remove(self) -> None:
        """Ends what runs in the namespace and removes it. Never raises; may be called twice."""
        if not self.exists:
            return
        deadline = time.monotonic() + _KILL_S
        while (running := self.processes()) and time.monotonic() < deadline:
            for pid in running:
                with contextlib.suppress(OSError):  # it ended meanwhile
                    os.kill(pid, signal.SIGKILL)
            time.sleep(0.01)
        with contextlib.suppress(LabError):  # another run's clean-up was faster
            run_command(("ip", "netns", "delete", self.name))


def run_command(
    command: Sequence[str], timeout_s: float = COMMAND_S, folder: Path | None = None, *, text: str | None = None
) -> str:
    """Runs a command to its end; returns its standard output, or raises LabError with the line that says why.

    `folder`: where it runs; None: here. `text`: what it reads.
    """
    try:
        done = subprocess.run(
            command,
            capture_output=True,
            text=True,
            timeout=timeout_s,
            input=text or "",
            cwd=folder,
            check=False,
        )
    except FileNotFoundError as error:
        raise LabError(f"{command[0]} isn't installed") from error
    except OSError as error:
        raise LabError(f"can't start {command[0]}: {error.strerror}") from error
    except subprocess.TimeoutExpired as error:
        raise LabError(f"`{' '.join(command)}` didn't end within {timeout_s:g} s") from error
    if done.returncode != 0:
        said = first_complaint(done.stderr, done.stdout, done.returncode)
        raise LabError(f"`{' '.join(command)}` failed: {said}")
    return done.stdout


def first_complaint(errors: str, output: str, status: int) -> str:
    """The line that says why a command failed."""
    lines = (errors.strip() or output.strip() or f"status {status}").splitlines()
    # nft(8) goes on after its error with the line that it's about, ip(8) of several commands with its number
    told = [line for line in lines if not line.startswith("Command failed -:")] or lines
    return next((line for line in told if "Error:" in line), told[-1])


def _enter(path: Path) -> None:
    libc = ctypes.CDLL(None, use_errno=True)
    descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        if libc.setns(descriptor, _CLONE_NEWNET) != 0:
            number = ctypes.get_errno()
            raise OSError(number, os.strerror(number))
    finally:
        os.close(descriptor)
