"""Scripts that bash runs at the other end of a socket: in a virtual machine, on another host.

The file `agent_loop` is that other end.
"""

from __future__ import annotations

import re
import socket
import threading
import time
from importlib.resources import files
from typing import NamedTuple

from xlatperf.lab.error import LabError

_CHUNK = 65536
_PLAIN = re.compile(r"[A-Za-z0-9 _./:=,@%+-]")
_ANSWER = re.compile(rb"([0-9]{1,3}) ([0-9]{1,9}) ([0-9]{1,9})")


class Ended(NamedTuple):
    """How a script ended, and what it wrote."""

    status: int
    output: str
    errors: str


class ShellConsole:
    """One script at a time; several threads may ask."""

    def __init__(self, connection: socket.socket, who: str) -> None:
        """`who` is at the other end."""
        self._connection = connection
        self._who = who
        self._lock = threading.Lock()
        self._received = b""
        self._lost: str | None = None

    def wait_for(self, line: str, timeout_s: float) -> None:
        """For a line that the machine says by itself; others are left out. Raises LabError."""
        until = time.monotonic() + timeout_s
        while self._line(until) != line.encode():
            pass

    def run(self, script: str, timeout_s: float) -> Ended:
        """bash runs it. Raises LabError where no answer comes in time; then none is asked for any more."""
        with self._lock:
            return self._run(script, timeout_s)

    def greet(self) -> None:
        """Tells the other end that somebody is still there. Raises LabError."""
        with self._lock:
            try:
                self._connection.sendall(b"\n")
            except OSError as error:
                raise LabError(f"{self._who} takes no command: {error.strerror or error}") from error

    def close(self) -> None:
        """Of this end. Never raises."""
        self._connection.close()

    def _run(self, script: str, timeout_s: float) -> Ended:
        if self._lost is not None:
            raise LabError(self._lost)
        until = time.monotonic() + timeout_s
        try:
            self._connection.settimeout(timeout_s)
            self._connection.sendall(quoted(script).encode("ascii") + b"\n")
            answer = self._line(until)
            match = _ANSWER.fullmatch(answer)
            if match is None:
                raise LabError(f"{self._who} answered {answer[:60]!r} to a command")
            status, output, errors = (int(number) for number in match.groups())
            written = self._bytes(output + errors, until)
        except OSError as error:
            self._lost = f"{self._who} takes no command: {error.strerror or error}"
            raise LabError(self._lost) from error
        except LabError as error:
            self._lost = str(error)
            raise
        return Ended(status, written[:output].decode(errors="replace"), written[output:].decode(errors="replace"))

    def _line(self, until: float) -> bytes:
        while b"\n" not in self._received:
            self._receive(until)
        line, _, self._received = self._received.partition(b"\n")
        return line.strip()

    def _bytes(self, length: int, until: float) -> bytes:
        while len(self._received) < length:
            self._receive(until)
        found, self._received = self._received[:length], self._received[length:]
        return found

    def _receive(self, until: float) -> None:
        left_s = until - time.monotonic()
        if left_s <= 0:
            raise LabError(f"{self._who} doesn't answer")
        self._connection.settimeout(left_s)
        try:
            received = self._connection.recv(_CHUNK)
        except TimeoutError:
            return
        if not received:
            raise LabError(f"{self._who} has ended")
        self._received += received


def agent(own: str) -> str:
    """Lines of bash that answer; `own` are those that go before the loop."""
    return own + files(__package__).joinpath("agent_loop").read_text(encoding="utf-8")


def quoted(script: str) -> str:
    r"""In one line of ASCII, as bash(1) reads it: `a|b` becomes `$'a\174b'`. Without NUL."""
    return "$'" + "".join(_escaped(character) for character in script) + "'"


def _escaped(character: str) -> str:
    # three octal digits: a digit after \xHH could be taken for one of it
    return character if _PLAIN.fullmatch(character) else "".join(f"\\{byte:03o}" for byte in character.encode())
