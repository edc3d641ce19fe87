"""Signals that end a run are exceptions, so that what was set up is removed."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import threading
from collections.abc import Iterator
from typing import Any

ENDING_SIGNALS = (
    *(signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT),
    *(signal.SIGXCPU, signal.SIGUSR1, signal.SIGUSR2),
)
"""What others send, and what ends a process that doesn't look after it: it has namespaces to remove."""

SIGNAL_BASE = 128


class Interrupted(BaseException):
    """A signal asked us to end. Not an Exception: nothing that handles failures may swallow it."""

    def __init__(self, number: int) -> None:
        super().__init__(signal.Signals(number).name)
        self.number = number

    @property
    def exit_code(self) -> int:
        """128 and its number, as shells have it."""
        return SIGNAL_BASE + self.number

    @property
    def told(self) -> list[str]:
        """Its name."""
        why = " (it has used as much processor time as it may: ulimit -t)" if self.number == signal.SIGXCPU else ""
        return [f"ended by {self}{why}"]


class _Shield:
    """While it is up, signals are noted instead of raised."""

    up = False
    noted: int | None = None


_AGAIN_S = 0.02
"""A signal whose exception nobody saw comes again so much later."""


class _Again:
    """Sends a signal to the main thread again, a little later; one that comes while it starts doesn't get lost."""

    def __init__(self) -> None:
        self._thread = threading.get_ident()
        self._wanted: int | None = None
        self.starting = False

    def note(self, number: int) -> None:
        """It came while another was started."""
        self._wanted = number

    def send(self, number: int) -> None:
        """Returns at once, mostly: on a busy host a thread takes longer to start than the signal to come."""
        self.starting, self._wanted = True, number
        pause_s = _AGAIN_S
        try:
            while self._wanted is not None:
                number, self._wanted = self._wanted, None
                timer = threading.Timer(pause_s, signal.pthread_kill, (self._thread, number))
                timer.daemon = True
                timer.start()
                pause_s *= 2
        finally:
            self.starting = False


@contextlib.contextmanager
def signals_as_exceptions() -> Iterator[None]:
    """These signals raise Interrupted in the main thread, so that `finally` blocks run; but SIGHUP not with nohup(1).

    A forked child (pyroute2 has such, and ends them by SIGTERM) must not run our `finally` blocks: it would remove the
    DUT under its parent's feet. There the signal ends the process at once.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    owner, again = os.getpid(), _Again()
    ending: list[int] = []

    def interrupt(number: int, _frame: Any) -> None:
        if os.getpid() != owner:
            os._exit(128 + number)
        if _Shield.up:
            _Shield.noted = number
            return
        if again.starting:
            again.note(number)
            return
        ending.append(number)
        raise Interrupted(number)

    def unraisable(what: Any) -> None:
        """In a destructor or a hook of fork, where Python lets no exception out: it must not end there."""
        if isinstance(what.exc_value, Interrupted):
            again.send(what.exc_value.number)
        elif not ending:  # what is cut short on the way out complains about it
            hook_before(what)

    hook_before, sys.unraisablehook = sys.unraisablehook, unraisable
    heeded = [one for one in ENDING_SIGNALS if one != signal.SIGHUP or signal.getsignal(one) != signal.SIG_IGN]
    before = {number: signal.signal(number, interrupt) for number in heeded}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
        sys.unraisablehook = hook_before


@contextlib.contextmanager
def undisturbed() -> Iterator[None]:
    """While the DUT is being removed, signals wait; the last one is raised at the end.

    They are not blocked in the kernel: programs started in the meantime would inherit that.
    """
    _Shield.up, _Shield.noted = True, None
    try:
        yield
    finally:
        _Shield.up = False
        noted, _Shield.noted = _Shield.noted, None
    if noted is not None:
        raise Interrupted(noted)
