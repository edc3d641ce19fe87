"""What a watcher runs when the process that it watched has ended: python -m xlatperf.lab.cleaner PID START_TIME."""

from __future__ import annotations

import sys
import time

from xlatperf.lab import leftovers
from xlatperf.lab.process_identity import parse

_END_S = 30.0
_PAUSE_S = 0.01


def main() -> None:
    """Removes what the process left behind.

    The kernel closes a process's files, which ends the watcher's wait, a little before the process has ended.
    """
    watched = parse(" ".join(sys.argv[1:]))
    until = time.monotonic() + _END_S
    while watched is not None and watched.running and time.monotonic() < until:
        time.sleep(_PAUSE_S)
    leftovers.clean()


if __name__ == "__main__":
    main()
