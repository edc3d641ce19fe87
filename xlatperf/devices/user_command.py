"""A command of the user's that does something to the DUT, over SSH for instance: time limit, output, failure."""

from __future__ import annotations

import contextlib
import os
import shlex
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import IO

from xlatperf.devices.device import DeviceError

FIRST_WORD_S, NEXT_WORD_S = 10.0, 60.0
"""A command that takes so long is told, and after that again and again."""
SHOWN_LINES, SHOWN_CHARACTERS = 20, 400
_KEPT_BYTES = 1 << 20


class CommandFailed(DeviceError):
    """It ended with another exit code than 0, or not in time. `output`: the last lines that it wrote."""

    def __init__(self, message: str, output: list[str]) -> None:
        super().__init__(message)
        self.output = output

    @property
    def told(self) -> list[str]:
        """With what it wrote, where that is more than the message has."""
        return [str(self), *(f"  {line}" for line in self.output if len(self.output) > 1)]


@dataclass(frozen=True)
class UserCommand:
    """`option` is its key in `[device]`, `text` what the shell gets, `limit_s` how long it may run.

    `over`: what runs a text in a shell elsewhere, such as ssh(1) with a host; empty: it's a shell here.
    """

    option: str
    text: str
    limit_s: float
    say: Callable[[str], None] = lambda _: None
    over: tuple[str, ...] = ()

    def run(self, **variables: str) -> str:
        """Runs it to its end, with these environment variables too; its standard output. Raises CommandFailed.

        What it leaves running in the background may keep its output open: nobody waits for that.
        """
        with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as errors:
            code = self._code(output, errors, variables)
            written = _text(output)
            if code == 0:
                return written
            if code is None:
                how = f"didn't end within {self.limit_s:g} s (device.{self.option}_limit_s)"
            else:
                how = f"was ended by signal {-code}" if code < 0 else f"failed with exit code {code}"
            lines = [line for line in (*written.splitlines(), *_text(errors).splitlines()) if line.strip()]
        last = [line[:SHOWN_CHARACTERS] for line in lines[-SHOWN_LINES:]]
        where = f" on {self.over[-1]}" if self.over else ""
        said = f": {last[-1]}" if last else ", and wrote nothing"
        raise CommandFailed(f"device.{self.option}: `{self.text}`{where} {how}{said}", last)

    def _words(self, variables: Mapping[str, str]) -> tuple[str, ...]:
        if not self.over:
            return ("sh", "-c", self.text)
        # ssh takes no environment along
        exported = "".join(f"export {name}={shlex.quote(value)}; " for name, value in variables.items())
        return (*self.over, f"{exported}{self.text}")

    def _code(self, output: IO[bytes], errors: IO[bytes], variables: Mapping[str, str]) -> int | None:
        """Its exit code; None: it was still running when its time was over."""
        started = time.monotonic()
        process = subprocess.Popen(
            self._words(variables),
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=errors,
            env={**os.environ, **variables},
            start_new_session=True,
        )
        told_s = FIRST_WORD_S
        try:
            while (past_s := time.monotonic() - started) < self.limit_s:
                if past_s >= told_s:
                    self.say(f"  device.{self.option} has been running for {past_s:.0f} s, at most {self.limit_s:g} s")
                    told_s += NEXT_WORD_S
                with contextlib.suppress(subprocess.TimeoutExpired):
                    return process.wait(min(self.limit_s, told_s) - past_s)
            return process.poll()
        finally:
            if process.poll() is None:
                with contextlib.suppress(ProcessLookupError):  # it ended meanwhile
                    os.killpg(process.pid, signal.SIGKILL)
                process.wait()


def _text(file: IO[bytes]) -> str:
    """The end of what was written."""
    size = file.seek(0, os.SEEK_END)
    file.seek(max(0, size - _KEPT_BYTES))
    return file.read().decode("utf-8", "replace")
