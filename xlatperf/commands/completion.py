"""What a shell asks when somebody presses TAB, by Typer's protocol: `_XLATPERF_COMPLETE` in the environment.

`_XLATPERF_COMPLETE=source_bash xlatperf` (or zsh, fish) writes the script that makes a shell ask.
"""

from __future__ import annotations

import os
from collections.abc import Sequence

from typer._completion_classes import completion_init

_VARIABLE = "_XLATPERF_COMPLETE"
_LINES = ("COMP_WORDS", "_TYPER_COMPLETE_ARGS")
"""What was typed so far: bash's, and that of the others."""


def typed() -> Sequence[str] | None:
    """The words behind `xlatperf`, with that which is being typed; None if no shell asks. Readies Typer's answer."""
    if _VARIABLE not in os.environ:
        return None
    completion_init()
    line = next((os.environ[name] for name in _LINES if name in os.environ), "")
    return line.split()[1:]
