"""A process that waits for this one's end, however it ends, and then removes what was left behind (cleaner.py).

Nothing can be done by a process that is killed (SIGKILL), so that another one has to. Until then it's a shell that
waits at a pipe: small, and not in the way.
"""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
from pathlib import Path

import xlatperf
from xlatperf.lab.error import LabError
from xlatperf.lab.process_identity import ProcessIdentity

_CLEANER = "xlatperf.lab.cleaner"  # by its name: it imports what imports this
# The other end of the pipe is closed by the kernel when its owner ends; a line says that there's nothing to do.
_WAIT = 'read -r line && exit; exec "$@"'
_DISMISSED_S = 5.0


class Watcher:
    """Waits from the start to `dismiss`. `of` is this process. Raises LabError if it can't be started."""

    def __init__(self, of: ProcessIdentity) -> None:
        clean = (sys.executable, "-P", "-m", _CLEANER, *of.text().split())
        packages = Path(xlatperf.__file__).parents[1]
        path = os.pathsep.join(filter(None, (str(packages), os.environ.get("PYTHONPATH"))))
        try:
            self._process = subprocess.Popen(
                ("sh", "-c", _WAIT, "xlatperf-watcher", *clean),
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                cwd="/",
                env={**os.environ, "PYTHONPATH": path},
                start_new_session=True,  # what ends a terminal's processes doesn't end it
            )
        except OSError as error:
            raise LabError(f"can't start sh: {error.strerror}") from error

    def dismiss(self) -> None:
        """Nothing is left to remove. Never raises; may be called twice."""
        if self._process.stdin is None or self._process.stdin.closed:
            return
        with contextlib.suppress(OSError):
            self._process.stdin.write(b"\n")
            self._process.stdin.close()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(_DISMISSED_S)
