"""VPP's command line over its Unix socket, as `vppctl` talks to it.

VPP takes whoever connects for a terminal (telnet, RFC 854) until it is told the terminal's type (RFC 1091); told
"vppctl" it shows neither banner, prompt nor echo, and ends each answer with a NUL byte. What the naming of the type
itself is answered with, a NUL of its own or nothing, depends on what arrives together: the first answer that isn't
empty is that of the first command.
"""

from __future__ import annotations

import contextlib
import re
import socket
import threading
import time
from pathlib import Path

from xlatperf.lab.error import LabError

# RFC 854: interpret as command; a suboption begins and ends. RFC 1091: terminal type, "is".
_IAC, _SE, _SB = 255, 240, 250
_TERMINAL_TYPE = bytes((_IAC, _SB, 24, 0)) + b"vppctl" + bytes((_IAC, _SE))
# A suboption, else a command of three bytes; or what may yet become one, at the end of what has arrived.
_TELNET = re.compile(rb"\xff(?:\xfa.*?\xff\xf0|[\xfb-\xfe].|[^\xfa-\xfe])", re.DOTALL)
_UNFINISHED = re.compile(rb"\xff(?:\xfa.*|[\xfb-\xfe])?\Z", re.DOTALL)
_CHUNK = 65536
_LONGEST_COMMAND = 4000
"""Of bytes that VPP reads at once: it takes those for one line."""
_LONGEST_ANSWER = 1 << 30
_FIRST = "show version"
FIRST_S = 5.0
ANSWER_S = 30.0


class NotVpp(LabError):
    """Somebody else listens there."""


class VppCli:
    """One command at a time; several threads may ask. Connects when it is first asked, and again after `close`."""

    def __init__(self, path: Path) -> None:
        """`path` is the socket's (VPP's `unix { cli-listen ... }`)."""
        self.path = path
        self._lock = threading.Lock()
        self._socket: socket.socket | None = None
        self._version = ""
        self._received = bytearray()
        self._searched = 0
        self._option = b""

    @property
    def version(self) -> str:
        """What the VPP calls itself: `vpp v25.06-release built by ...`. Raises LabError."""
        with self._lock:
            self._connected()
            return self._version

    def ask(self, command: str, timeout_s: float | None = None) -> str:
        """What VPP writes about it, an error too, with nothing around it. Raises LabError without a whole answer.

        `timeout_s`: without it ANSWER_S.
        """
        if "\n" in command or "\0" in command or len(command.encode()) > _LONGEST_COMMAND:
            raise LabError(f"VPP can't be asked this: {command[:60]!r}")
        with self._lock:
            self._connected()
            try:
                return self._ask(command, time.monotonic() + (ANSWER_S if timeout_s is None else timeout_s))
            except LabError:
                self._close()  # a late answer isn't taken for that to the next command
                raise

    def close(self) -> None:
        """Never raises; may be called twice."""
        with self._lock:
            self._close()

    def _connected(self) -> None:
        if self._socket is not None:
            return
        self._forget()
        try:
            self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
            self._socket.settimeout(FIRST_S)
            self._socket.connect(str(self.path))
            until = time.monotonic() + FIRST_S
            self._send(_TERMINAL_TYPE, until)
            self._version = self._ask(_FIRST, until, or_empty=False)
        except OSError as error:
            self._close()
            raise LabError(f"VPP's CLI socket {self.path}: {error.strerror or error}") from error
        except LabError as error:
            greeting = bytes(self._received).decode("utf-8", "replace").split("\n")[0].strip()[:60]
            self._close()
            if not greeting:
                raise
            raise NotVpp(f"VPP's CLI socket {self.path}: who listens there isn't VPP: {greeting!r}") from error
        if not self._version.startswith("vpp "):
            said = self._version.splitlines()[0][:60]
            self._close()
            raise NotVpp(f"VPP's CLI socket {self.path}: who listens there isn't VPP: {said!r}")

    def _ask(self, command: str, until: float, *, or_empty: bool = True) -> str:
        self._send(command.encode() + b"\n", until)
        while True:
            answer = self._answer(command, until)
            if answer or or_empty:
                return answer

    def _send(self, data: bytes, until: float) -> None:
        if self._socket is None:
            raise LabError(f"VPP's CLI socket {self.path} isn't connected")
        self._socket.settimeout(max(0.01, until - time.monotonic()))
        try:
            self._socket.sendall(data)
        except OSError as error:
            raise LabError(f"VPP's CLI socket {self.path} takes no command: {error.strerror or error}") from error

    def _answer(self, command: str, until: float) -> str:
        """Up to the next NUL."""
        while (end := self._received.find(b"\0", self._searched)) < 0:
            self._searched = len(self._received)
            self._receive(command, until)
        text = bytes(self._received[:end]).decode("utf-8", "replace")
        del self._received[: end + 1]
        self._searched = 0
        return text.replace("\r", "").strip("\n").rstrip()

    def _receive(self, command: str, until: float) -> None:
        left_s = until - time.monotonic()
        if self._socket is None or left_s <= 0:
            raise LabError(f"VPP doesn't answer at {self.path}: {command!r} took too long")
        self._socket.settimeout(left_s)
        try:
            data = self._socket.recv(_CHUNK)
        except TimeoutError:
            raise LabError(f"VPP doesn't answer at {self.path}: {command!r} took too long") from None
        except OSError as error:
            raise LabError(f"VPP's CLI socket {self.path}: {error.strerror or error}") from error
        if not data:
            raise LabError(f"VPP closed its CLI socket {self.path} in place of an answer to {command!r}")
        if len(self._received) + len(data) > _LONGEST_ANSWER:
            raise LabError(f"VPP's answer to {command!r} is longer than {_LONGEST_ANSWER >> 20} MB")
        data = _TELNET.sub(b"", self._option + data)
        cut = _UNFINISHED.search(data)
        self._option = b"" if cut is None else cut[0]
        self._received += data[: len(data) - len(self._option)]

    def _close(self) -> None:
        self._forget()
        if self._socket is not None:
            with contextlib.suppress(OSError):
                self._socket.close()
        self._socket = None

    def _forget(self) -> None:
        """What has arrived: without telnet's options, `_searched` bytes of it without an end; and half an option."""
        self._received = bytearray()
        self._searched = 0
        self._option = b""
