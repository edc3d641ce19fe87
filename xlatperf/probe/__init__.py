"""`xlatperf probe`: what can this host do, and what to do about what it can't. It changes and loads nothing."""

from __future__ import annotations

from xlatperf.probe.line import Line, State
from xlatperf.probe.survey import main

__all__ = ["Line", "State", "main"]
